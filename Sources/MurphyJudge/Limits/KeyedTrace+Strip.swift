import MurphyModel

extension KeyedTrace {
  /// The key as in the chart of the report: at most `most` ticks. If some must be selected, those around the witness.
  func strip(policy: LimitPolicy, witness: [Int], most: Int = 2000) -> KeyStrip {
    var range = trace.requests.indices
    if range.count > most {
      let middle = witness.isEmpty ? range.lowerBound : (witness[0] + witness[witness.count - 1]) / 2
      let low = max(0, min(middle - most / 2, range.count - most))
      range = low..<(low + most)
    }
    return KeyStrip(
      key: key,
      requests: range.map { KeyStrip.Tick(at: trace.requests[$0].sent, decision: trace.requests[$0].decision) },
      windows: windowStarts(policy, in: range),
      witness: witness.filter(range.contains).map { $0 - range.lowerBound })
  }

  /// The beginnings of windows: proven for aligned ones, plausible for fixed ones, none for the sliding kinds.
  private func windowStarts(_ policy: LimitPolicy, in range: Range<Int>) -> [Double] {
    guard let last = range.last else { return [] }
    let window = policy.window.inSeconds
    let from = trace.requests[range.lowerBound].sent
    let to = trace.requests[last].sent
    guard window > 0, (to - from) / window < 1000 else { return [] }
    switch policy.algorithm {
    case .fixedAligned:
      let terms = LimitTerms(allowance: policy.allowance, window: window, tick: 1e-3)
      let phases = AlignedWindowRule.phases(of: trace, terms)
      guard let widest = phases.intervals.max(by: { $0.high - $0.low < $1.high - $1.low }),
        phases.measure < window / 4
      else { return [] }
      let phase = (widest.low + widest.high) / 2
      let first = ((from - phase) / window).rounded(.down)
      return Array(stride(from: first * window + phase, through: to, by: window))
    case .fixed:
      var starts: [Double] = []
      for index in range where trace.requests[index].role == .certain {
        if trace.requests[index].sent >= (starts.last ?? -.infinity) + window {
          starts.append(trace.requests[index].sent)
        }
      }
      return starts
    case .slidingLog, .slidingCounter, .tokenBucket, .any: return []
    }
  }
}
