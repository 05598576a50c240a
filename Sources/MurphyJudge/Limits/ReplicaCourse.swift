import MurphyModel

/// Finds how many times the quota a limiter with separate counters admits, and when this number changed in a run.
///
/// While there are n counters of L requests, no client gets more than n · L requests within a window. The number is
/// read where clients are rejected, in steps of a window. If it rises to m, some client soon gets more than n · L within
/// a window, and the change is less than a window before that. If it falls to m, the change is less than a window after
/// the first request with which the last client got more than m · L.
///
/// One counter of a fixed window admits up to 2 · L within any window, so only the first window of a client counts, and
/// one after a pause. A bucket, an aligned window or a sliding counter may admit more than L there as well: no change is
/// found.
package struct ReplicaCourse {
  /// A change of the number of counters; seconds since the start of the run.
  package struct Change: Equatable {
    /// The number of counters before it and after it, at least.
    package var from: Int
    package var to: Int
    /// The change is between these times.
    package var after: Double
    package var before: Double
  }

  /// The number of counters at the end of the run, at least.
  package let last: Int
  /// In their order.
  package let changes: [Change]

  /// The number of windows in a row that show the same number.
  private static let steady = 2

  package init(_ traces: [LimitTrace], _ policy: LimitPolicy) {
    let window = policy.window.inSeconds
    let allowance = max(policy.allowance / max(traces.first?.unit ?? 1, 1), 1)
    // By time: the admissions of a client within the window before, and the multiple of the quota that they need.
    let seen = traces.flatMap { trace -> [(moment: Double, begin: Double, multiple: Int)] in
      guard !trace.refused.isEmpty else { return [] }
      let sent = trace.certainSent
      return sent.indices.compactMap { index in
        let first = sent.count(upTo: sent[index] - window)
        let isQuiet = first == 0 ? trace.startsQuiet : sent[first] - sent[first - 1] > window
        guard isQuiet || policy.algorithm == .slidingLog else { return nil }
        return (sent[index], sent[first], (index - first + allowance) / allowance)
      }
    }.sorted { $0.moment < $1.moment }
    guard let first = seen.first, window > 0, [.fixed, .slidingLog].contains(policy.algorithm) else {
      (last, changes) = (0, [])
      return
    }
    var levels: [Int: Int] = [:]
    for one in seen {
      let step = Int(((one.moment - first.moment) / window).rounded(.down))
      levels[step] = max(levels[step] ?? 0, one.multiple)
    }
    // The parts of the run with one number each.
    var parts: [(level: Int, steps: ClosedRange<Int>)] = []
    for (step, level) in levels.sorted(by: { $0.key < $1.key }) {
      if let part = parts.last, part.level == level {
        parts[parts.count - 1].steps = part.steps.lowerBound...step
      } else {
        parts.append((level, step...step))
      }
    }
    parts.removeAll { $0.steps.count < Self.steady }
    var changes: [Change] = []
    for (left, right) in zip(parts, parts.dropFirst()) where left.level != right.level {
      let from = first.moment + Double(left.steps.lowerBound) * window
      let until = first.moment + Double(right.steps.upperBound + 1) * window
      let part = seen.filter { $0.moment >= from && $0.moment < until }
      if right.level > left.level, let risen = part.first(where: { $0.multiple > left.level }) {
        changes.append(
          Change(from: left.level, to: right.level, after: max(risen.moment - window, from), before: risen.moment))
      } else if let fallen = part.last(where: { $0.multiple > right.level }) {
        changes.append(
          Change(from: left.level, to: right.level, after: fallen.begin, before: fallen.begin + window))
      }
    }
    (last, self.changes) = (parts.last?.level ?? 0, changes)
  }

  /// One sentence for each change.
  ///
  /// - Parameter moment: a time as text.
  func sentences(_ moment: (Double) -> String) -> [String] {
    changes.map { change in
      "Between \(moment(change.after)) and \(moment(change.before)), the admissions of one key within a window changed "
        + "from up to \(change.from) times the quota to up to \(change.to) times: the number of workers or replicas with "
        + "their own counters changed."
    }
  }
}
