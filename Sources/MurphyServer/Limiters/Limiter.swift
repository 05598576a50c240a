import Foundation
import NIOCore
import Synchronization

/// Counters of all keys under one rule. Looking and counting are one critical section.
package final class Limiter: Sendable {
  package let rule: LimitRule
  private let keys = Mutex<Keys>(Keys())

  private struct Keys {
    var counters: [String: any RequestCounter] = [:]
    /// Size at which idle counters are thrown out, so that memory stays within twice the busy keys.
    var sweepAt = 4096
  }

  package init(rule: LimitRule) { self.rule = rule }

  /// Admits and counts the request of `key`, or refuses it.
  ///
  /// - Parameter weight: how many times it counts; it is admitted as a whole or not at all.
  package func admit(_ key: String, at now: Int64, weight: Int = 1) -> LimitDecision {
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

  /// Counts a request that was refused, as limiters do that punish the impatient.
  package func recordRefusal(_ key: String, at now: Int64) -> LimitDecision {
    change(key, at: now) { counter in
      let next = counter.nextAdmission(at: now, under: rule)
      if next > now { counter.recordRefusal(at: now, under: rule) }
      return decision(next, &counter, at: now)
    }
  }

  /// Looks without counting: the first half of a check-then-act limiter.
  package func peek(_ key: String, at now: Int64) -> LimitDecision {
    change(key, at: now) { counter in decision(counter.nextAdmission(at: now, under: rule), &counter, at: now) }
  }

  /// Counts without looking: the second half.
  package func record(_ key: String, at now: Int64) {
    change(key, at: now) { $0.record(at: now, under: rule) }
  }

  /// Keys that are remembered now.
  package var keyCount: Int { keys.withLock { $0.counters.count } }

  private func decision(_ next: Int64, _ counter: inout any RequestCounter, at now: Int64) -> LimitDecision {
    let (remaining, reset) = counter.remaining(at: now, under: rule)
    return LimitDecision(
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

/// What a limiter said to one request. All times in nanoseconds from the decision.
package struct LimitDecision: Sendable, Equatable {
  package var isAdmitted: Bool
  /// Until a request would be admitted; 0 if this one was.
  package var wait: Int64
  /// Requests that would still be admitted now.
  package var remaining: Int
  /// Until more will be admitted than `remaining`.
  package var reset: Int64
}

/// The clock of the limiters. A test of what happens after a window puts one in its place that it moves by hand.
package struct LimitClock: Sendable {
  /// Nanoseconds that never go back.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  package static let monotonic = LimitClock { MonotonicClock.now() }

  /// Wall clock minus this clock, taken once; steps of the wall clock later do not move any window.
  func wallOffset() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) - now() }
}

/// Nanoseconds of the machine that never go back.
enum MonotonicClock {
  static func now() -> Int64 { Int64(NIODeadline.now().uptimeNanoseconds) }
}
