import MurphyJudge
import MurphyModel

/// The first questions: which requests share a counter. Every later result depends on them.
///
/// A dimension of the key is tested on an exhausted quota, with four varied and four base requests mixed. Varied ones
/// that pass while base ones do not have a counter of their own. If base ones pass as well, the window ended meanwhile,
/// or the machine was late, and the question is repeated. The order is a Thue–Morse sequence, and the reverse the
/// second time. Quota that a limiter frees at any constant rate benefits both equally.
struct KeyQuestions: Sendable {
  private enum Step: Sendable {
    case exhaust(for: Int)
    case compare(Int)
    /// Requests with one other value of a dimension that makes a difference: they may be counted separately, or not.
    case count(Int)
    case done
  }

  /// The outcome of one dimension's varied requests; it is used once it is known whose counter they used.
  private struct KeyResult: Sendable {
    var dimension: ProbeDimension
    var separates: Bool?
    var reason: ProbeFact.Reason?
    var varied: [ProbeEvidence.Decided] = []
    /// Varied requests of the volley that decided it.
    var trials: Int
    var hasOwnCounter: Bool?
  }

  private static let attempts = 6
  /// The number of attempts if most responses are late, and the number of dimensions that may end so.
  private static let slowAttempts = 2
  private static let orders: [[Bool]] = [
    [true, false, false, true, false, true, true, false], [false, true, true, false, true, false, false, true],
  ]

  private let options: ProbeOptions
  private var step: Step
  private var fresh = 0
  private var attemptsUsed = 0
  /// The dimension made a difference once; it must do so twice.
  private var isConfirming = false
  private var wasLate = false
  /// The first response to a key without a history was a rejection. Another client's first ones may be rejected, too,
  /// and are not evidence on the key.
  private var refusesNew = false
  private var current = ProbeVolley(at: 0, spacing: 0, requests: [])
  private var results: [KeyResult] = []
  private var varied: [ProbeEvidence.Decided] = []
  private var trials = 0

  /// Begins with a quota that was just used up.
  init(_ options: ProbeOptions) {
    self.options = options
    step = options.dimensions.isEmpty ? .done : .compare(0)
  }

  var text: String {
    switch step {
    case .exhaust(let index), .compare(let index), .count(let index):
      "testing whether \(options.dimensions[index].rawValue) is part of the key"
    case .done: "done"
    }
  }

  mutating func next(_ prober: Prober) -> ProbeVolley? {
    refusesNew = options.startsQuiet && prober.refusesNew
    switch step {
    case .done: return nil
    case .exhaust:
      // Tokens return during the burst: it ends by its rejections, not by its length.
      current = ProbeVolley(
        at: prober.now + 0.001, spacing: options.spacing,
        requests: ProbeRequest.burst(4 * prober.firstBurst + 50),
        stopsAfterRefusals: Prober.exhaustingRefusals)
    case .compare(let index):
      fresh += 1
      let variant = ProbeVariant(dimension: options.dimensions[index], number: fresh)
      current = ProbeVolley(
        at: prober.now + 0.001, spacing: options.spacing,
        requests: Self.orders[isConfirming ? 1 : 0].map { $0 ? ProbeRequest(variant: variant) : .base })
    case .count(let index):
      fresh += 1
      let other = ProbeVariant(dimension: options.dimensions[index], number: fresh)
      current = ProbeVolley(
        at: prober.now + 0.001, spacing: options.spacing,
        requests: ProbeRequest.burst(2 * prober.firstBurst + 20, from: other), stopsAfterRefusals: 2)
    }
    return current
  }

  /// - Returns: the outcome of the base client's requests.
  mutating func receive(_ observations: [ProbeObservation]) -> [ProbeObservation] {
    let base = observations.filter { current.requests[$0.index].dimension == nil }
    if observations.contains(where: \.isLate) { wasLate = true }
    let isSlow = observations.count(where: \.isLate) * 2 > observations.count
    switch step {
    case .done: break
    case .exhaust(let index): step = .compare(index)
    case .count(let index):
      let known = observations.filter { $0.decision != .unknown }
      trials = known.count
      conclude(true, index, hasOwnCounter: known.isEmpty ? nil : known.contains { $0.decision == .refused })
    case .compare(let index):
      let others = observations.filter { current.requests[$0.index].variant != nil }
      varied += others.filter { $0.decision != .unknown }.map(ProbeEvidence.Decided.init)
      trials = others.count { $0.decision != .unknown }
      let passed = others.count { $0.decision == .admitted }
      let basePassed = base.count { $0.decision == .admitted }
      if others.count(where: { $0.decision == .unknown }) >= 3 {
        conclude(nil, index, .notServed)
      } else if basePassed <= 1, passed >= 3 {
        // Quota that a sliding window frees at that time can look the same. So the test is repeated after exhausting it
        // again.
        if isConfirming { settle(true, index) } else { (isConfirming, step) = (true, .exhaust(for: index)) }
      } else if basePassed <= 1, passed <= 1, others.count >= 3, base.count >= 3 {
        refusesNew ? conclude(nil, index, .newRefused) : settle(false, index)
      } else {
        attemptsUsed += 1
        isConfirming = false
        if attemptsUsed < (isSlow ? Self.slowAttempts : Self.attempts) {
          step = .exhaust(for: index)
        } else {
          conclude(nil, index, wasLate ? .late : .windowEnded)
          if isSlow, results.count(where: { $0.reason == .late }) >= Self.slowAttempts { giveUp(.late) }
        }
      }
    }
    return base
  }

  /// Leaves undecided dimensions open.
  mutating func giveUp(_ reason: ProbeFact.Reason = .budget) {
    while true {
      switch step {
      case .done: return
      case .exhaust(let index), .compare(let index): conclude(nil, index, reason)
      case .count(let index): conclude(true, index)
      }
    }
  }

  /// Leaves the dimension open if another declared limit explains the rejections, and the declared one does not.
  private mutating func settle(_ separates: Bool, _ index: Int) {
    let dimension = options.dimensions[index]
    func promises(_ policy: LimitPolicy) -> Bool {
      dimension.isPromised(by: policy.key, headers: options.deviceHeaders) ?? false
    }
    let isOthers =
      options.declared.map(promises) != separates && options.rivals.contains { promises($0) == separates }
    if isOthers {
      conclude(nil, index, .otherLimit)
    } else if separates, dimension.isPlace {
      step = .count(index)
    } else {
      conclude(separates, index)
    }
  }

  private mutating func conclude(
    _ separates: Bool?, _ index: Int, _ reason: ProbeFact.Reason? = nil, hasOwnCounter: Bool? = nil
  ) {
    results.append(
      KeyResult(
        dimension: options.dimensions[index], separates: separates, reason: reason, varied: varied,
        trials: trials, hasOwnCounter: hasOwnCounter))
    varied = []
    attemptsUsed = 0
    isConfirming = false
    wasLate = false
    guard index + 1 < options.dimensions.count else {
      step = .done
      return
    }
    // The base key is still exhausted: this is repeated only if the result was lost.
    step = separates == nil ? .exhaust(for: index + 1) : .compare(index + 1)
  }

  /// Varied requests that may have used the base client's quota.
  var counted: [ProbeEvidence.Decided] {
    results.flatMap { result -> [ProbeEvidence.Decided] in
      // Another limit may reject a variation that does not help: then nothing is certain for the base client.
      result.separates == true
        ? []
        : result.varied.filter(\.admitted).map { request in
          var request = request
          request.isCertain = false
          return request
        }
    }
  }

  func write(into report: inout ProbeReport) {
    for result in results {
      let bypasses = result.dimension.isSpoof && result.separates == true
      let found: ProbeFact.Key.Outcome =
        switch result.separates {
        case nil: .open(result.reason ?? .windowEnded)
        case true?: bypasses ? .bypass : result.hasOwnCounter == false ? .uncounted : .separate
        case false?: .same
        }
      report.keys.append(
        ProbeReport.KeyFinding(
          dimension: result.dimension, separates: result.separates, bypasses: bypasses,
          hasOwnCounter: result.hasOwnCounter))
      report.say(
        .key(
          ProbeFact.Key(
            dimension: result.dimension.rawValue, headers: result.dimension == .device ? options.deviceHeaders : [],
            outcome: found, trials: result.trials)))
    }
  }
}
