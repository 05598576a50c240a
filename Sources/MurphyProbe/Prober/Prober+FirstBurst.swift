import MurphyJudge
import MurphyModel

/// The number of requests that are admitted at once, and the meaning of a burst without a rejection.
extension Prober {
  /// The number of bursts without a rejection after which a declaration is refuted.
  private static let mostBursts = 4
  /// Without a declared window: the duration of sequential requests, in seconds.
  private static let longestTrain = 10.0

  /// The maximum response time of a black box's first burst for determining the allowance, in seconds. A slower limiter
  /// frees a part of the quota meanwhile.
  static let slowBurst = 1.0
  /// The maximum relative difference of two queue intervals that count as equal.
  private static let sameInterval = 0.25

  mutating func learnFirstBurst(_ known: [ProbeObservation], _ admitted: Int) {
    let shaping = ShapingFit(known)
    let isShaping = shaping.flatMap { fit in
      earlierShaping.map { (fit.interval.value - $0.value).magnitude <= Self.sameInterval * fit.interval.value }
    }
    let isSlow = options.declared == nil && known.contains { $0.ride > Self.slowBurst }
    if isShaping != true, shaping != nil || isSlow, bursts + 1 < Self.mostBursts, beginsAnew(known) {
      earlierShaping = shaping?.interval
      admittedBefore = 0
      return
    }
    if isShaping != true, continues(known, admitted) { return }
    let admitted = admitted + admittedBefore
    // A second burst may find a window that the first one filled.
    firstBurst = max(admitted, largestBurst)
    firstBurstRide = known.map(\.ride).max() ?? 0
    firstBurstEnd = now
    keysEnd = now
    bursts += 1
    candidates.insert(admitted)
    lastRefusalSent = known.map(\.sent).max() ?? 0
    if let shaping, let earlierShaping, isShaping == true {
      var interval = shaping.interval
      interval.low = min(interval.low, earlierShaping.low)
      interval.high = max(interval.high, earlierShaping.high)
      report.rate = ProbeReport.Estimate(1 / interval.value, within: (1 / interval.high, 1 / interval.low))
      report.allowance = ProbeReport.Estimate(low: Double(admitted), value: Double(admitted), high: Double(admitted))
      report.outcome = .shaping
      compareWithDeclared()
      if options.declared != nil { report.say(.unfinished(.experiment, .queue)) }
      _ = stop(.shaping, .shaping(interval: interval, admitted: admitted, sent: known.count))
    } else if known.isEmpty {
      concludeUnlimited()
    } else if admitted == known.count + admittedBefore {
      stage = .alone(left: (options.declared?.allowance ?? 20) + 5, refused: 0)
    } else {
      beginKeys()
    }
  }

  /// Without a declaration, a larger burst follows one without a rejection: many requests at once can break a server.
  ///
  /// - Returns: true if a larger burst follows.
  private mutating func continues(_ known: [ProbeObservation], _ admitted: Int) -> Bool {
    guard options.declared == nil, !known.isEmpty, admitted == known.count, burstSize < Self.longestBurst,
      requests < options.maxRequests, known.allSatisfy({ $0.status < 400 })
    else { return false }
    (burstSize, exhaustPause) = (min(4 * burstSize, Self.longestBurst), 0.001)
    admittedBefore += admitted
    return true
  }

  /// True if the first response is a rejection.
  var refusesNew: Bool { decided.filter(\.isCertain).min { $0.settled < $1.settled }?.admitted == false }

  /// Sends another burst after a pause of at least the same length, because the previous burst did not determine the
  /// allowance. An effect in only one burst may be caused by a server without enough CPU time.
  ///
  /// - Returns: true if there is time for it.
  private mutating func beginsAnew(_ known: [ProbeObservation]) -> Bool {
    // A server that begins slowly needs longer than a small burst takes.
    let pause = max(Self.slowBurst, now - (known.map(\.sent).min() ?? now)) * Double(1 << bursts)
    guard requests + known.count < options.maxRequests, now + 2 * pause < timeLimit else { return false }
    exhaustPause = pause
    bursts += 1
    stage = .exhaust
    return true
  }

  /// A limiter that counts too late rejects no request of a burst: sequential requests detect it.
  mutating func nextAlone(_ left: Int) -> ProbeVolley? {
    let longest = options.declared?.window.inSeconds ?? Self.longestTrain
    guard left > 0, requests < options.maxRequests, now < min(firstBurstEnd + longest, timeLimit) else {
      return nil
    }
    return volley(at: now + 0.001, requests: [.base], refusals: nil)
  }

  mutating func learnAlone(_ observation: ProbeObservation?, left: Int, refused: Int) {
    let refused = refused + (observation?.decision == .refused ? 1 : 0)
    guard let observation, refused >= 2 else {
      stage = .alone(left: left - 1, refused: refused)
      return
    }
    (firstBurstEnd, keysEnd, lastRefusalSent) = (now, now, observation.sent)
    beginKeys()
  }

  private mutating func beginKeys() {
    space = newSpace(known: known, release: now)
    stage = .keys(KeyQuestions(options))
  }

  /// No request was rejected. This contradicts a declaration only if it cannot have admitted all requests.
  mutating func concludeUnlimited() {
    // A single rejection shows neither a known limit nor the absence of one.
    let hasRejected = decided.contains { !$0.admitted }
    let isRefuted =
      !hasRejected && options.declared.map { contradiction(of: $0) != nil } ?? decided.contains(where: \.isCertain)
    // Without a success or a rejection, the same requests again would show nothing.
    if !isRefuted, !decided.isEmpty, bursts < Self.mostBursts, requests < options.maxRequests, now < timeLimit {
      stage = .exhaust
      return
    }
    if !hasRejected { report.sayFirst(.unlimited(requests: requests, seconds: now)) }
    report.outcome = isRefuted ? .unlimited : .unfinished
    if let declared = options.declared, isRefuted {
      report.agreesWithDeclared = false
      report.say(.declared(policy: declared.text, .contradicted(.unlimited)))
    }
    if !isRefuted { report.say(.uncertain(hasRejected ? .fewRejections : .noRejection)) }
    if hasRejected { compareWithDeclared() }
    finish()
  }
}

/// Detects responses to a burst at a constant interval: a leaky bucket that queues (nginx `limit_req` without
/// `nodelay`) instead of rejecting.
struct ShapingFit {
  /// The interval between two responses, in seconds: those for which responses were delayed by no more than is seen.
  let interval: ProbeReport.Estimate

  /// Nil unless the responses fit well on a line that is steep compared with the sends.
  init?(_ observations: [ProbeObservation]) {
    let admitted = observations.filter { $0.decision == .admitted }.sorted { $0.settled < $1.settled }
    guard admitted.count >= 5 else { return nil }
    let n = Double(admitted.count)
    let delays = admitted.map { $0.settled - $0.sent }
    let moments = admitted.map(\.settled)
    let middle = (n - 1) / 2
    let mean = moments.reduce(0, +) / n
    var crossed = 0.0
    var spread = 0.0
    var total = 0.0
    for (index, moment) in moments.enumerated() {
      crossed += (Double(index) - middle) * (moment - mean)
      spread += (Double(index) - middle) * (Double(index) - middle)
      total += (moment - mean) * (moment - mean)
    }
    let slope = crossed / spread
    let sentSlope = ((admitted.map(\.sent).max() ?? 0) - (admitted.map(\.sent).min() ?? 0)) / max(n - 1, 1)
    let residual = max(0, total - slope * crossed) / max(n - 2, 1)
    let error = (residual / spread).squareRoot()
    let early = delays.prefix(max(1, delays.count / 5)).min() ?? 0
    let late = delays[delays.count - 1]
    // A queue immediately rejects requests that do not fit. If rejections take as long, the server itself is slow.
    let refused = observations.filter { $0.decision == .refused }.map { $0.settled - $0.sent }.sorted()
    if !refused.isEmpty, refused[refused.count / 2] > late / 3 { return nil }
    // A queue causes no wait at its beginning, but a slow server does.
    if early > slope / 2 { return nil }
    // Late sends do not show the cause of the wait.
    if admitted.contains(where: { $0.lateness > slope }) { return nil }
    // A queue has a constant interval; a server without enough CPU time does not.
    let gaps = zip(moments, moments.dropFirst()).map { ($1 - $0 - slope).magnitude }.sorted()
    if gaps[gaps.count / 2] > slope / 3 { return nil }
    guard slope > 2 * sentSlope + 5 * error, crossed * crossed > 0.95 * spread * total, late > 5 * early, late > 0.05
    else { return nil }
    let apart = moments.enumerated().map { $1 - Double($0) * slope }
    let delay = (apart.max() ?? 0) - (apart.min() ?? 0)
    // Delays up to this one change the slope of n points by at most 1.5 · delay / n, and the line hides up to half.
    let range = (low: max(slope - 3 * delay / n, slope / 2), high: slope + 3 * delay / n)
    interval = ProbeReport.Estimate(slope, within: range)
  }
}
