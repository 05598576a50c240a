import MurphyJudge
import MurphyModel

/// Whether a limiter that admits too much has several counters with the declared quota, such as one for each process.
///
/// N counters of L admit exactly N · L requests before all of them are used up, whichever counter gets a request. So a
/// burst on fresh counters continues after the first rejections. If its end has only rejections, all counters are used
/// up: with one more counter, each request of the end would have met the used-up ones by chance. Two bursts must get the
/// same multiple of L.
package struct WorkerQuestion {
  private let declared: LimitPolicy
  /// Seconds after which every counter is empty again.
  private let pause: Double
  private let end: Double
  private let mostRequests: Int
  private var report: ProbeReport
  private var now: Double

  /// The largest number of counters that is tested.
  package static let most = 8
  /// The number of rejections at the end of a burst. With one of nine counters left, one in a thousand bursts ends so.
  private static let ending = 60
  /// The maximum part of a window that a burst may take.
  private static let longest = 1.0 / 3
  /// The maximum number of bursts until two agree.
  private static let attempts = 3

  /// Nil unless more was admitted than is declared, and a race is not the cause.
  ///
  /// - Parameter report: the report so far.
  package init?(_ prober: Prober, _ report: ProbeReport) {
    guard let declared = prober.options.declared, !prober.options.isQuick, prober.options.rivals.isEmpty,
      report.contradiction?.isExcess == true, report.raceExcess ?? 0 == 0,
      prober.largestBurst > declared.allowance
    else { return nil }
    self.declared = declared
    pause = 2.04 * max(declared.window.inSeconds, prober.posterior?.window.high ?? 0) + 0.05
    (end, mostRequests) = (prober.timeLimit, prober.options.maxRequests)
    self.report = report
    now = report.duration.inSeconds
  }

  /// The report with the result.
  package mutating func ask(
    of target: inout some ProbeTarget, progress: (ProbeProgress) -> Void = { _ in }
  ) async throws -> ProbeReport {
    var found: [Int: Int] = [:]
    var split = 0
    let count = (Self.most + 1) * declared.allowance + Self.ending + 20
    for _ in 0..<Self.attempts {
      guard now + pause <= end, report.requests + count <= mostRequests else { break }
      progress(
        ProbeProgress("testing for several counters", .closing, requests: report.requests, at: now, end: end))
      let observations = try await target.send(
        ProbeVolley(at: now + pause, spacing: 0.001, requests: ProbeRequest.burst(count), quiet: pause))
      report.requests += observations.count
      now = max(now, observations.map(\.settled).max() ?? now)
      report.duration = .saturating(seconds: now)
      // Without a rejection there may be no limit at all.
      if observations.allSatisfy({ $0.decision == .admitted }) { return report }
      guard let burst = counters(observations) else { continue }
      found[burst.counters, default: 0] += 1
      split += burst.split
      guard found[burst.counters] == 2 else { continue }
      if burst.counters > 1 { name(burst.counters, split: split) }
      return report
    }
    report.say(.unfinished(.counters, .windowEnded))
    return report
  }

  private mutating func name(_ counters: Int, split: Int) {
    report.say(.counters(counters, allowance: declared.allowance, split: split))
    guard report.outcome == .unlimited else { return }
    // The first bursts were too small for so many counters.
    report.outcome = .unfinished
    report.retract { if case .unlimited = $0 { true } else { false } }
    report.retract { if case .declared = $0 { true } else { false } }
    report.say(.declared(policy: declared.text, .contradicted(.overAdmission(firstBurst: nil))))
  }

  /// The number of counters that a burst used up, or 0 if it got no multiple of the quota. Nil if they were not used up,
  /// or a window may have ended.
  private func counters(_ observations: [ProbeObservation]) -> (counters: Int, split: Int)? {
    let ordered = observations.sorted { $0.sent < $1.sent }
    guard ordered.allSatisfy({ $0.decision != .unknown }), let first = ordered.first?.sent,
      let last = ordered.map(\.settled).max(), last - first < Self.longest * declared.window.inSeconds,
      let lastAdmitted = ordered.lastIndex(where: { $0.decision == .admitted }),
      ordered.count - 1 - lastAdmitted >= Self.ending
    else { return nil }
    let admitted = ordered.count { $0.decision == .admitted }
    let counters = admitted / declared.allowance
    // Buckets and sliding counters free quota during the burst.
    let freesQuota = ![.fixed, .fixedAligned, .slidingLog].contains(declared.algorithm)
    let part = (ordered[lastAdmitted].settled - first) / declared.window.inSeconds
    let returned = freesQuota ? Int(saturating: (Double(admitted) * part).rounded(.up)) : 0
    let isMultiple =
      counters > 0 && counters <= Self.most && returned < declared.allowance
      && admitted - counters * declared.allowance <= returned
    guard isMultiple else { return (0, 0) }
    // One counter admits nothing after a rejection, until quota is free again.
    let refusal = ordered.filter { $0.decision == .refused }.map(\.settled).min() ?? .infinity
    return (counters, freesQuota ? 0 : ordered.count { $0.decision == .admitted && $0.sent > refusal })
  }
}

extension ProbeFact {
  /// True if more was admitted than is declared, or everything.
  fileprivate var isExcess: Bool {
    switch self {
    case .declared(_, .contradicted(.overAdmission)), .declared(_, .contradicted(.unlimited)): true
    default: false
    }
  }
}
