import MurphyModel

/// The senders and times of requests: the demand of normal clients for the test of every policy, the same for all
/// (common random numbers).
package struct DemandTrace: Sendable {
  /// One request of a session.
  package struct Request: Sendable, Hashable {
    /// Seconds.
    package var at: Double
    /// From 0 to ``sessions`` − 1.
    package var session: Int32
    /// From 0 to ``users`` − 1.
    package var user: Int32
    /// From 0 to ``addresses`` − 1.
    package var address: Int32
  }

  /// Ascending in time.
  package let requests: [Request]
  /// The number of sessions.
  package let sessions: Int
  /// The number of users.
  package let users: Int
  /// The number of addresses.
  package let addresses: Int
  /// The address of each session: its first request's.
  let addressOfSession: [Int32]
  /// The user of each session.
  let userOfSession: [Int32]

  /// - Parameter requests: sessions, users and addresses are numbered from 0 without gaps.
  package init(_ requests: [Request]) {
    let ordered = requests.sorted { $0.at < $1.at }
    self.requests = ordered
    sessions = Int((ordered.map(\.session).max() ?? -1) + 1)
    users = Int((ordered.map(\.user).max() ?? -1) + 1)
    addresses = Int((ordered.map(\.address).max() ?? -1) + 1)
    var addressOfSession = [Int32](repeating: 0, count: sessions)
    var userOfSession = addressOfSession
    for request in ordered.reversed() {
      addressOfSession[Int(request.session)] = request.address
      userOfSession[Int(request.session)] = request.user
    }
    (self.addressOfSession, self.userOfSession) = (addressOfSession, userOfSession)
  }

  /// Scripted sessions: each arrival is a new user, and users share addresses by a table.
  ///
  /// - Parameter sessions: the times of the limited requests of each session, seconds on one clock.
  package init(sessions: [[Double]], sharing: AddressSharing, seed: UInt64) {
    var random = RandomSource(seed: seed, stream: 1)
    let addresses = sharing.addresses(for: sessions.count, &random)
    // Neighbours in the table must not also be neighbours in time.
    var order = Array(addresses.indices)
    order.shuffle(using: &random)
    var requests: [Request] = []
    for (session, moments) in sessions.enumerated() {
      for moment in moments {
        requests.append(
          Request(
            at: moment, session: Int32(session), user: Int32(session), address: addresses[order[session]]))
      }
    }
    self.init(requests)
  }

  var summary: TuneResult.Demand {
    var users = [Int: Set<Int32>]()
    for request in requests { users[Int(request.address), default: []].insert(request.user) }
    return TuneResult.Demand(
      requests: requests.count, sessions: sessions, users: self.users, addresses: addresses,
      largestSharing: users.values.map(\.count).max() ?? 0,
      duration: (requests.last?.at ?? 0) - (requests.first?.at ?? 0))
  }
}

/// The number of users that share one address, as a table: homes, offices, carriers.
package struct AddressSharing: Sendable, Hashable {
  /// This share of all addresses is used by a number of users that is uniformly random in `users`.
  package struct Row: Sendable, Hashable {
    /// A weight: its share of the sum of all rows.
    package var share: Double
    /// The range of the number of users behind one address.
    package var users: ClosedRange<Int>

    package init(share: Double, users: ClosedRange<Int>) {
      self.share = share
      self.users = users
    }
  }

  /// The sum of the shares is any positive number.
  package var rows: [Row]

  /// - Parameter rows: the sum of their shares is any positive number.
  package init(_ rows: [Row]) { self.rows = rows }

  /// One user each.
  package static let none = AddressSharing([Row(share: 1, users: 1...1)])
  /// 85 % of addresses have one user, most others are households, and 0.35 % offices and carriers (docs/rate-limits.md
  /// §4).
  package static let usual = AddressSharing([
    Row(share: 0.85, users: 1...1), Row(share: 0.1465, users: 2...5), Row(share: 0.0035, users: 40...200),
  ])

  /// The address of each of `count` users.
  func addresses(for count: Int, _ random: inout RandomSource) -> [Int32] {
    var addresses: [Int32] = []
    addresses.reserveCapacity(count)
    var address: Int32 = 0
    let total = rows.reduce(0) { $0 + $1.share }
    while addresses.count < count {
      var draw = random.unit() * total
      var users = 1
      for row in rows {
        draw -= row.share
        if draw < 0 {
          users = row.users.lowerBound + Int(saturating: random.unit() * Double(row.users.count))
          break
        }
      }
      for _ in 0..<min(users, count - addresses.count) { addresses.append(address) }
      address += 1
    }
    return addresses
  }
}

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
