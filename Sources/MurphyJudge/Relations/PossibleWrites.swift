import MurphyContract
import MurphyModel

/// Whether writes may have taken effect in a stretch of time: docs/relations.md, "Writes".
struct PossibleWrites {
  /// Begins and ends of some writes, both ascending.
  fileprivate struct Spans {
    var begins: [Int64] = []
    var ends: [Int64] = []

    mutating func sort() {
      begins.sort()
      ends.sort()
    }

    /// Those that began by `high` and had not surely ended before `low`.
    func count(_ low: Int64, _ high: Int64) -> Int {
      begins.partitioningIndex { $0 > high } - ends.partitioningIndex { $0 >= low }
    }
  }

  /// Those of which it is known that they change the collection.
  private var own = Spans()
  private var open = Spans()
  private var byItem: [Int64: Spans] = [:]

  /// - Parameters:
  ///   - collection: its place among the relations' collections.
  ///   - writings: by operation, what a write may change.
  ///   - tellsOfAccess: a login may show in the collection.
  init(
    _ writes: [RelationLog.Write], to collection: Int, _ writings: [ContractRelations.Writing?], tellsOfAccess: Bool
  ) {
    for write in writes {
      // The write of an operation that the run does not have, as one of a lost shard, may change anything.
      let writing = writings.indices.contains(Int(write.operation)) ? writings[Int(write.operation)] : nil
      if writing?.reach == .access, !tellsOfAccess { continue }
      guard let writing, writing.collection == collection, writing.reach != .anything else {
        // What belongs to another collection may still show in this one.
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

  /// Whether none may have taken effect.
  func isCalm(_ low: Int64, _ high: Int64) -> Bool { own.count(low, high) == 0 && !isOpen(low, high) }

  /// Whether the item may have been changed; what may have changed anything is not asked.
  func mayTouch(_ item: Int64, _ low: Int64, _ high: Int64) -> Bool { (byItem[item]?.count(low, high) ?? 0) > 0 }

  func isOpen(_ low: Int64, _ high: Int64) -> Bool { open.count(low, high) > 0 }
}

extension PossibleWrites.Spans {
  fileprivate mutating func add(_ write: RelationLog.Write) {
    begins.append(write.sent)
    ends.append(write.end)
  }
}
