import MurphyJudge
import MurphyModel

/// Tests if a limiter that admits too many in a burst admits the right number in sequence. Then the number is right,
/// and the limiter has a race between checking and counting.
///
/// A burst also gets too many if it takes longer than a window, or if a window ends during it. So two bursts must get
/// more than the declaration allows, each on a fresh window and within a sixth of it. They are about half a window
/// apart modulo the window. So no window that is aligned to a clock ends during both.
package struct RaceQuestion {
  private let allowance: Int
  /// The longest and the shortest of the declared and the likely windows, in seconds.
  private let window: (high: Double, low: Double)
  private let end: Double
  private var report: ProbeReport
  private var now: Double

  /// The number of rejections that end the sequence.
  private static let enough = 2
  /// The maximum part of a window that a burst may take.
  private static let longest = 1.0 / 6
  /// The maximum number of bursts until one is fast enough.
  private static let attempts = 3

  private struct Burst {
    var sent: Double
    var admitted: Int
    var isExcess: Bool
  }

  /// Nil unless a burst got more than is declared, and there are time and requests left.
  package init?(_ prober: Prober) {
    let report = prober.report
    guard prober.options.triesRace, let declared = prober.options.declared, report.agreesWithDeclared != true,
      ![.unlimited, .partial, .shaping].contains(report.outcome), prober.largestBurst > declared.allowance,
      report.requests + 8 * declared.allowance <= prober.options.maxRequests
    else { return nil }
    allowance = declared.allowance
    let seconds = declared.window.inSeconds
    let likely = prober.posterior?.window
    window = (max(seconds, likely?.high ?? 0), min(seconds, likely?.low ?? seconds))
    end = prober.end
    self.report = report
    now = report.duration.inSeconds
  }

  /// The report with the result.
  package mutating func ask(
    of target: inout some ProbeTarget, progress: (ProbeProgress) -> Void = { _ in }
  ) async throws -> ProbeReport {
    guard let alone = try await sequence(on: &target, progress), alone <= allowance,
      let first = try await burst(on: &target, after: nil, progress), first.isExcess,
      let second = try await burst(on: &target, after: first, progress), second.isExcess
    else { return finished }
    let least = min(first.admitted, second.admitted)
    report.raceExcess = max(report.raceExcess ?? 0, least - alone)
    report.retract { if case .race(0, _, _) = $0 { true } else { false } }
    report.say(.burstBeatsSequence(alone: alone, burst: least))
    return finished
  }

  private var finished: ProbeReport {
    var report = report
    report.duration = .saturating(seconds: now)
    return report
  }

  /// Sends sequential requests on a fresh window, each after the response to the previous one.
  ///
  /// - Returns: the number of admissions; nil without a rejection within the window.
  private mutating func sequence(
    on target: inout some ProbeTarget, _ progress: (ProbeProgress) -> Void
  ) async throws -> Int? {
    guard show("sending requests one after the other", windows: 3.1, progress) else { return nil }
    let begin = now + 2.04 * window.high + 0.05
    var at = begin
    var (admitted, refused, sent) = (0, 0, 0)
    while sent < 2 * allowance, refused < Self.enough {
      for observation in try await target.send(ProbeVolley(at: at, spacing: 0.001, requests: [.base])) {
        sent += 1
        at = max(at, observation.settled)
        if observation.decision == .admitted { admitted += 1 }
        if observation.decision == .refused { refused += 1 }
      }
    }
    report.requests += sent
    now = at
    // After the window's end the sequence is not evidence.
    return refused >= Self.enough && now - begin < window.low ? admitted : nil
  }

  /// Sends twice the allowance at once on a fresh window, and repeats it if that took too long.
  private mutating func burst(
    on target: inout some ProbeTarget, after earlier: Burst?, _ progress: (ProbeProgress) -> Void
  ) async throws -> Burst? {
    for _ in 0..<Self.attempts {
      guard show("testing for a race condition", windows: 3.6, progress) else { return nil }
      var at = now + 2.04 * window.high + 0.05
      if let earlier {
        let turns = (at - earlier.sent) / window.high
        at = earlier.sent + ((turns - 0.5).rounded(.up) + 0.5) * window.high
      }
      let volley = ProbeVolley(
        at: at, spacing: 0, requests: ProbeRequest.burst(2 * allowance), quiet: 2.04 * window.high)
      let observations = try await target.send(volley)
      report.requests += observations.count
      guard let sent = observations.map(\.sent).min(), let settled = observations.map(\.settled).max() else { continue }
      now = max(now, settled)
      let part = (settled - sent) / window.low
      let apart = earlier.map { ((sent - $0.sent) / window.high).truncatingRemainder(dividingBy: 1) } ?? 0.5
      guard part <= Self.longest, 1.0 / 3...2.0 / 3 ~= apart else { continue }
      let admitted = observations.count { $0.decision == .admitted }
      // A bucket frees quota during the burst.
      return Burst(sent: sent, admitted: admitted, isExcess: Double(admitted) > Double(allowance) * (1 + part))
    }
    return nil
  }

  /// False if too little time is left for this many windows.
  private func show(_ stage: String, windows: Double, _ progress: (ProbeProgress) -> Void) -> Bool {
    guard now + windows * window.high <= end else { return false }
    progress(ProbeProgress(stage, .closing, requests: report.requests, at: now, end: end))
    return true
  }
}

/// All decided requests of the base client so far, in the orders that the fits need.
struct ProbeEvidence {
  struct Decided {
    var sent: Double
    var settled: Double
    var admitted: Bool
    /// True for the base client's request; otherwise it may have used the base client's quota, or not.
    var isCertain = true

    var traced: LimitTrace.Request {
      LimitTrace.Request(
        sent: sent, settled: settled, role: !isCertain ? .possible : admitted ? .certain : .refused)
    }
  }

  /// Send times of admitted requests, independently sorted.
  let sent: [Double]
  let settled: [Double]
  /// Send times of all requests, independently sorted.
  let allSent: [Double]
  let allSettled: [Double]
  let refused: [Decided]
  let admitted: [Decided]
  /// Requests at which the outcome changes or a pause ends: the informative ones, reduced to about a hundred.
  let telling: [Decided]
  /// For each informative request: admissions settled before it was sent, and sent before it settled.
  let settledBefore: [Int]
  let sentBefore: [Int]
  /// Seconds from the first request to the last response.
  var span: Double { (allSettled.last ?? 0) - (allSent.first ?? 0) }
  /// The observed sizes of bursts: candidates for the allowance of the sliding log.
  let candidates: Set<Int>

  init(_ requests: [Decided], candidates: Set<Int>) {
    let all = requests.sorted { $0.sent < $1.sent }
    let ordered = all.filter(\.isCertain)
    admitted = ordered.filter(\.admitted)
    refused = ordered.filter { !$0.admitted }
    // A request that may have been counted is never certain.
    sent = all.filter(\.admitted).map(\.sent)
    settled = all.filter(\.admitted).map { $0.isCertain ? $0.settled : .infinity }.sorted()
    allSent = ordered.map(\.sent)
    allSettled = ordered.map(\.settled).sorted()
    self.candidates = candidates
    var telling: [Decided] = []
    for (index, request) in ordered.enumerated() {
      let last = index == ordered.count - 1
      let changes = { (left: Decided, right: Decided) in
        left.admitted != right.admitted || right.sent - left.sent > 0.05
      }
      if index == 0 || last || changes(ordered[index - 1], request) || changes(request, ordered[index + 1]) {
        telling.append(request)
      }
    }
    if telling.count > 90 {
      let refusals = telling.indices.filter { !telling[$0].admitted }
      let admissions = telling.indices.filter { telling[$0].admitted }
      var kept: Set<Int> = [0, telling.count - 1]
      for index in stride(from: 0, to: refusals.count, by: max(1, refusals.count / 60)) { kept.insert(refusals[index]) }
      for index in stride(from: 0, to: admissions.count, by: max(1, admissions.count / 40)) {
        kept.insert(admissions[index])
      }
      telling = kept.sorted().map { telling[$0] }
    }
    let sent = sent
    let settled = settled
    settledBefore = telling.map { settled.count(below: $0.sent) }
    sentBefore = telling.map { sent.count(upTo: $0.settled) }
    self.telling = telling
  }
}

extension ProbeEvidence.Decided {
  /// Later than any decision, in seconds.
  private static let never = 1e9

  /// A request without a known decision may have used the quota, at any time after its send.
  init(_ observation: ProbeObservation) {
    let isKnown = observation.decision != .unknown
    self.init(
      sent: observation.sent, settled: isKnown ? observation.settled : Self.never,
      admitted: observation.decision != .refused, isCertain: isKnown)
  }
}
