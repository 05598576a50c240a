import MurphyJudge
import MurphyModel

/// Finds out why a limiter admits more than the declared quota: separate counters in workers or replicas, counters that
/// are synchronised late, or a larger quota.
///
/// Each experiment needs a client with an unused quota, and must end before the client's window does:
///
/// 1. The client sends requests over many connections until a whole round is rejected. With N separate counters of L
///    requests it gets N · L.
/// 2. Another client sends requests slowly. With counters that are synchronised late it gets hardly more than L.
/// 3. Another client sends requests in sequence over a single connection. If connections belong to a counter, it gets
///    L. If each request goes to a random counter, some requests are admitted after a rejection.
/// 4. Another client sends every N-th request, and a second client the others. If requests go to the counters in turn,
///    all requests of the first client go to one of them, and it gets L.
///
/// A limiter with a single counter of N · L requests admits N · L of them in each experiment.
package struct ReplicaQuestion {
  private let allowance: Int
  /// The shortest of the declared and the likely windows, in seconds, and the longest.
  private let window: (low: Double, high: Double)
  private let maxRequests: Int
  private let end: Double
  private let dimension: ProbeDimension?
  /// The number of the next fresh client. The prober has the first ones.
  private var clients: Int
  private var report: ProbeReport
  private var now: Double

  /// With fewer connections, one of eight workers may get none of them.
  private static let lines = 64
  /// More counters are not distinguished.
  private static let most = 8
  /// The part of a window in which an experiment must end.
  private static let longest = 0.6
  /// The number of clients of an experiment that the end of a window may disturb.
  private static let attempts = 3
  /// The rejections in a row after which no counter admits more.
  private static let enough = 24

  /// Nil unless the limiter admitted more than is declared, and its window is known.
  ///
  /// - Parameter report: the results so far, with those of ``RaceQuestion``.
  package init?(_ prober: Prober, _ report: ProbeReport) {
    guard prober.options.triesRace, let declared = prober.options.declared, !prober.options.isQuick,
      prober.options.rivals.isEmpty, ![.partial, .shaping].contains(report.outcome),
      report.agreesWithDeclared != true || report.raceExcess != 0
    else { return nil }
    // Without a rejection, no test shows how the limiter distinguishes clients.
    let promised = prober.options.freshDimensions.first {
      $0.isPromised(by: declared.key, headers: prober.options.deviceHeaders) == true
    }
    dimension = prober.freshDimension ?? (report.outcome == .unlimited ? promised : nil)
    let isExceeded =
      prober.largestBurst > declared.allowance || report.raceExcess ?? 0 > 0
      || [.unexplained, .unlimited].contains(report.outcome)
    guard isExceeded || dimension != nil && report.raceExcess == nil else { return nil }
    allowance = declared.allowance
    let seconds = declared.window.inSeconds
    window = (seconds, max(seconds, report.outcome == .identified ? report.window?.high ?? 0 : 0))
    maxRequests = prober.options.maxRequests
    end = prober.options.time.inSeconds
    clients = FreshClients.most + 1
    self.report = report
    now = report.duration.inSeconds
  }

  /// The report with the result.
  package mutating func ask(
    of target: inout some ProbeTarget, progress: (ProbeProgress) -> Void = { _ in }
  ) async throws -> ProbeReport {
    guard let first = try await overConnections(&target, progress), first > allowance,
      let second = try await overConnections(&target, progress)
    else { return finished }
    // A window that ends during one of them only adds admissions.
    let most = min(first, second)
    guard most > allowance, most < (Self.most + 1) * allowance, let slow = try await slowly(&target, progress) else {
      return finished
    }
    if slow.admitted <= allowance + max(1, (slow.admitted + slow.refused) / 10) {
      report.say(.lateSync(fast: most, slow: slow.admitted))
      withdrawUnlimited(most)
      return finished
    }
    let count = Int((Double(most) / Double(allowance)).rounded())
    guard (most - count * allowance).magnitude <= 1, count <= Self.most else { return finished }
    let routing: ProbeFact.Routing?
    switch try await inSequence(&target, progress) {
    case .known(let found): routing = found
    case .isOneOrInTurn:
      guard let isInTurn = try await inTurn(count, &target, progress) else { return finished }
      routing = isInTurn ? .turn : nil
    case nil: return finished
    }
    if let routing {
      report.replicas = count
      // Concurrency is not the cause.
      report.retract { if case .race = $0 { true } else if case .burstBeatsSequence = $0 { true } else { false } }
      report.raceExcess = nil
      report.say(.replicas(count: count, each: allowance, routing))
    } else {
      report.replicas = 1
      report.say(.oneCounter(quota: most))
    }
    withdrawUnlimited(most)
    return finished
  }

  /// The limiter rejects requests after all.
  private mutating func withdrawUnlimited(_ most: Int) {
    guard report.outcome == .unlimited else { return }
    report.outcome = .partial
    report.retract { fact in
      switch fact {
      case .unlimited, .declared(_, .contradicted(.unlimited)): true
      default: false
      }
    }
    report.sayFirst(.admittedAtOnce(most))
  }

  private var finished: ProbeReport {
    var report = report
    report.duration = .saturating(seconds: now)
    return report
  }

  /// The outcome of one client's requests.
  private struct Count {
    var admitted = 0
    var refused = 0
    /// Rejections after the last admission.
    var row = 0
    /// Admissions after a rejection.
    var inversions = 0
    var began = Double.infinity

    mutating func add(_ observations: [ProbeObservation]) {
      for observation in observations {
        began = min(began, observation.sent)
        switch observation.decision {
        case .admitted:
          admitted += 1
          if row > 0 { inversions += 1 }
          row = 0
        case .refused: (refused, row) = (refused + 1, row + 1)
        case .unknown: break
        }
      }
    }
  }

  // MARK: experiments

  private mutating func overConnections(
    _ target: inout some ProbeTarget, _ progress: (ProbeProgress) -> Void
  ) async throws -> Int? {
    let most = (Self.most + 1) * allowance
    guard let begin = begin("sending requests over many connections", requests: most, progress) else { return nil }
    let client = nextClient()
    let requests = (0..<Self.lines).map { ProbeRequest(client: client, line: $0) }
    let spacing = min(0.001, 0.5 * Self.longest * window.low / Double(most + 2 * Self.lines))
    var count = Count()
    var at = begin
    while count.row < Self.lines, count.admitted < most {
      let before = count
      count.row = 0
      let observations = try await send(ProbeVolley(at: at, spacing: spacing, requests: requests), &target)
      count.add(observations)
      guard isInTime(count) else { return nil }
      if count.admitted == before.admitted, observations.count == Self.lines { return count.admitted }
      at = now
    }
    return count.admitted
  }

  /// The outcome of requests that are evenly distributed over the first half of a window.
  private mutating func slowly(
    _ target: inout some ProbeTarget, _ progress: (ProbeProgress) -> Void
  ) async throws -> Count? {
    let total = allowance + max(6, allowance / 2)
    guard let begin = begin("sending requests slowly", requests: total, progress) else { return nil }
    let client = nextClient()
    let requests = (0..<total).map { ProbeRequest(client: client, line: $0 % Self.lines) }
    var count = Count()
    let spacing = 0.75 * Self.longest * window.low / Double(total)
    count.add(try await send(ProbeVolley(at: begin, spacing: spacing, requests: requests), &target))
    return isInTime(count) ? count : nil
  }

  private enum Sequence {
    case known(ProbeFact.Routing)
    /// Every client got more than the quota, and no admission followed a rejection.
    case isOneOrInTurn
  }

  /// Several clients, one after the other. A window that ends during the requests of one of them has the same effect as
  /// a random counter, but it ends only once.
  private mutating func inSequence(
    _ target: inout some ProbeTarget, _ progress: (ProbeProgress) -> Void
  ) async throws -> Sequence? {
    var inverted = 0
    for _ in 0..<Self.attempts {
      let most = Self.most * allowance + Self.enough
      guard let begin = begin("sending requests over one connection", requests: most, progress) else { return nil }
      let client = nextClient()
      var count = Count()
      var at = begin
      while count.row < Self.enough, count.inversions < 2 {
        count.add(try await send(one(client, at: at), &target))
        guard isInTime(count) else { return nil }
        at = now
      }
      if count.admitted <= allowance + 1, count.inversions == 0 { return .known(.connection) }
      inverted += min(count.inversions, 1)
      if count.inversions > 1 || inverted > 1 { return .known(.random) }
    }
    return .isOneOrInTurn
  }

  /// True if every `count`-th request goes to the same counter. A window that ends meanwhile adds admissions, so the
  /// result is repeated if it is false.
  private mutating func inTurn(
    _ count: Int, _ target: inout some ProbeTarget, _ progress: (ProbeProgress) -> Void
  ) async throws -> Bool? {
    for _ in 0..<Self.attempts {
      guard dimension != nil,
        let begin = begin("sending requests of two clients in turn", requests: count * (allowance + 4), progress)
      else { return nil }
      let (client, other) = (nextClient(), nextClient())
      var own = Count()
      var at = begin
      while own.row < 2, own.admitted <= allowance {
        own.add(try await send(one(client, at: at), &target))
        guard isInTime(own) else { return nil }
        for _ in 1..<count { _ = try await send(one(other, at: now), &target) }
        at = now
      }
      if own.admitted <= allowance { return true }
    }
    return false
  }

  private func one(_ client: ProbeVariant?, at moment: Double) -> ProbeVolley {
    ProbeVolley(at: moment, spacing: 0.001, requests: [ProbeRequest(client: client, line: 0)])
  }

  private mutating func send(
    _ volley: ProbeVolley, _ target: inout some ProbeTarget
  ) async throws -> [ProbeObservation] {
    let observations = try await target.send(volley)
    report.requests += observations.count
    now = max(now, observations.map(\.settled).max() ?? volley.at)
    return observations
  }

  private func isInTime(_ count: Count) -> Bool { now - count.began < Self.longest * window.low }

  private mutating func nextClient() -> ProbeVariant? {
    guard let dimension else { return nil }
    defer { clients += 1 }
    return ProbeVariant(dimension: dimension, number: clients)
  }

  /// The earliest time at which an experiment can begin; nil if too little time or too few requests are left.
  private func begin(_ stage: String, requests: Int, _ progress: (ProbeProgress) -> Void) -> Double? {
    let begin = now + (dimension == nil ? 2.04 * window.high + 0.05 : 0.002)
    guard begin + Self.longest * window.low <= end, report.requests + requests <= maxRequests else { return nil }
    progress(ProbeProgress(stage, .closing, requests: report.requests, at: now, end: end))
    return begin
  }
}
