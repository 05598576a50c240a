import MurphyModel

/// Finds the stretches in which the target was stalled: it did not respond although requests waited, and responded to
/// them afterwards.
///
/// A gap between two signs of activity is a stall under three conditions, after murphy's own absences are removed from
/// it. It lasts from a to b for at least a second. At least three requests waited whose responses were due by b. Chance
/// does not explain it. Let S be the share of the other responses of request i's operation that took longer than some
/// time. Then the probability that it had no response by b is
///
///     qᵢ = S(b − sᵢ) / S(max(a − sᵢ, 0))
///
/// and for N requests sent chance explains the gap unless N · ∏ qᵢ < 0.0001. The gap with the smallest product is
/// judged first; its requests are left out of S for the others. An operation without any other response has qᵢ = 1: it
/// may always take that long. So a quiet load, single slow requests or slow operations are not a stall.
package enum StallJudge: Judge {
  private static let fewest = 3
  private static let chance = 0.0001
  /// The response to a request was due when at most this share of others took as long.
  private static let unusual = 0.1
  /// A target responds slowly after a restart: seconds after an outage that belong to it.
  private static let edge = 1.0

  /// A gap without murphy's absences, and the requests that waited through it.
  private struct Candidate {
    var from: Double
    var until: Double
    var waiting: [WaitingRequest]
    var failed: [LostRequest]
  }

  /// Reports all stalls of the target in one finding.
  package static func rule(on run: FinishedRun) -> JudgeResult {
    JudgeResult(findings: [finding(stalls(in: run.record, besides: run.outages))].compactMap(\.self))
  }

  /// - Parameter outages: stretches that are already reported.
  package static func stalls(in record: RunRecord, besides outages: [Outage]) -> [Stall] {
    var usual = UsualServices(record)
    var left = candidates(record.responses, besides: outages)
    var found: [Candidate] = []
    let sent = Double(max(record.operations.reduce(0) { $0 + $1.sent }, 1))
    while true {
      let judged = left.indices.map {
        (index: $0, shares: usual.shares(left[$0].waiting, left[$0].from, left[$0].until))
      }
      .filter { $0.shares.count(where: { $0 <= unusual }) >= fewest }
      .map { (index: $0.index, product: $0.shares.reduce(sent, *)) }
      guard let best = judged.min(by: { $0.product < $1.product }), best.product < chance else { break }
      let stall = left.remove(at: best.index)
      usual.leaveOut(stall.waiting)
      found.append(stall)
    }
    return found.sorted { $0.from < $1.from }.map { stall in
      Stall(
        from: stall.from, until: stall.until, answered: stall.waiting.count { $0.isAnswered },
        failed: stall.failed.count + stall.waiting.count { !$0.isAnswered })
    }
  }

  private static func candidates(_ log: ResponseLog, besides outages: [Outage]) -> [Candidate] {
    let gaps = log.gaps.filter { gap in
      gap.resumedBySent != nil && gap.until - gap.from >= ResponseLog.shortestStall
        && !outages.contains { $0.from < gap.until && gap.from < $0.until + edge }
    }
    let waiting = requests(log.waits, through: gaps, sent: \.sent, ended: \.ended)
    let failed = requests(log.losses, through: gaps, sent: \.sent, ended: \.ended)
    return gaps.indices.compactMap { index in
      guard let silence = longestSilence(in: gaps[index], without: log.absences) else { return nil }
      let waiting = waiting[index].filter { $0.sent < silence.until }
      let failed = failed[index].filter { $0.sent < silence.until }
      // The target was not silent before the first request.
      let from = max(silence.from, (waiting.map(\.sent) + failed.map(\.sent)).min() ?? silence.until)
      guard waiting.count >= fewest, silence.until - from >= ResponseLog.shortestStall else { return nil }
      return Candidate(from: from, until: silence.until, waiting: waiting, failed: failed)
    }
  }

  /// By gap, the requests that were in flight when it ended.
  private static func requests<Request>(
    _ all: [Request], through gaps: [ResponseGap], sent: KeyPath<Request, Double>, ended: KeyPath<Request, Double>
  ) -> [[Request]] {
    var found = [[Request]](repeating: [], count: gaps.count)
    for request in all {
      var gap = gaps.partitioningIndex { $0.until > request[keyPath: sent] }
      while gap < gaps.count, gaps[gap].until <= request[keyPath: ended] {
        found[gap].append(request)
        gap += 1
      }
    }
    return found
  }

  /// The longest part of a gap in which murphy could have received a response.
  private static func longestSilence(
    in gap: ResponseGap, without absences: [Absence]
  ) -> (from: Double, until: Double)? {
    var parts = [(from: gap.from, until: gap.until)]
    for absence in absences where absence.from < gap.until && absence.until > gap.from {
      parts = parts.flatMap { part in
        guard absence.from < part.until, absence.until > part.from else { return [part] }
        return [(part.from, min(part.until, absence.from)), (max(part.from, absence.until), part.until)]
          .filter { $0.0 < $0.1 }
      }
    }
    return parts.max { $0.until - $0.from < $1.until - $1.from }
  }
}

/// The response times by operation. The requests that waited through a stall are kept separately.
private struct UsualServices {
  private var all: [LatencyHistogram]
  /// Nanoseconds.
  private var leftOut: [[Int64]]

  init(_ record: RunRecord) {
    all = record.operations.map(\.service)
    leftOut = record.operations.map { _ in [] }
  }

  mutating func leaveOut(_ waits: [WaitingRequest]) {
    for wait in waits where wait.isAnswered { leftOut[wait.operation].append(Self.service(wait)) }
  }

  /// For each request, the probability that it had no response by `until`, given that it had none by `from`.
  func shares(_ waits: [WaitingRequest], _ from: Double, _ until: Double) -> [Double] {
    let own = Dictionary(grouping: waits.filter(\.isAnswered), by: \.operation).mapValues { $0.map(Self.service) }
    return waits.map { wait in
      let others = max(
        Int(all[wait.operation].count) - (own[wait.operation] ?? []).count - leftOut[wait.operation].count, 0)
      guard others > 0 else { return 1 }
      func longer(_ seconds: Double) -> Double {
        Double(count(wait.operation, atLeast: seconds, without: own[wait.operation] ?? []) + 1)
      }
      return longer(until - wait.sent) / longer(max(from - wait.sent, 0))
    }
  }

  private func count(_ operation: Int, atLeast seconds: Double, without own: [Int64]) -> Int {
    let least = LatencyHistogram.lowest(inBucketOf: Int64(saturating: seconds * 1e9))
    let longer = Int(all[operation].count(within: least...LatencyHistogram.highest))
    return max(longer - own.count { $0 >= least } - leftOut[operation].count { $0 >= least }, 0)
  }

  private static func service(_ wait: WaitingRequest) -> Int64 { Int64(saturating: (wait.ended - wait.sent) * 1e9) }
}

/// A stretch without responses from the target, after which it answered the waiting requests.
package struct Stall: Sendable, Hashable {
  /// Seconds since the run's start: the last activity before it.
  package var from: Double
  /// The first response after it.
  package var until: Double
  /// Requests that were in flight at its end and got a response afterwards.
  package var answered: Int
  /// Requests that were in flight at its end and failed afterwards.
  package var failed: Int
}

extension StallJudge {
  /// One finding for all stalls; nil for none. A warning: budgets and checks judge their cost.
  package static func finding(_ stalls: [Stall]) -> Finding? {
    guard let first = stalls.first, let last = stalls.last else { return nil }
    return Finding(
      kind: .transportStalled, severity: .warning, operation: nil,
      message: "no responses \(Outage.listed(stalls.map(stretch))): \(requests(stalls))",
      details: stalls.count > 1 ? stalls.map { "no responses \(stretch($0)): \(requests([$0]))" } : [],
      count: stalls.count, firstSeen: .saturating(seconds: first.from),
      lastSeen: .saturating(seconds: last.until), discriminator: "stall")
  }

  /// `from 4 s to 10 s`
  private static func stretch(_ stall: Stall) -> String {
    "from \(Outage.seconds(stall.from)) to \(Outage.seconds(stall.until))"
  }

  /// `37 requests waited and were answered afterwards`
  private static func requests(_ stalls: [Stall]) -> String {
    let answered = stalls.reduce(0) { $0 + $1.answered }
    let failed = stalls.reduce(0) { $0 + $1.failed }
    let text =
      "\(counted(answered, "request")) waited and "
      + "\(answered == 1 ? "was" : "were") answered afterwards"
    return failed == 0 ? text : text + ", \(failed.text) more waited and failed"
  }
}
