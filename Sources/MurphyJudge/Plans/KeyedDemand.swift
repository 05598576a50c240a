import MurphyModel

/// A demand trace split by a key, and the need of each session under every policy at once.
///
/// A session's need is the smallest allowance with which none of its requests would be rejected, if all others were
/// admitted: one pass over the trace gives the result for all allowances (docs/rate-limits.md §4). Exact up to the
/// first rejection on a key, an upper bound after it.
struct KeyedDemand {
  enum KeySource: String, CaseIterable { case address, user, global }

  let trace: DemandTrace
  let kind: KeySource
  /// Indices of requests, key by key, ascending in time.
  private let order: [Int32]
  private let groups: [Range<Int>]

  init(_ trace: DemandTrace, by kind: KeySource) {
    self.trace = trace
    self.kind = kind
    func key(_ index: Int32) -> Int32 {
      switch kind {
      case .address: trace.requests[Int(index)].address
      case .user: trace.requests[Int(index)].user
      case .global: 0
      }
    }
    let order = (0..<Int32(trace.requests.count)).sorted { (key($0), $0) < (key($1), $1) }
    var groups: [Range<Int>] = []
    var start = 0
    for index in order.indices where index > start && key(order[index]) != key(order[start]) {
      groups.append(start..<index)
      start = index
    }
    if start < order.count { groups.append(start..<order.count) }
    self.order = order
    self.groups = groups
  }

  /// The need of each session, ascending by session number.
  func needs(_ algorithm: LimitAlgorithm, window: Double) -> [Double] {
    switch algorithm {
    case .slidingLog, .any:
      return peaks { times, emit in
        var first = 0
        for index in times.indices {
          while times[first] <= times[index] - window { first += 1 }
          emit(index, Double(index - first + 1))
        }
      }
    case .fixed:
      return peaks { times, emit in
        var first = 0
        for index in times.indices {
          if times[index] >= times[first] + window { first = index }
          emit(index, Double(index - first + 1))
        }
      }
    case .fixedAligned:
      return peaks { times, emit in
        var first = 0
        for index in times.indices {
          if (times[index] / window).rounded(.down) != (times[first] / window).rounded(.down) { first = index }
          emit(index, Double(index - first + 1))
        }
      }
    case .slidingCounter:
      return peaks { times, emit in
        var (first, previous, number) = (0, 0, -1.0)
        for index in times.indices {
          let position = times[index] / window
          let current = position.rounded(.down)
          if current != number {
            previous = current == number + 1 ? index - first : 0
            (first, number) = (index, current)
          }
          // Admitted while the estimate is below the allowance: the next whole number above it.
          emit(index, (Double(previous) * (1 - (position - current)) + Double(index - first)).rounded(.down) + 1)
        }
      }
    case .tokenBucket: return []
    }
  }

  /// The burst that each session needs from a bucket with this rate, requests per second.
  func burstNeeds(rate: Double) -> [Double] {
    peaks { times, emit in
      var peak = -Double.infinity
      for index in times.indices {
        peak = max(peak, rate * times[index] - Double(index))
        emit(index, Double(index + 1) - rate * times[index] + peak)
      }
    }
  }

  /// The share of sessions with at least one rejection under some policy.
  static func throttled(_ needs: [Double], allowance: Int) -> Double {
    guard !needs.isEmpty else { return 0 }
    return Double(needs.count { $0 > Double(allowance) + 1e-9 }) / Double(needs.count)
  }

  private func peaks(_ pass: (_ times: [Double], _ emit: (Int, Double) -> Void) -> Void) -> [Double] {
    var peaks = [Double](repeating: 0, count: trace.sessions)
    for group in groups {
      let times = group.map { trace.requests[Int(order[$0])].at }
      pass(times) { index, need in
        let session = Int(trace.requests[Int(order[group.lowerBound + index])].session)
        if need > peaks[session] { peaks[session] = need }
      }
    }
    return peaks
  }
}
