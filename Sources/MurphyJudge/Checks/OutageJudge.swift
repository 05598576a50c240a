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

  package static func outages(in record: RunRecord) -> [Outage] {
    let log = record.answers
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
      guard isForced || (length >= shortest && length > 2 * record.generator.longestStall / 1e6) else { continue }
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
    let lost = record.answers.losses.count + record.answers.uncounted
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
  private static func losses(_ all: [LostRequest], in gap: AnswerGap, pace: Double) -> [LostRequest] {
    let earliest = gap.lastAnsweredSent - pace
    return all[all.partitioningIndex { $0.sent >= earliest }...].prefix { $0.sent < gap.until }.filter {
      $0.ended >= gap.from - slack
    }
  }

  private static func outage(_ gap: AnswerGap, _ losses: [LostRequest]) -> Outage? {
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
