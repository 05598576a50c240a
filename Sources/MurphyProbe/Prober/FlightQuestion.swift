import MurphyJudge
import MurphyModel

/// Whether a limiter counts requests in flight: it admits N at the same time, and rejects none that is alone.
///
/// After a burst with rejections, one request is sent alone. A limiter with a window rejects it. Then three rounds follow:
/// a volley of more than N requests at once, and batches of N that each wait for the batch before. Last, a stream sends a
/// request after each small part of the time that a request takes. A limit on requests in flight is found if
///
/// - at each rejection at least N requests may have been in flight, and in most volleys N certainly were
/// - no request of a batch was rejected
/// - no limiter with a window explains all that, except one whose window is as long as a request takes: nothing
///   distinguishes those two.
struct FlightQuestion: Sendable {
  private enum Step: Sendable { case single, volley, batch(left: Int), stream, done }

  /// The number of volleys.
  private static let rounds = 3
  /// The number of batches after each volley.
  private static let batches = 3
  /// A server may count a request until some time after its response, in seconds.
  private static let linger = 0.005
  /// The shortest time for the way of a request or a response, in seconds.
  private static let way = 0.005
  /// The requests of the first volley, if the limit is not known from a burst.
  static let widest = 50

  /// True if a request of the first burst was rejected.
  let isAfterRejection: Bool
  private var step: Step
  /// The largest possible N so far.
  private var width: Int
  private var volleys: [[ProbeEvidence.Decided]] = []
  private var requests: [ProbeEvidence.Decided]
  /// True if a request was rejected that a limit on requests in flight admits.
  private var isExcluded = false

  /// - Parameters:
  ///   - burst: the requests of the first burst; with a rejection if `width` is known from it.
  ///   - width: the admissions of the burst; nil if no request was rejected.
  init(after burst: [ProbeEvidence.Decided], width: Int?) {
    requests = burst
    isAfterRejection = width != nil
    self.width = max(1, width ?? Self.widest)
    step = width == nil ? .volley : .single
  }

  mutating func next(_ prober: Prober) -> ProbeVolley? {
    func volley(_ count: Int, spacing: Double = 0) -> ProbeVolley {
      ProbeVolley(at: prober.now + 0.001, spacing: spacing, requests: ProbeRequest.burst(count))
    }
    guard !isExcluded else { return nil }
    switch step {
    case .single: return volley(1)
    case .volley: return volley(2 * width + 2)
    case .batch: return volley(width)
    case .stream:
      let rides = volleys.flatMap(\.self).filter { $0.admitted && $0.isCertain }.map { $0.settled - $0.sent }
      let count = 2 * width + 2
      return volley(count, spacing: (rides.min() ?? 0) / Double(count))
    case .done: return nil
    }
  }

  mutating func receive(_ observations: [ProbeObservation]) {
    let known = observations.map(ProbeEvidence.Decided.init)
    requests += known
    let isRejected = known.contains { $0.isCertain && !$0.admitted }
    switch step {
    case .single:
      isExcluded = isRejected
      step = .volley
    case .volley:
      volleys.append(known)
      width = most ?? width
      isExcluded = !isRejected || width == 0
      step = .batch(left: Self.batches)
    case .batch(let left):
      isExcluded = isRejected
      step = left > 1 ? .batch(left: left - 1) : volleys.count < Self.rounds ? .volley : .stream
    case .stream: step = .done
    case .done: break
    }
  }

  /// The fewest requests that may have been in flight at a rejection: no larger limit is possible. Nil without one.
  private var most: Int? {
    requests.filter { $0.isCertain && !$0.admitted }.map { refusal in
      requests.count {
        ($0.admitted || !$0.isCertain) && $0.sent <= refusal.settled && $0.settled + Self.linger >= refusal.sent
      }
    }.min()
  }

  /// The largest number of admitted requests of a volley that were certainly in flight together.
  private func together(_ volley: [ProbeEvidence.Decided], way: Double) -> Int {
    let inner = volley.filter { $0.admitted && $0.isCertain && $0.settled - $0.sent > 2 * way }
    return inner.map { one in inner.count { $0.sent <= one.sent && $0.settled - way > one.sent + way } }.max() ?? 0
  }

  /// The limit and the number of requests that could have contradicted it; nil if it is no such limit, or unknown.
  func found(startsQuiet: Bool) -> (limit: Int, trials: Int)? {
    guard case .done = step, !isExcluded, let limit = most, limit > 0 else { return nil }
    let refusals = requests.filter { $0.isCertain && !$0.admitted }
    let rides = refusals.map { $0.settled - $0.sent }.sorted()
    let way = max(Self.way, rides[rides.count / 2])
    guard 2 * volleys.count(where: { together($0, way: way) == limit }) > volleys.count,
      !isExplainedByWindow(limit, startsQuiet: startsQuiet)
    else { return nil }
    return (limit, refusals.count + Self.rounds * Self.batches * limit)
  }

  /// True if a limiter with a window, or a bucket, explains all requests.
  private func isExplainedByWindow(_ limit: Int, startsQuiet: Bool) -> Bool {
    let rides = volleys.flatMap(\.self).filter { $0.admitted && $0.isCertain }.map { $0.settled - $0.sent }
    let (shortest, longest) = (0.8 * (rides.min() ?? 0), 1.25 * (rides.max() ?? 0))
    // Such a limiter decides when a request arrives, and so as early as it decides rejected requests.
    let refusals = requests.filter { $0.isCertain && !$0.admitted }.map { $0.settled - $0.sent }.sorted()
    let arrival = refusals[refusals.count * 9 / 10] + Self.way
    let decisions = requests.map { request in
      var traced = request.traced
      if request.isCertain { traced.settled = min(traced.settled, traced.sent + arrival) }
      return traced
    }
    let trace = LimitTrace(decisions, startsQuiet: startsQuiet)
    for step in 0..<100 {
      let window = VersionSpace.grid((0.01, VersionSpace.usualLongest), step, of: 100)
      if shortest < window, window < longest { continue }
      for allowance in limit...(limit + 1) {
        let terms = LimitTerms(allowance: allowance, window: window, tick: 0.001)
        for algorithm in LimitAlgorithm.concrete
        where LimitCheck.outcome(of: trace, algorithm: algorithm, terms: terms).isConsistent { return true }
      }
    }
    return false
  }
}

extension Prober {
  /// Asks whether the limiter counts requests in flight, once. Another declared limit may be the cause of rejections.
  ///
  /// - Parameter width: the admissions of a burst with rejections; nil if none was rejected. Only a black box then asks.
  mutating func askFlights(width: Int?) -> Bool {
    guard !hasAskedFlights, options.rivals.isEmpty, !options.isQuick, width != nil || options.declared == nil else {
      return false
    }
    hasAskedFlights = true
    stage = .flights(FlightQuestion(after: decided, width: width))
    return true
  }

  /// Concludes if the limiter counts requests in flight, and continues with the other questions if not.
  mutating func finishFlights(_ question: FlightQuestion) {
    guard let found = question.found(startsQuiet: startsQuiet) else {
      return question.isAfterRejection ? beginKeys() : concludeUnlimited()
    }
    let limit = Double(found.limit)
    report.outcome = .identified
    report.isVerified = true
    report.allowance = ProbeReport.Estimate(low: limit, value: limit, high: limit)
    report.candidates = [
      ProbeReport.Candidate(algorithm: ProbeReport.concurrencyName, probability: options.confidence)
    ]
    report.sayFirst(.concurrent(limit: found.limit, trials: found.trials))
    compareWithDeclared()
    finish()
  }
}
