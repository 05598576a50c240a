import MurphyJudge
import MurphyModel

/// Who counts as whom: the first thing asked, and what every later sentence builds on.
///
/// A dimension of the key is asked on a used-up allowance, with four varied and four base requests mixed: varied ones
/// that pass while base ones do not have a counter of their own. If base ones pass as well, the window ended
/// meanwhile, or the machine was late, and the question is asked again. The order is that of Thue and Morse, and the
/// reverse the second time: what a limiter gives back at any steady pace falls to both alike.
struct KeyQuestions: Sendable {
  private enum Step: Sendable {
    case exhaust(for: Int)
    case compare(Int)
    case done
  }

  /// What one dimension's varied requests came to; of use once it is known whose they are.
  private struct Answer: Sendable {
    var dimension: ProbeDimension
    var separates: Bool?
    var reason: ProbeFact.Reason?
    var varied: [ProbeEvidence.Decided] = []
    /// Varied requests of the volley that answered it.
    var trials: Int
  }

  private static let attempts = 6
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
  /// The first answer to a key without a history was a refusal: another client's first ones may be refused, too, and
  /// say nothing of the key.
  private var refusesNew = false
  private var asked = ProbeVolley(at: 0, spacing: 0, requests: [])
  private var answers: [Answer] = []
  private var varied: [ProbeEvidence.Decided] = []
  private var trials = 0

  /// Begins on an allowance that was just used up.
  init(_ options: ProbeOptions) {
    self.options = options
    step = options.dimensions.isEmpty ? .done : .compare(0)
  }

  var text: String {
    switch step {
    case .exhaust(let index), .compare(let index):
      "asking whether \(options.dimensions[index].rawValue) is part of the key"
    case .done: "done"
    }
  }

  mutating func next(_ prober: Prober) -> ProbeVolley? {
    refusesNew = options.startsQuiet && prober.refusesNew
    switch step {
    case .done: return nil
    case .exhaust:
      // Tokens return while the burst lasts: it ends by its refusals, not by its length.
      asked = ProbeVolley(
        at: prober.now + 0.001, spacing: options.spacing,
        requests: ProbeRequest.burst(4 * prober.firstBurst + 50),
        stopsAfterRefusals: Prober.exhaustingRefusals)
    case .compare(let index):
      fresh += 1
      let variant = ProbeVariant(dimension: options.dimensions[index], number: fresh)
      asked = ProbeVolley(
        at: prober.now + 0.001, spacing: options.spacing,
        requests: Self.orders[isConfirming ? 1 : 0].map { $0 ? ProbeRequest(variant: variant) : .base })
    }
    return asked
  }

  /// - Returns: what came of the base client's requests.
  mutating func receive(_ observations: [ProbeObservation]) -> [ProbeObservation] {
    let base = observations.filter { asked.requests[$0.index].variant == nil }
    if observations.contains(where: \.isLate) { wasLate = true }
    switch step {
    case .done: break
    case .exhaust(let index): step = .compare(index)
    case .compare(let index):
      let others = observations.filter { asked.requests[$0.index].variant != nil }
      varied += others.filter { $0.decision != .unknown }.map(ProbeEvidence.Decided.init)
      trials = others.count { $0.decision != .unknown }
      let passed = others.count { $0.decision == .admitted }
      let basePassed = base.count { $0.decision == .admitted }
      if others.count(where: { $0.decision == .unknown }) >= 3 {
        answer(nil, index, .notServed)
      } else if basePassed <= 1, passed >= 3 {
        // What a sliding window gives back at that moment can look the same: once more, after using it up again.
        if isConfirming { settle(true, index) } else { (isConfirming, step) = (true, .exhaust(for: index)) }
      } else if basePassed <= 1, passed <= 1, others.count >= 3, base.count >= 3 {
        refusesNew ? answer(nil, index, .newRefused) : settle(false, index)
      } else {
        attemptsUsed += 1
        isConfirming = false
        if attemptsUsed < Self.attempts {
          step = .exhaust(for: index)
        } else {
          answer(nil, index, wasLate ? .late : .windowEnded)
        }
      }
    }
    return base
  }

  /// Leaves open what was not answered yet.
  mutating func giveUp() {
    while true {
      switch step {
      case .done: return
      case .exhaust(let index), .compare(let index): answer(nil, index, .budget)
      }
    }
  }

  /// Leaves the dimension open where another declared limit rejects as was seen, and the declared one does not.
  private mutating func settle(_ separates: Bool, _ index: Int) {
    let dimension = options.dimensions[index]
    func promises(_ policy: LimitPolicy) -> Bool {
      dimension.isPromised(by: policy.key, headers: options.deviceHeaders) ?? false
    }
    let isOthers =
      options.declared.map(promises) != separates && options.rivals.contains { promises($0) == separates }
    isOthers ? answer(nil, index, .otherLimit) : answer(separates, index)
  }

  private mutating func answer(_ separates: Bool?, _ index: Int, _ reason: ProbeFact.Reason? = nil) {
    answers.append(
      Answer(
        dimension: options.dimensions[index], separates: separates, reason: reason, varied: varied,
        trials: trials))
    varied = []
    attemptsUsed = 0
    isConfirming = false
    wasLate = false
    guard index + 1 < options.dimensions.count else {
      step = .done
      return
    }
    // The base key is still used up: no need to exhaust it again unless the answer was lost.
    step = separates == nil ? .exhaust(for: index + 1) : .compare(index + 1)
  }

  /// Varied requests that may have taken from the base client's quota.
  var counted: [ProbeEvidence.Decided] {
    answers.flatMap { answer -> [ProbeEvidence.Decided] in
      // Another limit may reject what does not help: nothing is certain of the base client's.
      answer.separates == true
        ? []
        : answer.varied.filter(\.admitted).map { request in
          var request = request
          request.isCertain = false
          return request
        }
    }
  }

  func write(into report: inout ProbeReport) {
    for answer in answers {
      let bypasses = answer.dimension.isSpoof && answer.separates == true
      let found: ProbeFact.Key.Answer =
        switch answer.separates {
        case nil: .open(answer.reason ?? .windowEnded)
        case true?: bypasses ? .bypass : .separate
        case false?: .same
        }
      report.keys.append(
        ProbeReport.KeyFinding(
          dimension: answer.dimension, separates: answer.separates, bypasses: bypasses))
      report.say(
        .key(
          ProbeFact.Key(
            dimension: answer.dimension.rawValue, headers: answer.dimension == .device ? options.deviceHeaders : [],
            answer: found, trials: answer.trials)))
    }
  }
}
