import MurphyContract
import MurphyModel

/// Decides if writes may have taken effect in a period: docs/relations.md, "Writes".
struct PossibleWrites {
  /// The beginnings and ends of some writes, both ascending.
  fileprivate struct Spans {
    var begins: [Int64] = []
    var ends: [Int64] = []

    mutating func sort() {
      begins.sort()
      ends.sort()
    }

    /// The number of those that began by `high` and had not certainly ended before `low`.
    func count(_ low: Int64, _ high: Int64) -> Int {
      begins.partitioningIndex { $0 > high } - ends.partitioningIndex { $0 >= low }
    }
  }

  /// Those that are known to change the collection.
  private var own = Spans()
  private var open = Spans()
  private var byItem: [Int64: Spans] = [:]

  /// - Parameters:
  ///   - collection: its index in the relations' collections.
  ///   - writings: by operation, the possible changes by a write.
  ///   - describesAccess: true if a login may change the content of the collection.
  init(
    _ writes: [RelationLog.Write], to collection: Int, _ writings: [ContractRelations.Writing?], describesAccess: Bool
  ) {
    for write in writes {
      // The write of an operation that the run does not have, such as one of a lost shard, may change anything.
      let writing = writings.indices.contains(Int(write.operation)) ? writings[Int(write.operation)] : nil
      if writing?.reach == .access, !describesAccess { continue }
      guard let writing, writing.collection == collection, writing.reach != .anything else {
        // A write to another collection may still be visible in this one.
        open.add(write)
        continue
      }
      own.add(write)
      if writing.reach != .insert, write.id != 0 { byItem[write.id, default: Spans()].add(write) }
    }
    own.sort()
    open.sort()
    for key in byItem.keys { byItem[key]?.sort() }
  }

  /// True if none may have taken effect.
  func isCalm(_ low: Int64, _ high: Int64) -> Bool { own.count(low, high) == 0 && !isOpen(low, high) }

  /// True if the item may have been changed. Writes that may have changed anything are excluded.
  func mayTouch(_ item: Int64, _ low: Int64, _ high: Int64) -> Bool { (byItem[item]?.count(low, high) ?? 0) > 0 }

  func isOpen(_ low: Int64, _ high: Int64) -> Bool { open.count(low, high) > 0 }
}

extension PossibleWrites.Spans {
  fileprivate mutating func add(_ write: RelationLog.Write) {
    begins.append(write.sent)
    ends.append(write.end)
  }
}
