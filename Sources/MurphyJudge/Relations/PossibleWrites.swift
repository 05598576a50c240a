import MurphyContract
import MurphyModel

/// How many writes may have taken effect in a stretch of time, by what they change: docs/relations.md, "Writes".
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
      Self.firstAbove(begins, high) - Self.firstNotBelow(ends, low)
    }

    private static func firstAbove(_ sorted: [Int64], _ value: Int64) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] <= value { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private static func firstNotBelow(_ sorted: [Int64], _ value: Int64) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < value { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  struct Counts: Hashable {
    var inserts = 0
    var deletes = 0
    var updates = 0
    /// Something was written of which nobody knows what it changes.
    var isOpen = false

    var sum: Int { inserts + deletes + updates }
    var isCalm: Bool { sum == 0 && !isOpen }
  }

  private var inserts = Spans()
  private var deletes = Spans()
  private var updates = Spans()
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
      let writing = write.operation < 0 ? nil : writings[Int(write.operation)]
      if writing?.reach == .access, !tellsOfAccess { continue }
      guard let writing, writing.collection == collection, writing.reach != .anything else {
        // What belongs to another collection may still show in this one.
        open.add(write)
        continue
      }
      switch writing.reach {
      case .insert: inserts.add(write)
      case .delete: deletes.add(write)
      case .update, .anything, .access: updates.add(write)
      // It may create what it does not find.
      case .put:
        inserts.add(write)
        updates.add(write)
      }
      if writing.reach != .insert, write.id != 0 { byItem[write.id, default: Spans()].add(write) }
    }
    inserts.sort()
    deletes.sort()
    updates.sort()
    open.sort()
    for key in byItem.keys { byItem[key]?.sort() }
  }

  func between(_ low: Int64, _ high: Int64) -> Counts {
    Counts(
      inserts: inserts.count(low, high), deletes: deletes.count(low, high), updates: updates.count(low, high),
      isOpen: open.count(low, high) > 0)
  }

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
