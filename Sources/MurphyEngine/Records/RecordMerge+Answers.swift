import MurphyModel

extension RecordMerge {
  /// The target was silent where no loop saw a sign of life; what was lost, by the moment of its send.
  var answers: AnswerLog {
    var whole = AnswerLog()
    whole.gaps = shards.first?.answers.gaps ?? []
    for shard in shards.dropFirst() { whole.gaps = Self.common(whole.gaps, shard.answers.gaps) }
    whole.losses = shards.flatMap(\.answers.losses).sorted { ($0.sent, $0.ended) < ($1.sent, $1.ended) }
    whole.waits = shards.flatMap(\.answers.waits)
    whole.absences = shards.flatMap(\.figures.absences).map {
      Absence(from: context.seconds($0.lowerBound), until: context.seconds($0.upperBound))
    }
    whole.uncounted = shards.reduce(0) { $0 + $1.answers.uncounted }
    let end = max(duration, whole.losses.map(\.ended).max() ?? 0)
    whole.gaps = whole.gaps.compactMap { gap in
      var gap = gap
      if gap.resumedBySent == nil { gap.until = max(end, gap.from) }
      return gap.until - gap.from >= AnswerLog.shortestGap ? gap : nil
    }
    return whole
  }

  /// Where both are silent. Both ascend, and gaps of one loop do not overlap.
  static func common(_ left: [AnswerGap], _ right: [AnswerGap]) -> [AnswerGap] {
    var common: [AnswerGap] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (a, b) = (left[i], right[j])
      let from = max(a.from, b.from)
      let until = min(a.until, b.until)
      if from < until {
        common.append(
          AnswerGap(
            from: from, until: until, lastAnsweredSent: max(a.lastAnsweredSent, b.lastAnsweredSent),
            resumedBySent: a.until <= b.until ? a.resumedBySent : b.resumedBySent))
      }
      if a.until < b.until { i += 1 } else { j += 1 }
    }
    return common
  }
}
