import MurphyModel

extension AnswerGap {
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
