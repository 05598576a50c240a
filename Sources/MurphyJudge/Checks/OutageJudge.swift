import MurphyModel

/// Finds the stretches in which the target was down: it did not respond and requests were lost.
///
/// A gap between two signs of activity is an outage under two conditions. It lasts at least half a second, and at least
/// three requests were lost that had been sent after every answered one. So a quiet load, a slow response or single
/// hanging requests are not an outage. Where requests fail all the time, three in a row prove nothing. With q the share
/// lost elsewhere, a run of k losses among N requests is an outage only if N · qᵏ < 0.0001.
package enum OutageJudge {
  /// Seconds.
  private static let shortest = 0.5
  private static let fewest = 3
  private static let chance = 0.0001
  /// Connections may break shortly before the last response has been read, seconds.
  private static let slack = 0.05

  /// The outages of a run, in the order of time.
  package static func outages(in record: RunRecord) -> [Outage] {
    let log = record.responses
    let pace = pace(of: record)
    var candidates: [(outage: Outage, direct: Int, isForced: Bool)] = []
    for gap in log.gaps {
      let isForced = record.info.aborted != nil && gap.resumedBySent == nil
      // A target that responds to requests from before the gap was slow, and had lost nothing.
      if let resumed = gap.resumedBySent, resumed < gap.from - slack { continue }
      let lost = losses(log.losses, in: gap, pace: pace)
      let direct = lost.count { $0.sent >= gap.lastAnsweredSent }
      guard let outage = outage(gap, lost), isForced || direct >= fewest else { continue }
      let length = outage.until - outage.from
      // A loop of murphy that was itself stopped received nothing either.
      guard isForced || (length >= shortest && length > 2 * record.generator.longestStall.inSeconds) else { continue }
      candidates.append((outage, direct, isForced))
    }
    return counted(unlikely(candidates, in: record))
  }

  /// A request that was open through several outages counts in the first of them.
  private static func counted(_ outages: [Outage]) -> [Outage] {
    var known: Set<LostRequest> = []
    return outages.compactMap { outage in
      var outage = outage
      outage.losses.removeAll { known.contains($0) }
      known.formUnion(outage.losses)
      return outage.losses.isEmpty ? nil : outage
    }
  }

  /// The outages that chance does not explain, in their order. The longest is checked first: the losses of an accepted
  /// one prove nothing about the usual rate of losses.
  private static func unlikely(
    _ candidates: [(outage: Outage, direct: Int, isForced: Bool)], in record: RunRecord
  ) -> [Outage] {
    let sent = record.operations.reduce(0) { $0 + $1.sent }
    let lost = record.responses.losses.count + record.responses.uncounted
    var explained = 0
    var accepted: Set<Int> = []
    for (index, candidate) in candidates.enumerated().sorted(by: { $0.element.direct > $1.element.direct }) {
      let without = explained + candidate.outage.losses.count
      let share = Double(max(lost - without, 0) + 1) / Double(max(sent - without, 0) + 2)
      guard candidate.isForced || Double(sent) * power(share, candidate.direct) < chance else { continue }
      explained = without
      accepted.insert(index)
    }
    return candidates.indices.filter(accepted.contains).map { candidates[$0].outage }
  }

  /// The losses that a gap explains: sent in it, or at most the time of a usual response before it, and ended in or
  /// after it.
  private static func losses(_ all: [LostRequest], in gap: ResponseGap, pace: Double) -> [LostRequest] {
    let earliest = gap.lastAnsweredSent - pace
    return all[all.partitioningIndex { $0.sent >= earliest }...].prefix { $0.sent < gap.until }.filter {
      $0.ended >= gap.from - slack
    }
  }

  private static func outage(_ gap: ResponseGap, _ losses: [LostRequest]) -> Outage? {
    guard let first = losses.first?.sent, let last = losses.map(\.ended).max() else { return nil }
    let from = max(gap.from, first)
    let end = min(last, gap.until)
    // Nothing was requested between the last loss and the request whose response ended the gap.
    let isAdjoining = gap.resumedBySent.map { $0 <= end + 1 } ?? false
    let until = max(isAdjoining ? gap.until : end, from)
    return Outage(from: from, until: until, isOver: gap.resumedBySent != nil, losses: losses)
  }

  /// The usual time of a response, seconds: the 99th percentile of all service times, from 0.1 to 5.
  private static func pace(of record: RunRecord) -> Double {
    var all = LatencyHistogram()
    for operation in record.operations { all.merge(operation.service) }
    return min(max(Double(all.percentile(99)) / 1e9, 0.1), 5)
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<min(exponent, 2000)).reduce(1.0) { product, _ in product * base }
  }
}

/// A stretch in which the target did not respond although requests were sent.
package struct Outage: Sendable, Hashable {
  /// Seconds since the run's start: the last response before it, or the first request without a response.
  package var from: Double
  /// The first response after it, or the last request without a response.
  package var until: Double
  /// True if the target responded again.
  package var isOver: Bool
  /// The requests that it cost, by the time of their send.
  package var losses: [LostRequest]

  package init(from: Double, until: Double, isOver: Bool, losses: [LostRequest]) {
    self.from = from
    self.until = until
    self.isOver = isOver
    self.losses = losses
  }

  /// `from 11.9 s to 14.2 s`, `from 11.9 s to the end (15 s)`
  package var text: String {
    isOver
      ? "from \(Self.seconds(from)) to \(Self.seconds(until))"
      : "from \(Self.seconds(from)) to the end (\(Self.seconds(until)))"
  }

  /// The maximum of stretches in a message; its details contain all of them.
  static let named = 4

  /// `from 3 s to 4 s, from 7 s to 8 s and from 11.9 s to the end (15 s)`; of further ones, only their number.
  static func listed(_ stretches: [String]) -> String {
    let more = stretches.count - named
    let all = more > 0 ? stretches.prefix(named) + ["\(more) more times"] : stretches[...]
    return all.count == 1 ? all[0] : all.dropLast().joined(separator: ", ") + " and " + all[all.count - 1]
  }

  static func seconds(_ seconds: Double) -> String { Figure(Figure.decimals(seconds, 1), "s").text }
}

extension [Outage] {
  /// True if the outages alone explain a failed check on errors, latency or sessions. Then it is a part of them and not
  /// a separate finding; its row stays failed.
  package func explain(_ finding: Finding, budgets: [Budget], record: RunRecord) -> Bool {
    guard !isEmpty else { return false }
    switch finding.kind {
    case .budgetErrors:
      let others = BudgetJudge.judge(
        budgets.filter { $0.metric == .errors && $0.operation == finding.operation ?? "*" },
        record: record.without(self))
      return others.allSatisfy { $0.verdict != .fail }
    case .budgetLatency:
      return BudgetJudge.judge(budgets, record: record).contains {
        $0.findings.contains(finding.fingerprint) && !BudgetJudge.isBroken($0, without: losses(of: $0, record))
      }
    case .trafficCompleted:
      // A session that fails has lost at least one request.
      return record.sessions.reduce(0) { $0 + $1.failedTotal } <= reduce(0) { $0 + $1.losses.count }
    case .trafficSessions: return record.operations.allSatisfy { $0.outcomes.answered == 0 }
    default: return false
    }
  }

  private func losses(of row: BudgetRow, _ record: RunRecord) -> [LostRequest] {
    flatMap(\.losses).filter { loss in
      row.operation == "*"
        || (record.operations.indices.contains(loss.operation)
          && record.operations[loss.operation].operation == row.operation)
    }
  }
}

extension RunRecord {
  /// The record as if the requests that outages cost had not been sent.
  fileprivate func without(_ outages: [Outage]) -> RunRecord {
    var record = self
    for loss in outages.flatMap(\.losses) where operations.indices.contains(loss.operation) {
      if loss.isCountedAsFailed {
        record.operations[loss.operation].outcomes.transport -= 1
      } else {
        record.operations[loss.operation].explained += 1
      }
      record.operations[loss.operation].sent -= 1
    }
    return record
  }
}

extension LostRequest {
  /// A request in flight at the end is not a failure of the transport.
  fileprivate var isCountedAsFailed: Bool { kind != nil && kind != .transportUnanswered }
}
