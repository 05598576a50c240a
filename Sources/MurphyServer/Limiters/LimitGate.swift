import Synchronization

/// All limiters of the API behind one door: who comes, on which counter, and whether to let them in.
final class LimitGate: Sendable {
  private let settings: LimitSettings
  private let faults: FaultPlan
  /// One limiter for each policy; two that take turns in a server with that fault.
  private let limiters: [LimitPolicyName: [Limiter]]
  private let turns = Atomic<Int>(0)
  private let memory = Mutex<Memory>(Memory())

  private struct Memory {
    /// Keys that the fault keeps out for good.
    var lockedOut: Set<String> = []
    /// When the fault saw each key for the first time.
    var firstSeen: [String: Int64] = [:]
    var lastRefusal: (key: String, time: Int64)?
  }

  init(_ settings: LimitSettings, faults: FaultPlan) {
    self.settings = settings
    self.faults = faults
    let offset = MonotonicClock.wallOffset()
    let pairs = LimitPolicyName.allCases.map { policy in
      var rule = settings.rule(for: policy)
      rule.wallOffset = offset
      let flawed = rule.flawed(by: faults)
      return (policy, (0..<(faults.has(.limitPerProcess) ? 2 : 1)).map { _ in Limiter(rule: flawed) })
    }
    limiters = settings.isOff ? [:] : Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Counts the request and returns the header fields that tell of it, or throws a `Refusal`.
  func admit(_ caller: Caller, to policy: LimitPolicyName) async throws -> [(String, String)] {
    guard let group = limiters[policy], !faults.has(.limitUnlimited) else { return [] }
    let limiter = group.count == 1 ? group[0] : group[turns.wrappingAdd(1, ordering: .relaxed).newValue % group.count]
    let key = caller.limitKey(faults)
    var decision = try await decide(limiter, key)
    if faults.has(.limitNeverResets) { keepOut("\(policy) \(key)", limiter.rule, &decision) }
    if faults.has(.limitFreshRefused) { refuseNew("\(policy) \(key)", limiter.rule, &decision) }
    guard decision.isAdmitted else {
      if faults.has(.limitSlowsNeighbours) {
        memory.withLock { $0.lastRefusal = (key, MonotonicClock.now()) }
      }
      throw Refusal(policy: policy, rule: settings.rule(for: policy), decision: decision)
    }
    if isNeighbourOfRefused(key) { try await Task.sleep(for: .milliseconds(400)) }
    return fields(decision, limiter.rule, policy)
  }

  /// The header fields of a refused request.
  func fields(_ refusal: Refusal) -> [(String, String)] {
    fields(refusal.decision, refusal.rule, refusal.policy)
  }

  private func fields(_ decision: LimitDecision, _ rule: LimitRule, _ policy: LimitPolicyName) -> [(String, String)] {
    guard settings.headers != .none || faults.isAny else { return [] }
    let lies = [Fault.rateHeadersLimit, .rateHeadersRemaining, .rateHeadersReset].filter(faults.has)
    guard !lies.isEmpty else { return settings.headers.fields(decision, rule, policy) }
    var (decision, rule) = (decision, rule)
    if lies.contains(.rateHeadersLimit) { (rule.allowance, rule.burst) = (rule.allowance * 2, rule.burst * 2) }
    if lies.contains(.rateHeadersRemaining) { decision.remaining -= decision.remaining % 2 }
    if lies.contains(.rateHeadersReset) {
      (decision.reset, decision.wait) = (decision.reset * 1000, decision.wait * 1000)
    }
    return (settings.headers == .none ? .xRateLimit : settings.headers).fields(decision, rule, policy)
  }

  private func decide(_ limiter: Limiter, _ key: String) async throws -> LimitDecision {
    guard faults.has(.limitRace) else {
      return limiter.admit(key, at: MonotonicClock.now(), countsRefusals: faults.has(.limitCountsRefused))
    }
    let decision = limiter.peek(key, at: MonotonicClock.now())
    if decision.isAdmitted {
      try await Task.sleep(for: .milliseconds(10))
      limiter.record(key, at: MonotonicClock.now())
    }
    return decision
  }

  private func keepOut(_ key: String, _ rule: LimitRule, _ decision: inout LimitDecision) {
    memory.withLock { memory in
      if !decision.isAdmitted {
        memory.lockedOut.insert(key)
      } else if memory.lockedOut.contains(key) {
        decision = LimitDecision(isAdmitted: false, wait: rule.window, remaining: 0, reset: rule.window)
      }
    }
  }

  private func refuseNew(_ key: String, _ rule: LimitRule, _ decision: inout LimitDecision) {
    let now = MonotonicClock.now()
    let known = memory.withLock { memory in
      let first = memory.firstSeen[key] ?? now
      memory.firstSeen[key] = first
      return now - first
    }
    guard known < rule.window else { return }
    let wait = rule.window - known
    decision = LimitDecision(isAdmitted: false, wait: wait, remaining: 0, reset: wait)
  }

  private func isNeighbourOfRefused(_ key: String) -> Bool {
    guard faults.has(.limitSlowsNeighbours) else { return false }
    return memory.withLock { memory in
      guard let last = memory.lastRefusal else { return false }
      return last.key != key && MonotonicClock.now() - last.time < 2_000_000_000
    }
  }
}

extension LimitRule {
  /// The rule as a limiter with these faults understands it.
  fileprivate func flawed(by faults: FaultPlan) -> LimitRule {
    var rule = self
    let more = (faults.has(.limitPlusOne) ? 1 : 0) - (faults.has(.limitMinusOne) ? 1 : 0)
    rule.allowance = max(1, allowance + more)
    rule.burst = max(1, burst + more)
    if faults.has(.limitWindowShort) { rule.window = window * 3 / 4 }
    if faults.has(.limitWindowLong) { rule.window = window * 4 / 3 }
    return rule
  }
}

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
  package func admit(_ key: String, at now: Int64, countsRefusals: Bool = false) -> LimitDecision {
    change(key, at: now) { counter in
      let next = counter.nextAdmission(at: now, under: rule)
      if next <= now {
        counter.record(at: now, under: rule)
      } else if countsRefusals {
        counter.recordRefusal(at: now, under: rule)
      }
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
