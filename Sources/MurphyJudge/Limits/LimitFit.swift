import Foundation
import MurphyModel

/// Finds the other policies that a log fits: a refuted policy is certainly not the server's, a fitting one may be
/// (docs/strength.md §4.2). No sampling: it applies the judge's rules to the real log, with other terms.
struct LimitFit {
  private let policy: LimitPolicy
  private let terms: LimitTerms
  private let traces: [LimitTrace]
  private let trustsStart: Bool
  /// Windows that are tried: powers of this from 1/10.6 to 10.6 times the declared one.
  private static let step = 1.03
  private static let steps = 80

  init(_ judged: JudgedPolicy, keys: ReplayedKeys) {
    policy = judged.policy
    terms = judged.terms
    trustsStart = judged.options.startsQuiet
    traces = keys.keys.map { $0.trace($0.events.map(\.role), until: keys.end) }
  }

  /// The largest quota that is tried.
  static func mostTried(_ declared: Int) -> Int { 3 * declared + 1 }

  /// Scanned and not bisected: the fitting values need not be contiguous.
  func allowances() -> LimitStrength.Range {
    let declared = terms.allowance
    let unit = Double(traces.first?.unit ?? 1)
    var finder = Finder<Int>(fitsTerm: fits(allowance:), count: traces.count)
    // A value beyond the largest number of requests within any window never rejects.
    let most = Self.mostTried(declared)
    var low = declared
    var high = declared
    let stride = max(declared / 100, 1)
    for allowance in Swift.stride(from: 1, to: declared, by: stride) where finder.fits(allowance) {
      low = allowance
      break
    }
    guard traces.contains(where: { !$0.refused.isEmpty }) else {
      return LimitStrength.Range(low: Double(low) * unit, high: nil)
    }
    for allowance in Swift.stride(from: most, to: declared, by: -stride) where finder.fits(allowance) {
      high = allowance
      break
    }
    // One step outward where steps are wider than one.
    return LimitStrength.Range(
      low: Double(max(low - (low < declared ? stride - 1 : 0), 1)) * unit,
      high: high >= most ? nil : Double(high + (high > declared ? stride - 1 : 0)) * unit)
  }

  func windows() -> LimitStrength.Range {
    let declared = policy.window.inSeconds
    var finder = Finder<Double>(fitsTerm: fits(window:), count: traces.count)
    func window(_ power: Int) -> Double { declared * pow(Self.step, Double(power)) }
    let lowest = (-Self.steps...0).first { finder.fits(window($0)) } ?? 0
    let highest = (0...Self.steps).reversed().first { finder.fits(window($0)) } ?? 0
    // Between the last one that fits and the next one, to half a per cent, on the side that does not fit.
    func edge(_ fitting: Int, _ outside: Int) -> Double {
      var (inner, outer) = (window(fitting), window(outside))
      while (outer / inner - 1).magnitude > 0.005 {
        let middle = (inner * outer).squareRoot()
        if finder.fits(middle) { inner = middle } else { outer = middle }
      }
      return outer
    }
    return LimitStrength.Range(
      low: lowest == -Self.steps ? 0 : edge(lowest, lowest - 1),
      high: highest == Self.steps ? nil : edge(highest, highest + 1))
  }

  func algorithms() -> [LimitAlgorithm] {
    LimitAlgorithm.concrete.filter { algorithm in
      algorithm != policy.algorithm
        && traces.allSatisfy { LimitCheck.outcome(of: $0, algorithm: algorithm, terms: terms).isConsistent }
    }
  }

  private func fits(allowance: Int) -> (Int) -> Bool {
    let terms = terms.with(allowance: allowance)
    return { LimitCheck.outcome(of: traces[$0], algorithm: policy.algorithm, terms: terms).isConsistent }
  }

  private func fits(window: Double) -> (Int) -> Bool {
    var terms = terms
    terms.window = window
    // The beginnings of windows of another length are unknown.
    if window != policy.window.inSeconds { terms.phase = nil }
    return { index in
      let trace = traces[index]
      // A quiet time of one window before the run may be too short for a longer window.
      let startsQuiet = trustsStart || trace.isFresh || trace.start >= terms.longWindow
      let judged = startsQuiet == trace.startsQuiet ? trace : trace.with(trace.requests, startsQuiet: startsQuiet)
      return LimitCheck.outcome(of: judged, algorithm: policy.algorithm, terms: terms).isConsistent
    }
  }

  /// Checks all keys, beginning with the one that refuted the last terms.
  private struct Finder<Term> {
    let fitsTerm: (Term) -> (Int) -> Bool
    let count: Int
    var hint = 0

    mutating func fits(_ term: Term) -> Bool {
      let fitsKey = fitsTerm(term)
      for offset in 0..<count {
        let index = (hint + offset) % count
        guard fitsKey(index) else {
          hint = index
          return false
        }
      }
      return true
    }
  }
}

extension LimitStrength {
  /// The sensitivity of a policy's check without a contradiction; nil without requests that it counts.
  ///
  /// - Parameter mostRequests: the maximum of requests that are replayed; the run's policies share the available time.
  init?(_ judged: JudgedPolicy, mostRequests: Int = ReplayedKeys.mostRequests) {
    let keys = ReplayedKeys(judged, mostRequests: mostRequests)
    guard !keys.keys.isEmpty else { return nil }
    let fit = LimitFit(judged, keys: keys)
    self.init(
      mutants: LimitExposure(judged, keys: keys).mutants(),
      allowances: keys.isCut ? judged.quotas() ?? fit.allowances() : fit.allowances(), windows: fit.windows(),
      alsoFits: fit.algorithms(), keys: keys.keys.count, keysOf: keys.count)
  }
}

/// Checks one trace against one policy's terms, algorithm by algorithm.
package enum LimitCheck {
  /// The outcome of a check.
  package enum Outcome: Sendable {
    /// Nothing contradicts it.
    case consistent
    case overAdmission(OverAdmission)
    /// Rejections that the policy cannot explain; empty when only all together prove it.
    case overThrottling([Int])
    case contradictory(Contradiction)

    /// True if nothing contradicts the terms.
    package var isConsistent: Bool { if case .consistent = self { true } else { false } }
  }

  /// The rule of a concrete algorithm; nil for `any`.
  package static func rule(for algorithm: LimitAlgorithm) -> (any LimitRule.Type)? {
    switch algorithm {
    case .fixed: FixedWindowRule.self
    case .fixedAligned: AlignedWindowRule.self
    case .slidingLog: SlidingLogRule.self
    case .slidingCounter: SlidingCounterRule.self
    case .tokenBucket: TokenBucketRule.self
    case .any: nil
    }
  }

  /// A violation is reported only if no decision times explain the trace.
  package static func outcome(of trace: LimitTrace, algorithm: LimitAlgorithm, terms: LimitTerms) -> Outcome {
    guard let rule = rule(for: algorithm) else { return outcomeForAny(of: trace, terms: terms) }
    if let excess = rule.overAdmits(trace, terms) { return .overAdmission(excess) }
    if !trace.sharesRefusals {
      var unexplained = FreshKeyRule.unexplainedRefusals(trace, terms, firstOnly: true)
      if unexplained.isEmpty { unexplained = rule.unexplainedRefusals(trace, terms, firstOnly: true) }
      if !unexplained.isEmpty { return .overThrottling(unexplained) }
    }
    if let contradiction = rule.contradicts(trace, terms) {
      return contradiction.refusalsAlone ? .overThrottling(contradiction.requests) : .contradictory(contradiction)
    }
    return .consistent
  }

  /// A violation only if none of the algorithms explains the trace.
  private static func outcomeForAny(of trace: LimitTrace, terms: LimitTerms) -> Outcome {
    var first: Outcome?
    var allAdmit = true
    var allThrottle = true
    // Cheapest first: a consistent one ends the search.
    for algorithm in [LimitAlgorithm.tokenBucket, .fixedAligned, .slidingLog, .fixed, .slidingCounter] {
      let outcome = outcome(of: trace, algorithm: algorithm, terms: terms)
      switch outcome {
      case .consistent: return .consistent
      case .overAdmission: allThrottle = false
      case .overThrottling: allAdmit = false
      case .contradictory: (allAdmit, allThrottle) = (false, false)
      }
      if first == nil || algorithm == .slidingLog { first = outcome }
    }
    if allAdmit || allThrottle { return first ?? .consistent }
    return .contradictory(Contradiction(refusalsAlone: false, requests: []))
  }
}
