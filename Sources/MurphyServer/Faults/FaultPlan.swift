import Synchronization

/// The faults that one server shows, and when: deterministic for a seed and an order of requests.
final class FaultPlan: Sendable {
  private let faults: Set<Fault>
  private let seed: UInt64
  private let strokes = Mutex<[Fault: UInt64]>([:])

  init(_ faults: [Fault], seed: UInt64) {
    self.faults = Set(faults)
    self.seed = seed
  }

  /// Whether the server shows any fault.
  var isAny: Bool { !faults.isEmpty }

  /// Whether the server shows `fault`. Costs one load in a server without faults.
  func has(_ fault: Fault) -> Bool { !faults.isEmpty && faults.contains(fault) }

  /// True exactly once in each `period` calls, at a place drawn from the seed; never without the fault.
  func strikes(_ fault: Fault, oneIn period: UInt64) -> Bool {
    guard has(fault) else { return false }
    let stroke = strokes.withLock { strokes in
      defer { strokes[fault, default: 0] += 1 }
      return strokes[fault, default: 0]
    }
    var numbers = SeededNumbers(seed: seed ^ fault.name.utf8.reduce(stroke / period) { $0 &* 31 &+ UInt64($1) })
    return stroke % period == numbers.next() % period
  }
}
