import MurphyModel

/// Where keys were admitted more than the allowance within less than a window: around the end of one, says a policy with
/// windows, and this looks for the end that would excuse all of them.
///
/// L + 1 admissions decided within less than W need a window's end between the first and the last of them. Of windows
/// that begin with a key's own request, the first end of a key lies W after its first request, unless its window had
/// begun before the run. Of windows aligned to a clock, one moment of the cycle lies within all of these spans, whatever
/// the key. Neither is proof against a single key with an unknown past, but nothing like that is a limit that was kept:
/// two servers with a counter each look so.
struct WindowEdges {
  /// Keys with such a span.
  private(set) var exceedingKeys = 0
  /// Of those, keys whose window must have begun before the run.
  private(set) var keysWithAPast = 0
  /// Whether windows aligned to a clock, the same for all keys, explain every span.
  private(set) var hasCommonEdge = true

  private static let spansRead = 400

  /// - Parameter tick: the coarsest step that the server's clock may have, seconds.
  init(_ traces: [LimitTrace], allowance: Int, window: Double, tick: Double) {
    let margin = tick + window * LimitTerms.usualDrift + LimitTerms.slack
    var spans: [(from: Double, to: Double)] = []
    for trace in traces where !trace.mayMissRequests {
      guard trace.certainSent.count > allowance, let first = trace.requests.first?.sent else { continue }
      var isExceeding = false
      var needsPast = false
      for index in 0..<(trace.certainSent.count - allowance) {
        // The k-th decision lies between the k-th earliest sending and the k-th earliest answer.
        let span = (from: trace.certainSent[index] - margin, to: trace.certainSettled[index + allowance] + margin)
        guard span.to - span.from < window else { continue }
        isExceeding = true
        needsPast = needsPast || span.to < first + window
        spans.append(span)
      }
      exceedingKeys += isExceeding ? 1 : 0
      keysWithAPast += needsPast ? 1 : 0
    }
    let stride = max(1, spans.count / Self.spansRead)
    let read = Swift.stride(from: 0, to: spans.count, by: stride).map { spans[$0] }
    hasCommonEdge =
      read.isEmpty
      || read.contains { candidate in
        read.allSatisfy { span in
          // An end at `candidate.to`, or whole windows from it.
          let ahead = (candidate.to - span.from).truncatingRemainder(dividingBy: window)
          return (ahead < 0 ? ahead + window : ahead) <= span.to - span.from
        }
      }
  }

  /// Whether the admissions go with the policy as far as its keys can be compared.
  func excuse(_ algorithm: LimitAlgorithm) -> Bool {
    switch algorithm {
    case .fixed: keysWithAPast == 0
    case .fixedAligned: hasCommonEdge
    case .any: keysWithAPast == 0 || hasCommonEdge
    // The rules of these algorithms know no such excuse.
    case .slidingLog, .slidingCounter, .tokenBucket: true
    }
  }
}
