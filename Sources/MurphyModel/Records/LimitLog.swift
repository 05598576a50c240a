/// The client's log for the limit judge: one entry per attempt on the wire, without any filter.
///
/// Strings are interned, so an entry stays small: a million of them take about 50 MB.
package struct LimitLog: Sendable {
  /// One entry for each attempt.
  package var observations: [LimitObservation] = []
  /// The senders: entry `identity` of an observation.
  package var identities: [ClientIdentity] = []
  /// Rate-limit headers of a response (`Retry-After`, `Date`, `Content-Type`, `RateLimit*`, `X-RateLimit*` …): entry
  /// `headers` of an observation.
  package var headerSets = HeaderSets()
  /// Beginnings of rejection bodies: entry `body` of an observation.
  package var bodies: [String] = []
  /// The costs of a request by the expression of a limit, without those that are unknown: entry `costs` of an
  /// observation.
  package var costs: [[String: Int]] = []
  /// The requests, masked and without the headers of the client: entry `request` of an observation. The URL is the part
  /// after the target's.
  package var requests: [CurlRequest] = []
  /// Values from responses that sessions saved, in no order.
  package var issues: [IssuedValue] = []
  /// True if there were more of them than were kept.
  package var missesIssues = false
  /// Names of identity headers whose values no output may show.
  package var secretHeaders: Set<String> = ["authorization", "cookie"]
  /// True if findings must show no body: the run had more secrets than it could store.
  package var hidesContent = false
  /// True if requests that a limiter may have counted are missing from the log: those of a lost shard. Then only
  /// conclusions that any subset of the requests proves are valid.
  package var isIncomplete = false
  /// True if it spans several machines: the addresses by which a limiter sees them are unknown.
  package var spansMachines = false
  /// The uncertainty of the clocks of several machines, in nanoseconds: the logged times of each machine are widened by
  /// it.
  package var clockWidth: Int64 = 0
  /// Operation names: entry `operation` of an observation.
  package var operations: [String] = []
  /// Operations, by index, whose requests differ from the operation of their name: the limiter may not have counted
  /// those that it admitted.
  package var departures: Set<UInt32> = []
  /// Requests that are not in the log, because it holds a bounded number of them.
  package var leftOut = 0
  /// The time from which nothing was kept; nil if all requests were kept.
  package var end: Instant?
  /// The start of the run; all instants of the log are on the same clock.
  package var start: Instant

  package init(start: Instant) { self.start = start }
}

/// One request in the client's limit log.
package struct LimitObservation: Sendable, Hashable {
  /// An entry of ``LimitLog/operations``.
  package var operation: UInt32
  /// An entry of ``LimitLog/identities``.
  package var identity: UInt32
  /// On the monotonic clock of the process that sent it.
  package var sent: Instant
  /// Nil if no response was received.
  package var answered: Instant?
  /// 0 without a response.
  package var status: UInt16
  /// -1 for none.
  package var headers: Int32
  /// -1 for none.
  package var body: Int32
  /// -1 if the request was not kept.
  package var request: Int32
  /// -1 if no limit of the operation declares a cost.
  package var costs: Int32 = -1

  package init(
    operation: UInt32, identity: UInt32, sent: Instant, answered: Instant?, status: UInt16, headers: Int32 = -1,
    body: Int32 = -1, request: Int32 = -1
  ) {
    self.operation = operation
    self.identity = identity
    self.sent = sent
    self.answered = answered
    self.status = status
    self.headers = headers
    self.body = body
    self.request = request
  }
}

/// All properties by which a limiter may distinguish clients.
package struct ClientIdentity: Sendable, Hashable, Codable {
  /// The local address of the socket; empty for the system's choice.
  package var sourceAddress: String
  /// Request headers that a policy names as its key, names in lower case.
  package var headers: [HeaderField]
  /// Names of those headers whose value did not exist before this run: generated in it and salted, so that no earlier
  /// run can have sent it.
  package var fresh: [String]
  /// Names of those headers whose value the target created in this run: the token of a login, proven to be new.
  package var issued: [String]

  package init(sourceAddress: String, headers: [HeaderField], fresh: [String] = [], issued: [String] = []) {
    self.sourceAddress = sourceAddress
    self.headers = headers
    self.fresh = fresh
    self.issued = issued
  }
}

/// A string from a response of the run that a session saved: the token of a login, the key of a new account.
///
/// It holds only the facts; the limit judge decides whether the target created the value for this response.
package struct IssuedValue: Sendable, Hashable, Codable {
  /// The value as the response contains it; secret.
  package var value: String
  /// The origin of the value: operation and place of the response, the same for every response of that kind.
  package var issuer: String
  /// The request: equal if method, URL, headers, body and source address were equal, except for values generated in
  /// this run. Empty if the request also sent data that the log does not hold, such as cookies of the jar.
  package var request: String
  /// The send of the request for it.
  package var sent: Instant
  /// When its response was complete.
  package var answered: Instant
  /// The request for it: an entry of the log's requests; -1 if it was not kept.
  package var login: Int32 = -1
  /// How a script finds the value in the response.
  package var place = Place.unknown

  /// How a script finds the value in a response.
  package enum Place: Sendable, Hashable, Codable {
    case unknown
    /// A filter in the jq language.
    case body(filter: String)
    case header(String)
  }

  package init(value: String, issuer: String, request: String, sent: Instant, answered: Instant) {
    self.value = value
    self.issuer = issuer
    self.request = request
    self.sent = sent
    self.answered = answered
  }
}

/// The bounded part of a long run in a limit log: its complete beginning, so that conclusions from it stay valid.
extension LimitLog {
  /// The maximum size of a log.
  package struct Bound: Sendable {
    /// The maximum number of requests in the log.
    package var observations: Int
    /// The maximum number of different identities in the log.
    package var identities: Int
    /// Bytes of distinct header sets.
    package var headers: Int

    /// In total about 250 MB for a run.
    package static let usual = Bound(observations: 2_000_000, identities: 500_000, headers: 64_000_000)

    /// The part of one of several loops.
    package func share(of loops: Int) -> Bound {
      Bound(
        observations: max(observations / max(loops, 1), 1), identities: max(identities / max(loops, 1), 1),
        headers: max(headers / max(loops, 1), 1))
    }
  }

  /// True if one more would exceed the bound; 48 bytes each.
  package func isFull(_ bound: Bound) -> Bool {
    end != nil || observations.count >= bound.observations || identities.count >= bound.identities
      || headerSets.byteCount >= bound.headers
  }

  /// Counts a request that is not kept.
  package mutating func leaveOut(sent: Instant) {
    leftOut += 1
    end = end.map { min($0, sent) } ?? sent
  }

  /// Applies the gap of another log of the same run to this one.
  package mutating func takeGap(of other: LimitLog) {
    leftOut += other.leftOut
    if let otherEnd = other.end { end = end.map { min($0, otherEnd) } ?? otherEnd }
  }

  /// Removes all requests sent since the first request that was left out: the kept ones have no gap.
  package mutating func cut() {
    guard let end else { return }
    let all = observations.count
    observations.removeAll { $0.sent >= end }
    leftOut += all - observations.count
  }

  /// Appends another loop's log; its strings keep separate numbers after the existing ones.
  package mutating func append(_ other: LimitLog) {
    let (identity, header, body) = (UInt32(identities.count), Int32(headerSets.count), Int32(bodies.count))
    let request = Int32(requests.count)
    takeGap(of: other)
    missesIssues = missesIssues || other.missesIssues
    spansMachines = spansMachines || other.spansMachines
    clockWidth = max(clockWidth, other.clockWidth)
    secretHeaders.formUnion(other.secretHeaders)
    requests += other.requests
    issues += other.issues.map { value in
      var moved = value
      if moved.login >= 0 { moved.login += request }
      return moved
    }
    identities += other.identities
    headerSets.append(contentsOf: other.headerSets)
    bodies += other.bodies
    let cost = Int32(costs.count)
    costs += other.costs
    observations += other.observations.map { observation in
      var moved = observation
      moved.identity += identity
      if moved.headers >= 0 { moved.headers += header }
      if moved.body >= 0 { moved.body += body }
      if moved.request >= 0 { moved.request += request }
      if moved.costs >= 0 { moved.costs += cost }
      return moved
    }
  }

  /// Sorts the requests of several logs by time, and cuts them at the earliest end of a log.
  package mutating func settle() {
    cut()
    observations.sort { $0.sent < $1.sent }
  }
}

/// Entries of a limit log as columns of numbers. Times count from the log's start.
package struct LimitColumns: Sendable, Codable {
  private var operation: PackedNumbers
  private var identity: PackedNumbers
  private var sent: PackedNumbers
  /// The time from the send to the response; -1 without one.
  private var took: PackedNumbers
  private var status: PackedNumbers
  private var headers: PackedNumbers
  private var body: PackedNumbers
  private var request: PackedNumbers
  private var costs: PackedNumbers

  package init(_ entries: some Collection<LimitObservation>, start: Instant) {
    operation = PackedNumbers(column: entries.map(\.operation))
    identity = PackedNumbers(column: entries.map(\.identity))
    sent = PackedNumbers(entries.map { $0.sent - start }).deltas
    took = PackedNumbers(entries.map { entry in entry.answered.map { max($0 - entry.sent, 0) } ?? -1 })
    status = PackedNumbers(column: entries.map(\.status))
    headers = PackedNumbers(column: entries.map(\.headers))
    body = PackedNumbers(column: entries.map(\.body))
    request = PackedNumbers(column: entries.map(\.request))
    costs = PackedNumbers(column: entries.map(\.costs))
  }

  /// - Throws: `ColumnError` if the columns differ in length.
  package func entries(start: Instant) throws(ColumnError) -> [LimitObservation] {
    try ColumnError.check([operation, identity, sent, took, status, headers, body, request, costs])
    let moments = sent.sums.numbers
    try ColumnError.check(moments: moments)
    try ColumnError.check(moments: took.numbers)
    return moments.indices.map { row in
      let begin = start + moments[row]
      var entry = LimitObservation(
        operation: operation[row], identity: identity[row], sent: begin,
        answered: took.numbers[row] < 0 ? nil : begin + took.numbers[row], status: status[row], headers: headers[row],
        body: body[row], request: request[row])
      entry.costs = costs[row]
      return entry
    }
  }
}
