extension LimitTrace {
  /// Requests near the point where an in-order rule failed: the certain ones settled by then, newest first sent,
  /// at least `count` and as many again before them.
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
  func firstIndex(sentAfter moment: Double) -> Int {
    var low = 0
    var high = requests.count
    while low < high {
      let middle = (low + high) / 2
      if requests[middle].sent <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Requests that may be in a window of `window` seconds that ends with request `index`, it included; of many, about
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

extension Array where Element == Double {
  /// How many elements of an ascending array are less than `bound`.
  @inline(__always)
  package func count(below bound: Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) >> 1
      if self[middle] < bound { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// How many elements of an ascending array are at most `bound`.
  @inline(__always)
  package func count(upTo bound: Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) >> 1
      if self[middle] <= bound { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
