import MurphyModel

/// The client's observations of one counter: for every request an interval in which the limiter decided, and the
/// outcome.
///
/// Seconds since the log's start. Request i was decided at some unknown time in [sent, settled]. All proofs use two
/// sets. *Certain* requests were definitely admitted and counted; *possible* ones may have been counted. Over-admission
/// is proven from the certain ones alone, over-throttling against all possible ones.
///
/// The four sorted arrays are sorted **independently**: for identical requests the k-th earliest decision lies between
/// the k-th earliest `sent` and the k-th earliest `settled` (docs/rate-limits.md §2.2), whichever request it belongs
/// to. A request of cost c counts like c requests that are decided at the same time, so it has c entries in each array.
package struct LimitTrace: Sendable {
  /// What a request means for the counter.
  package enum Role: UInt8, Sendable {
    /// Admitted, and counted against the allowance.
    case certain
    /// May have counted against the allowance: a response is missing, or its status may not count.
    case possible
    /// Rejected by the limiter.
    case refused
    /// Does not count against the allowance, but may have begun a window of a limiter whose windows begin with a
    /// request.
    case starter
  }

  /// One request; `settled` is an upper bound of the decision even without a response.
  package struct Request: Sendable {
    /// Seconds since the log's start.
    package var sent: Double
    /// Seconds since the log's start.
    package var settled: Double
    /// The meaning of the request for the counter.
    package var role: Role
    /// The observation's index in the log, or any other identifier.
    package var id: Int
    /// The part of the allowance that it uses, at most.
    package var cost: Int

    package init(sent: Double, settled: Double, role: Role, id: Int = 0, cost: Int = 1) {
      self.sent = sent
      self.settled = settled
      self.role = role
      self.id = id
      self.cost = cost
    }
  }

  /// Ascending by `sent`.
  package let requests: [Request]
  /// The sends of the certain requests, ascending.
  package let certainSent: [Double]
  /// The latest decisions of the certain requests, ascending.
  package let certainSettled: [Double]
  /// The sends of the certain and the possible requests.
  package let possibleSent: [Double]
  /// The latest decisions of the certain and the possible requests.
  package let possibleSettled: [Double]
  /// Indices of the rejected ones, ascending by `sent`.
  package let refused: [Int]
  /// Requests that may have begun a window without being certain: the possible ones, the starters, and those that
  /// another limit may have rejected; ascending by `sent`.
  package let doubtful: [Int]
  /// True if no request was counted on this key for at least a window before the first request.
  package let startsQuiet: Bool
  /// True if the key's value did not exist before this run, so that its first requests had the whole allowance.
  package let isFresh: Bool
  /// True if requests of this key may be missing from the trace: a window may have begun at any time.
  package let mayMissRequests: Bool
  /// True if rejected requests may themselves have been counted: they are among the possible ones.
  package let refusedMayCount: Bool
  /// True if rejections may also come from another limiter: only those that no limiter explains are proof.
  package let sharesRefusals: Bool
  /// How costs count; nil for a limit on which each request costs 1.
  package let weighing: LimitWeighing?
  /// What the limiter may admit beyond the allowance, because it counts a cost after it admits the request, in units.
  let excess: Int

  /// - Parameter requests: in any order; sorted here, O(n log n), O(n) when already ascending.
  package init(
    _ requests: [Request], startsQuiet: Bool = true, isFresh: Bool = false, mayMissRequests: Bool = false,
    refusedMayCount: Bool = false, sharesRefusals: Bool = false, weighing: LimitWeighing? = nil
  ) {
    let unit = weighing?.unit ?? 1
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
        for _ in 0..<(weighing?.least(request.cost) ?? request.cost) {
          certainSent.append(request.sent)
          certainSettled.append(request.settled)
        }
        // It uses less than a unit, and may begin a window.
        if request.cost < unit { doubtful.append(index) }
      case .possible, .starter: doubtful.append(index)
      case .refused:
        refused.append(index)
        // Another limit may have rejected it after this one had counted it.
        if sharesRefusals { doubtful.append(index) }
      }
    }
    certainSettled.sort()
    let isExact = weighing?.isExact ?? true
    if doubtful.isEmpty, isExact, !refusedMayCount || refused.isEmpty {
      possibleSent = certainSent
      possibleSettled = certainSettled
    } else {
      for request in ordered where request.mayCount(refused: refusedMayCount) {
        for _ in 0..<(weighing?.most(request.cost) ?? request.cost) {
          possibleSent.append(request.sent)
          possibleSettled.append(request.settled)
        }
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
    self.weighing = weighing
    excess = weighing?.excess(of: ordered) ?? 0
  }

  /// The send of the first request; 0 without requests.
  package var start: Double { requests.first?.sent ?? 0 }
}

extension LimitTrace.Request {
  /// True if it may have counted against the allowance.
  @inline(__always)
  func mayCount(refused refusedMayCount: Bool) -> Bool {
    switch role {
    case .certain, .possible: true
    case .refused: refusedMayCount
    case .starter: false
    }
  }
}

/// Parts of a trace for shorter proofs. A part must never prove more than the whole.
///
/// Over-admission is monotone for sliding logs, sliding counters, token buckets and aligned windows: admissions that
/// are left out would only increase the count. It is not monotone for windows that begin with a request: the omitted
/// admission may have begun the window that contains the others (L = 2, W = 10: admissions at 0, 9.9, 10.1 and 10.2
/// conform; without the first, three within 0.3 s seem too many). So either the omitted requests remain as starters, or
/// windows may begin at any time.
extension LimitTrace {
  /// The selected requests, and the omitted ones near them as starters of windows.
  ///
  /// - Parameters:
  ///   - indices: ascending.
  ///   - window: seconds, the maximum length of a window. A request further before the first selected one cannot have
  ///     begun a window that contains it.
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

  /// The selected requests alone; windows may begin at any time, independently of any request. Its proofs need no
  /// further requests.
  package func alone(_ indices: some Sequence<Int>) -> LimitTrace {
    LimitTrace(
      indices.map { requests[$0] }, startsQuiet: startsQuiet, isFresh: isFresh, mayMissRequests: true,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals, weighing: weighing)
  }

  /// Other requests of the same key.
  ///
  /// - Parameter startsQuiet: true if no request was counted for a window before; nil for no change.
  func with(_ requests: [Request], startsQuiet: Bool? = nil) -> LimitTrace {
    LimitTrace(
      requests, startsQuiet: startsQuiet ?? self.startsQuiet, isFresh: isFresh, mayMissRequests: mayMissRequests,
      refusedMayCount: refusedMayCount, sharesRefusals: sharesRefusals, weighing: weighing)
  }
}

extension LimitPolicy {
  /// The effect of a logged request on the allowance.
  func role(of observation: LimitObservation, in log: LimitLog) -> LimitTrace.Role {
    guard observation.answered != nil, observation.status != 0 else { return .possible }
    if rejects(observation, in: log) { return .refused }
    if log.departures.contains(observation.operation) { return .possible }
    guard observation.status >= 400 else { return .certain }
    // If failures do not count, the limiter may have counted it until it failed, and then returned the allowance. A
    // window that it began continues.
    return switch counts.failed {
    case .yes: .certain
    case .perhaps: .possible
    case .no: .starter
    }
  }
}

extension LimitTrace {
  /// Requests near the point where an in-order rule failed: the certain ones settled by then, latest sent first, at
  /// least `count` and the same number before them.
  func certainRequests(endingAt position: Int, atLeast count: Int) -> [Int] {
    let until = certainSettled[position]
    var chosen: [Int] = []
    var units = 0
    for index in stride(from: firstIndex(sentAfter: until) - 1, through: 0, by: -1) {
      let request = requests[index]
      guard request.role == .certain, request.settled <= until else { continue }
      chosen.append(index)
      units += leastUnits(request)
      if units >= 2 * count { break }
    }
    return chosen.reversed()
  }

  /// The highest cost of certain requests that were sent within one span.
  func mostAdmitted(within span: Double) -> Int {
    let certain = requests.filter { $0.role == .certain }
    var (most, sum, first) = (0, 0, 0)
    for request in certain {
      sum += request.cost
      while request.sent - certain[first].sent >= span {
        sum -= certain[first].cost
        first += 1
      }
      most = max(most, sum)
    }
    return most
  }

  /// Index of the first request sent later than `moment`, or the number of requests.
  func firstIndex(sentAfter moment: Double) -> Int { requests.partitioningIndex { $0.sent > moment } }

  /// Requests that may be in a window of `window` seconds that ends with request `index`, including it; of many, about
  /// the latest `most`.
  func requests(before index: Int, within window: Double, atMost most: Int = .max) -> [Int] {
    let request = requests[index]
    var chosen = [index]
    for other in stride(from: firstIndex(sentAfter: request.settled) - 1, through: 0, by: -1) where other != index {
      // Settled order differs from sent order by at most one request's flight; stop well before that matters.
      if chosen.count > most || requests[other].sent < request.sent - 2 * window - 60 { break }
      if requests[other].mayCount(refused: refusedMayCount), requests[other].settled > request.sent - window {
        chosen.append(other)
      }
    }
    return chosen.sorted()
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index from which on a condition is true; it is false for all elements before it; `endIndex` for none.
  /// O(log n).
  @inline(__always)
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low &+ high) >> 1
      if holds(self[middle]) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }

  /// The number of first elements for which the condition is true; they must come first.
  func prefixCount(_ holds: (Element) -> Bool) -> Int { partitioningIndex { !holds($0) } - startIndex }
}

extension [Double] {
  /// The number of elements of an ascending array that are less than `bound`.
  @inline(__always)
  package func count(below bound: Double) -> Int { partitioningIndex { $0 >= bound } }

  /// The number of elements of an ascending array that are at most `bound`.
  @inline(__always)
  package func count(upTo bound: Double) -> Int { partitioningIndex { $0 > bound } }

  /// The maximum number of these ascending times within one span.
  func most(within span: Double) -> Int {
    var (most, first) = (0, 0)
    for index in indices {
      while self[index] - self[first] >= span { first += 1 }
      most = Swift.max(most, index - first + 1)
    }
    return most
  }
}
