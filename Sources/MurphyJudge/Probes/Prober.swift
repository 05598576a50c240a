import MurphyModel

/// Finds out what a limiter does by sending as little as possible: a state machine without a clock or a network.
///
/// A driver asks ``next()`` for a volley, sends it no earlier than it says, and hands what came of it to
/// ``receive(_:)``; when ``next()`` returns nil, ``report`` holds the answer. The stages are those of ALGORITHMS.md
/// A4.2: exhaust, poll for the first release, then experiments chosen by ``ProbeDesign`` until one hypothesis is left,
/// then the questions about keys, races and failed requests.
public struct Prober: Sendable {
  enum Stage {
    case exhaust
    case poll(pause: Double)
    case refill
    case experiment
    case keys(FollowUps)
    case finished
  }

  public let operation: String
  public let options: ProbeOptions
  var stage = Stage.exhaust
  var decided: [ProbeEvidence.Decided] = []
  /// The latest moment known, seconds.
  var now = 0.0
  var requests = 0
  var firstBurst = 0
  var firstBurstEnd = 0.0
  var lastRefusalSent = 0.0
  var bracket: (low: Double, high: Double)?
  var candidates: Set<Int> = []
  var space: VersionSpace?
  var rounds = 0
  var resets = 0
  var pending: [ProbeDesign.Step] = []
  var particles: [ProbeParticle] = []
  var posterior: ProbePosterior?
  var serverErrors = 0
  var retryAfter: Double?
  public internal(set) var report: ProbeReport

  /// Refusals answered before a burst stops.
  static let exhaustingRefusals = 5
  static let longestBurst = 1500
  static let mostRounds = 16

  public init(operation: String, options: ProbeOptions) {
    self.operation = operation
    self.options = options
    report = ProbeReport(operation: operation, outcome: .unfinished)
    report.declared = options.declared?.text
  }

  /// The declaration turned out to be impossible: the rest is a black box.
  var isRelaxed = false

  var known: (allowance: Int, window: Double)? {
    isRelaxed ? nil : options.declared.map { ($0.allowance, $0.window.inSeconds) }
  }

  /// The next volley to send, or nil when the probe is over.
  public mutating func next() -> ProbeVolley? {
    guard serverErrors < 3 else {
      return stop(.unfinished, "The server answered \(serverErrors) requests in a row with 5xx: the probe stopped.")
    }
    while true {
      switch stage {
      case .exhaust:
        let most = known.map { Int(Double($0.allowance) * 2.2) + 20 } ?? Self.longestBurst
        return burst(pause: 0, count: most, refusals: Self.exhaustingRefusals)
      case .poll(let pause):
        let at = max(now + 0.001, firstBurstEnd + pause)
        if at > options.maxSeconds { return stop(.unfinished, waitSentence(pause)) }
        return volley(at: at, requests: [.base], refusals: nil)
      case .refill:
        return burst(pause: 0.001, count: min(Self.longestBurst, firstBurst + 20), refusals: 4)
      case .experiment:
        if let step = pending.first {
          pending.removeFirst()
          if now + step.pause > options.maxSeconds {
            conclude()
            report.sentences.append("The next experiment takes \(text(step.pause)) and would exceed the time allowed.")
            continue
          }
          return step.count == 1
            ? volley(at: now + max(step.pause, 0.001), requests: [.base], refusals: nil)
            : burst(pause: max(step.pause, 0.001), count: step.count, refusals: step.refusals)
        }
        if !infer() { conclude() }
      case .keys(var followUps):
        if let volley = followUps.next(self) {
          stage = .keys(followUps)
          return limited(volley)
        }
        stage = .finished
        followUps.write(into: &report)
      case .finished:
        report.requests = requests
        report.seconds = now
        return nil
      }
    }
  }

  /// What came of the last volley, in any order; requests that were never sent are left out.
  public mutating func receive(_ observations: [ProbeObservation]) {
    requests += observations.count
    now = max(now, observations.map(\.settled).max() ?? now)
    for observation in observations {
      serverErrors = observation.status >= 500 && observation.decision != .refused ? serverErrors + 1 : 0
      if let wait = observation.retryAfter { retryAfter = wait }
    }
    if case .keys(var followUps) = stage {
      followUps.receive(observations)
      stage = .keys(followUps)
      return
    }
    let known = observations.filter { $0.decision != .unknown }
    decided += known.map {
      ProbeEvidence.Decided(sent: $0.sent, settled: $0.settled, admitted: $0.decision == .admitted)
    }
    let admitted = known.count { $0.decision == .admitted }
    switch stage {
    case .exhaust:
      firstBurst = admitted
      firstBurstEnd = now
      candidates.insert(admitted)
      lastRefusalSent = known.map(\.sent).max() ?? 0
      if let shaping = ShapingFit(known) {
        report.rate = 1 / shaping.interval
        report.allowance = ProbeReport.Estimate(
          low: Double(admitted), value: Double(admitted), high: Double(admitted))
        _ = stop(
          .shaping,
          "Requests are delayed and not refused: one every \(text(shaping.interval)), \(admitted == known.count ? "all" : "the first") \(admitted) of a burst of \(known.count)."
        )
      } else if admitted == known.count {
        _ = stop(.unlimited, "None of \(requests) requests within \(text(now)) was refused.")
      } else {
        space = VersionSpace(firstBurst: firstBurst, known: self.known)
        stage = self.known == nil ? .poll(pause: 0.004) : .experiment
      }
    case .poll(let pause):
      guard let observation = known.first else { return }
      if observation.decision == .admitted {
        bracket = (lastRefusalSent, now)
        stage = .refill
      } else {
        lastRefusalSent = observation.sent
        stage = .poll(pause: pause * 1.6)
      }
    case .refill:
      candidates.insert(admitted + 1)
      stage = .experiment
    case .experiment:
      if known.count > 1 { candidates.insert(admitted) }
    case .keys, .finished: break
    }
  }

  public var progress: ProbeProgress {
    let stage: String
    switch self.stage {
    case .exhaust: stage = "using up the allowance"
    case .poll: stage = "waiting for the first release"
    case .refill: stage = "measuring the release"
    case .experiment: stage = "telling algorithms apart"
    case .keys(let followUps): stage = followUps.text
    case .finished: stage = "done"
    }
    var remaining: Double?
    if let window = known?.window ?? posterior?.window.middle {
      // Declared policies take about one and a half windows, black boxes about five (ALGORITHMS.md A4.3).
      remaining = min(options.maxSeconds - now, max(0, window * (known == nil ? 5 : 1.5) - (now - firstBurstEnd)))
    }
    return ProbeProgress(stage: stage, requests: requests, elapsed: now, remaining: remaining)
  }
}
