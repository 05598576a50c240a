import Synchronization

/// When the faults of one server strike that do so now and then: deterministic for a seed and an order of requests.
final class Strokes: Sendable {
  private let seed: UInt64
  private let counts = Mutex<[String: UInt64]>([:])

  init(seed: UInt64) { self.seed = seed }

  /// True exactly once in each `period` calls for a fault, at a place drawn from the seed.
  func strikes(_ fault: String, oneIn period: UInt64) -> Bool {
    let stroke = counts.withLock { counts in
      defer { counts[fault, default: 0] += 1 }
      return counts[fault, default: 0]
    }
    var numbers = SeededNumbers(seed: seed ^ fault.utf8.reduce(stroke / period) { $0 &* 31 &+ UInt64($1) })
    return stroke % period == numbers.next() % period
  }
}
