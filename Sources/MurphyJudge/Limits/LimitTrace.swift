import MurphyModel

/// What the client saw of one counter: for every request an interval in which the limiter decided, and the outcome.
///
/// Seconds since the log's start. Request i was decided at some unknown moment in [sent, settled]. Two sets carry
/// all proofs: *certain* requests were admitted and counted beyond doubt, *possible* ones may have been counted.
/// Over-admission is proven from the certain alone, over-throttling against all possible ones.
///
/// The four sorted arrays are sorted **independently**: for identical requests the k-th earliest decision lies
/// between the k-th earliest `sent` and the k-th earliest `settled` (docs/rate-limits.md §2.2), whoever made it.
package struct LimitTrace: Sendable {
  package enum Role: UInt8, Sendable {
    /// Admitted, and it took from the allowance.
    case certain
    /// May have taken from the allowance: no answer came, or its status may not count.
    case possible
    /// Refused by the limiter.
    case refused
    /// Takes nothing from the allowance, but may have begun a window of a limiter whose windows begin with a request.
    case starter
  }

  /// One request; `settled` bounds the decision from above also where no answer came.
  package struct Request: Sendable {
    package var sent: Double
    package var settled: Double
    package var role: Role
    /// The observation's index in the log, or any other name.
    package var id: Int

    package init(sent: Double, settled: Double, role: Role, id: Int = 0) {
      self.sent = sent
      self.settled = settled
      self.role = role
      self.id = id
    }
  }

  /// Ascending by `sent`.
  package let requests: [Request]
  package let certainSent: [Double]
  package let certainSettled: [Double]
  package let possibleSent: [Double]
  package let possibleSettled: [Double]
  /// Indices of the refused, ascending by `sent`.
  package let refused: [Int]
  /// Requests that may have begun a window without being certain: the possible and the starters, and what another limit
  /// may have refused; ascending by `sent`.
  package let doubtful: [Int]
  /// Nothing was counted on this key for at least a window before the first request.
  package let startsQuiet: Bool
  /// The key's value did not exist before this run, so its first requests found the whole allowance.
  package let isFresh: Bool
  /// Requests of this key may be missing from the trace: any moment may have begun a window.
  package let mayMissRequests: Bool
  /// Refused requests may themselves have been counted: they are among the possible.
  package let refusedMayCount: Bool
  /// Refusals may also stem from another limiter: only those that no limiter explains are proof.
  package let sharesRefusals: Bool

  /// - Parameter requests: in any order; sorted here, O(n log n), O(n) when already ascending.
  package init(
    _ requests: [Request], startsQuiet: Bool = true, isFresh: Bool = false, mayMissRequests: Bool = false,
    refusedMayCount: Bool = false, sharesRefusals: Bool = false
  ) {
    var ordered = requests
    if !zip(ordered, ordered.dropFirst()).allSatisfy({ $0.sent <= $1.sent }) { ordered.sort { $0.sent < $1.sent } }
    var certainSent: [Double] = []
    var certainSettled: [Double] = []
    var possibleSent: [Double] = []
    var possibleSettled: [Double] = []
    var refused: [Int] = []
    var doubtful: [Int] = []
    certainSent.reserveCapacity(ordered.count)
    certainSettled.reserveCapacity(ordered.count)
    for (index, request) in ordered.enumerated() {
      switch request.role {
      case .certain:
        certainSent.append(request.sent)
        certainSettled.append(request.settled)
      case .possible, .starter: doubtful.append(index)
      case .refused:
        refused.append(index)
        // Another limit may have rejected it after this one had counted it.
        if sharesRefusals { doubtful.append(index) }
      }
    }
    certainSettled.sort()
    if doubtful.isEmpty, !refusedMayCount || refused.isEmpty {
      possibleSent = certainSent
      possibleSettled = certainSettled
    } else {
      for request in ordered where request.mayCount(refused: refusedMayCount) {
        possibleSent.append(request.sent)
        possibleSettled.append(request.settled)
      }
      possibleSettled.sort()
    }
    self.requests = ordered
    self.certainSent = certainSent
    self.certainSettled = certainSettled
    self.possibleSent = possibleSent
    self.possibleSettled = possibleSettled
    self.refused = refused
    self.doubtful = doubtful
    self.startsQuiet = startsQuiet || isFresh
    self.isFresh = isFresh
    self.mayMissRequests = mayMissRequests
    self.refusedMayCount = refusedMayCount
    self.sharesRefusals = sharesRefusals
  }

  package var start: Double { requests.first?.sent ?? 0 }
}

extension LimitTrace.Request {
  /// Whether it may have taken from the allowance.
  @inline(__always)
  func mayCount(refused refusedMayCount: Bool) -> Bool {
    switch role {
    case .certain, .possible: true
    case .refused: refusedMayCount
    case .starter: false
    }
  }
}

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
    guard let first = chosen.first else { return with([]) }
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
      guard request.role != .refused || sharesRefusals, request.settled >= from else { continue }
      request.role = .starter
      kept.append(request)
    }
    return with(kept)
  }

  /// The chosen requests alone; windows may begin at any moment, whoever began them. Proves by itself what it proves.
  package func alone(_ indices: some Sequence<Int>) -> LimitTrace {
    LimitTrace(
      indices.map { requests[$0] }, startsQuiet: startsQuiet, isFresh: isFresh, mayMissRequests: true,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals)
  }

  /// Other requests of the same key.
  ///
  /// - Parameter startsQuiet: whether nothing was counted for a window before; nil as it is.
  func with(_ requests: [Request], startsQuiet: Bool? = nil) -> LimitTrace {
    LimitTrace(
      requests, startsQuiet: startsQuiet ?? self.startsQuiet, isFresh: isFresh, mayMissRequests: mayMissRequests,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals)
  }
}

extension LimitPolicy {
  /// What a logged request did to the allowance.
  func role(of observation: LimitObservation, in log: LimitLog) -> LimitTrace.Role {
    guard observation.answered != nil, observation.status != 0 else { return .possible }
    if rejects(observation, in: log) { return .refused }
    if log.departures.contains(observation.operation) { return .possible }
    guard observation.status >= 400 else { return .certain }
    // Where failures do not count, it counted until the limiter learnt that it failed, perhaps, and was given back then; a
    // window that it began lasts.
    return switch counts.failed {
    case .yes: .certain
    case .perhaps: .possible
    case .no: .starter
    }
  }
}
