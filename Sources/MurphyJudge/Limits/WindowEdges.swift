import MurphyModel

/// Finds the keys that were admitted more often than the allowance within less than a window. A policy with windows
/// permits that around the end of one, and this searches for an end that excuses all of them.
///
/// L + 1 admissions decided within less than W need a window's end between the first and the last of them. For windows
/// that begin with a key's own request, the first end of a key is W after its first request, unless its window had
/// begun before the run. For windows aligned to a clock, one time of the cycle is within all of these spans, for every
/// key. Neither is proof against a single key with an unknown past. But such a limit does not pass either: two servers
/// with separate counters produce the same pattern.
struct WindowEdges {
  /// The number of keys with such a span.
  private(set) var exceedingKeys = 0
  /// Those of them whose window must have begun before the run.
  private(set) var keysWithAPast = 0
  /// True if windows aligned to a clock, the same for all keys, explain every span.
  private(set) var hasCommonEdge = true

  private static let spansRead = 400

  /// - Parameter tick: the maximum step of the server's clock, seconds.
  init(_ traces: [LimitTrace], allowance: Int, window: Double, tick: Double) {
    let margin = tick + window * LimitTerms.usualDrift + LimitTerms.slack
    var spans: [(from: Double, to: Double)] = []
    for trace in traces where !trace.mayMissRequests {
      guard trace.certainSent.count > allowance, let first = trace.requests.first?.sent else { continue }
      var isExceeding = false
      var needsPast = false
      for index in 0..<(trace.certainSent.count - allowance) {
        // The k-th decision lies between the k-th earliest sending and the k-th earliest response.
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

  /// True if the admissions conform to the policy as far as its keys can be compared.
  func excuse(_ algorithm: LimitAlgorithm) -> Bool {
    switch algorithm {
    case .fixed: keysWithAPast == 0
    case .fixedAligned: hasCommonEdge
    case .any: keysWithAPast == 0 || hasCommonEdge
    // The rules of these algorithms have no such excuse.
    case .slidingLog, .slidingCounter, .tokenBucket: true
    }
  }
}
