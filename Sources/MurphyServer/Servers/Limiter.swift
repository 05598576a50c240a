import Foundation
import NIOCore
import Synchronization

/// Counters of all keys under one rule. Checking and counting are one critical section.
package final class Limiter: Sendable {
  /// The terms that it enforces.
  package let rule: LimiterRule
  private let keys = Mutex<Keys>(Keys())

  private struct Keys {
    var counters: [String: any RequestCounter] = [:]
    /// Size at which idle counters are removed, so that memory stays within twice the busy keys.
    var sweepAt = 4096
  }

  package init(rule: LimiterRule) { self.rule = rule }

  /// Admits and counts the request of `key`, or rejects it.
  ///
  /// - Parameter weight: the number of times it counts. It is admitted as a whole or not at all.
  package func admit(_ key: String, at now: Int64, weight: Int = 1) -> LimiterDecision {
    change(key, at: now) { counter in
      var next = counter.nextAdmission(at: now, under: rule)
      if weight > 1, next <= now {
        let left = counter.remaining(at: now, under: rule)
        if left.requests < weight { next = max(left.reset, now + 1) }
      }
      if next <= now { for _ in 0..<weight { counter.record(at: now, under: rule) } }
      return decision(next, &counter, at: now)
    }
  }

  /// Counts a rejected request, for limiters that penalise early retries.
  package func recordRefusal(_ key: String, at now: Int64) -> LimiterDecision {
    change(key, at: now) { counter in
      let next = counter.nextAdmission(at: now, under: rule)
      if next > now { counter.recordRefusal(at: now, under: rule) }
      return decision(next, &counter, at: now)
    }
  }

  /// Checks without counting: the first half of a check-then-act limiter.
  package func peek(_ key: String, at now: Int64) -> LimiterDecision {
    change(key, at: now) { counter in decision(counter.nextAdmission(at: now, under: rule), &counter, at: now) }
  }

  /// Counts without checking: the second half.
  package func record(_ key: String, at now: Int64) {
    change(key, at: now) { $0.record(at: now, under: rule) }
  }

  /// The number of stored keys.
  package var keyCount: Int { keys.withLock { $0.counters.count } }

  private func decision(_ next: Int64, _ counter: inout any RequestCounter, at now: Int64) -> LimiterDecision {
    let (remaining, reset) = counter.remaining(at: now, under: rule)
    return LimiterDecision(
      isAdmitted: next <= now, wait: max(next - now, 0), remaining: remaining, reset: max(reset - now, 0))
  }

  private func change<T>(_ key: String, at now: Int64, _ body: (inout any RequestCounter) -> T) -> T {
    keys.withLock { keys in
      if keys.counters.count >= keys.sweepAt {
        keys.counters = keys.counters.filter { !$0.value.isIdle(at: now, under: rule) }
        keys.sweepAt = max(4096, keys.counters.count * 2)
      }
      return body(&keys.counters[key, default: rule.freshCounter()])
    }
  }
}

/// The decision of a limiter for one request. All times in nanoseconds from the decision.
package struct LimiterDecision: Sendable, Equatable {
  package var isAdmitted: Bool
  /// The time until a request would be admitted; 0 if this one was.
  package var wait: Int64
  /// Requests that would still be admitted now.
  package var remaining: Int
  /// The time until more than `remaining` requests will be admitted.
  package var reset: Int64
}

/// The clock of the limiters. A test of the time after a window replaces it with a clock that it controls.
package struct LimitClock: Sendable {
  /// Monotonic nanoseconds.
  package let now: @Sendable () -> Int64

  /// A clock of a test, or of the machine.
  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The clock of the machine.
  package static let monotonic = LimitClock { MonotonicClock.now() }

  /// Wall clock minus this clock, taken once; steps of the wall clock later do not move any window.
  package func wallOffset() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) - now() }
}

/// Monotonic nanoseconds of the machine.
package enum MonotonicClock {
  /// Since an unknown start.
  package static func now() -> Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }
}
