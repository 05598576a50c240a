extension LimitTrace {
  /// Requests near the point where an in-order rule failed: the certain ones settled by then, latest sent first, at
  /// least `count` and the same number before them.
  func certainRequests(endingAt position: Int, atLeast count: Int) -> [Int] {
    let until = certainSettled[position]
    var chosen: [Int] = []
    for index in stride(from: firstIndex(sentAfter: until) - 1, through: 0, by: -1) {
      let request = requests[index]
      guard request.role == .certain, request.settled <= until else { continue }
      chosen.append(index)
      if chosen.count >= 2 * count { break }
    }
    return chosen.reversed()
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
