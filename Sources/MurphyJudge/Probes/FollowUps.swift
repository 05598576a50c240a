import MurphyModel

/// The questions asked once a limiter's terms are known: what its key is, whether it can be raced, what counts.
///
/// A key's dimension is asked on a used-up allowance, with four varied and four base requests sent in turn: varied ones
/// that pass while base ones do not have a counter of their own. If base ones pass as well, the window ended meanwhile
/// and the question is asked again.
struct FollowUps: Sendable {
  private enum Step: Sendable {
    case exhaust(for: Int)
    case compare(Int)
    case race
    case invalid
    case invalidRest
    case done
  }

  private static let attempts = 4
  private static let pairs = 4

  private let dimensions: [ProbeVariant.Dimension]
  private let allowance: Int
  private let window: Double
  private let algorithm: LimitAlgorithm
  private let options: ProbeOptions
  private var step: Step
  private var fresh = 0
  private var attemptsUsed = 0
  /// The dimension made a difference once; it must do so twice.
  private var isConfirming = false
  private var separates: [Bool?] = []
  private var invalidSent = 0
  private var countsFailed: Bool?
  private var raceExcess: Int?
  private var skipped: [String] = []

  init(_ prober: Prober) {
    options = prober.options
    dimensions = prober.options.dimensions
    allowance = prober.posterior?.allowance.middle ?? 1
    window = prober.posterior?.window.middle ?? 1
    algorithm = prober.posterior?.best.algorithm ?? .fixed
    step = .exhaust(for: 0)
  }

  var text: String {
    switch step {
    case .exhaust(let index), .compare(let index):
      index < dimensions.count
        ? "asking whether \(dimensions[index].rawValue) is part of the key" : "asking what counts"
    case .race: "racing"
    case .invalid, .invalidRest: "asking whether failed requests count"
    case .done: "done"
    }
  }

  /// Idle for so long, and every counter is empty again.
  private var freshAfter: Double { window * (algorithm == .slidingCounter ? 2.04 : 1.02) + 0.05 }

  private var burst: [ProbeRequest] {
    // Tokens return while the burst lasts: it ends by its refusals, not by its length.
    [ProbeRequest](repeating: .base, count: min(Prober.longestBurst, 4 * allowance + 50))
  }

  mutating func next(_ prober: Prober) -> ProbeVolley? {
    while true {
      switch step {
      case .exhaust(let index):
        guard index < dimensions.count else {
          step = .race
          continue
        }
        return ProbeVolley(
          at: prober.now + 0.001, spacing: options.spacing, requests: burst,
          stopsAfterRefusals: Prober.exhaustingRefusals)
      case .compare(let index):
        fresh += 1
        let variant = ProbeVariant(dimension: dimensions[index], number: fresh)
        let requests = (0..<(2 * Self.pairs)).map { $0 % 2 == 0 ? ProbeRequest(variant: variant) : .base }
        return ProbeVolley(at: prober.now + 0.001, spacing: options.spacing, requests: requests)
      case .race:
        guard options.triesRace, raceExcess == nil else {
          step = .invalid
          continue
        }
        guard isAffordable(prober, 2 * allowance, "the race") else {
          step = .invalid
          continue
        }
        let requests = [ProbeRequest](repeating: .base, count: min(2 * allowance, Prober.longestBurst))
        return ProbeVolley(at: prober.now + freshAfter, spacing: 0, requests: requests)
      case .invalid:
        guard options.triesInvalid, countsFailed == nil, allowance >= 2,
          isAffordable(prober, allowance + 8, "whether failed requests count")
        else {
          step = .done
          continue
        }
        invalidSent = min(max(3, allowance / 5), allowance - 1)
        return ProbeVolley(
          at: prober.now + freshAfter, spacing: options.spacing,
          requests: [ProbeRequest](repeating: ProbeRequest(isInvalid: true), count: invalidSent))
      case .invalidRest:
        return ProbeVolley(
          at: prober.now + 0.001, spacing: options.spacing, requests: burst, stopsAfterRefusals: 4)
      case .done: return nil
      }
    }
  }

  private mutating func isAffordable(_ prober: Prober, _ requests: Int, _ question: String) -> Bool {
    if prober.now + freshAfter > options.maxSeconds || prober.requests + requests > options.maxRequests {
      skipped.append("Not asked for want of time or requests: \(question).")
      return false
    }
    return true
  }

  mutating func receive(_ observations: [ProbeObservation]) {
    let admitted = observations.count { $0.decision == .admitted }
    switch step {
    case .exhaust(let index): step = .compare(index)
    case .compare(let index):
      let varied = observations.count { $0.decision == .admitted && $0.index % 2 == 0 }
      let base = observations.count { $0.decision == .admitted && $0.index % 2 == 1 }
      let untold = observations.count { $0.decision == .unknown && $0.index % 2 == 0 }
      if untold >= 3 {
        // The API does not serve such requests: they say nothing of the limiter.
        answer(nil, index)
      } else if base >= 2 {
        // The window ended under the question.
        attemptsUsed += 1
        if attemptsUsed < Self.attempts {
          step = .exhaust(for: index)
          return
        }
        answer(nil, index)
      } else {
        if varied >= 3, !isConfirming {
          // What a sliding window gives back at that moment can look the same: once more, after using it up again.
          isConfirming = true
          step = .exhaust(for: index)
          return
        }
        answer(varied >= 3, index)
      }
    case .race:
      let trace = LimitTrace(
        observations.map {
          LimitTrace.Request(
            sent: $0.sent, settled: $0.settled,
            role: $0.decision == .admitted ? .certain : $0.decision == .refused ? .refused : .possible)
        })
      let terms = LimitTerms(allowance: allowance, window: window, tick: 0.001)
      let isExcess = LimitCheck.rule(for: algorithm)?.overAdmits(trace, terms) != nil
      raceExcess = isExcess ? max(1, admitted - allowance) : 0
      step = .invalid
    case .invalid: step = .invalidRest
    case .invalidRest:
      // Nearer to what is left, or to all?
      countsFailed = 2 * (allowance - admitted) > invalidSent
      step = .done
    case .done: break
    }
  }

  private mutating func answer(_ value: Bool?, _ index: Int) {
    separates.append(value)
    attemptsUsed = 0
    isConfirming = false
    // The base key is still used up: no need to exhaust it again unless the answer was lost.
    if index + 1 < dimensions.count {
      step = value == nil ? .exhaust(for: index + 1) : .compare(index + 1)
    } else {
      step = .race
    }
  }

  func write(into report: inout ProbeReport) {
    for (dimension, separate) in zip(dimensions, separates) {
      let bypasses = dimension.isSpoof && separate == true
      report.keys.append(
        ProbeReport.KeyFinding(dimension: dimension.rawValue, separates: separate, bypasses: bypasses))
      switch separate {
      case nil:
        report.sentences.append(
          "\(dimension.rawValue): not found out; such requests are not served, or the window ended each time.")
      case true? where bypasses:
        report.sentences.append(
          "A made-up \(dimension.rawValue) gets a fresh allowance: the limiter can be walked around by anybody.")
      case true?: report.sentences.append("Each \(dimension.rawValue) has its own allowance.")
      case false?: report.sentences.append("Another \(dimension.rawValue) does not help: it is not part of the key.")
      }
    }
    if let raceExcess {
      report.raceExcess = max(raceExcess, report.raceExcess ?? 0)
      report.sentences.append(
        raceExcess > 0
          ? "A parallel volley of \(2 * allowance) on a fresh window got \(raceExcess) more than the allowance: a race between check and update."
          : "A parallel volley of \(2 * allowance) on a fresh window got no more than the allowance.")
    }
    report.countsFailed = countsFailed
    if let countsFailed {
      report.sentences.append(
        countsFailed ? "Failed requests take from the allowance." : "Failed requests do not take from the allowance.")
    }
    report.sentences += skipped
  }
}
