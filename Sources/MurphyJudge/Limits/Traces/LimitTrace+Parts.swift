/// Parts of a trace for shorter proofs. A part must never prove what the whole does not.
///
/// Over-admission is monotone for sliding logs, sliding counters, token buckets and aligned windows: admissions that
/// are left out would only have added to the count. It is not for windows that begin with a request: the admission
/// that is left out may have begun the window that the others fall into (L = 2, W = 10: admissions at 0, 9.9, 10.1
/// and 10.2 conform; without the first, three within 0.3 s seem too many). So either the requests left out stay as
/// starters, or windows may begin at any moment.
extension LimitTrace {
  /// The chosen requests, and those left out within reach of them as starters of windows.
  ///
  /// - Parameters:
  ///   - indices: ascending.
  ///   - window: seconds, the longest that a window can last; what lies further before the first of the chosen cannot
  ///     have begun a window that holds it.
  package func keepingStarters(_ indices: some Sequence<Int>, window: Double) -> LimitTrace {
    let chosen = Array(indices)
    guard let first = chosen.first else { return part([]) }
    let from = requests[first].sent - window
    let until = chosen.reduce(-Double.infinity) { max($0, requests[$1].settled) }
    var kept: [Request] = []
    kept.reserveCapacity(2 * chosen.count)
    var next = 0
    for index in requests.indices {
      if next < chosen.count, chosen[next] == index {
        kept.append(requests[index])
        next += 1
        continue
      }
      var request = requests[index]
      if request.sent > until { break }
      guard request.role != .refused, request.settled >= from else { continue }
      request.role = .starter
      kept.append(request)
    }
    return part(kept)
  }

  /// The chosen requests alone; windows may begin at any moment, whoever began them. Proves by itself what it proves.
  package func alone(_ indices: some Sequence<Int>) -> LimitTrace {
    LimitTrace(
      indices.map { requests[$0] }, startsQuiet: startsQuiet, isFresh: isFresh, mayMissRequests: true,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals)
  }

  /// All that was decided by some moment: a log that ended then.
  func part(_ requests: [Request]) -> LimitTrace {
    LimitTrace(
      requests, startsQuiet: startsQuiet, isFresh: isFresh, mayMissRequests: mayMissRequests,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals)
  }
}
