/// The client's log for the limit judge: one entry per wire attempt, nothing filtered.
///
/// Texts are interned, so an entry stays small: a million of them take about 50 MB.
package struct LimitLog: Sendable {
  package var observations: [LimitObservation] = []
  /// Who sent: entry `identity` of an observation.
  package var identities: [ClientIdentity] = []
  /// Rate-limit headers of an answer (`Retry-After`, `Date`, `Content-Type`, `RateLimit*`, `X-RateLimit*` …): entry
  /// `headers` of an observation.
  package var headerSets = HeaderSets()
  /// Beginnings of refusal bodies: entry `body` of an observation.
  package var bodies: [String] = []
  /// What was sent, masked and without the headers of the client: entry `request` of an observation. The URL is what
  /// follows the target's.
  package var requests: [CurlRequest] = []
  /// Values that answers gave and sessions saved, in no order.
  package var issues: [IssuedValue] = []
  /// Whether there were more of them than were kept.
  package var missesIssues = false
  /// Names of identity headers whose values no output may show.
  package var secretHeaders: Set<String> = ["authorization", "cookie"]
  /// Whether findings must show no body: the run met more secrets than it could remember.
  package var hidesContent = false
  /// Whether requests that a limiter may have counted are not in the log: those of a shard that was lost. Then only what any
  /// part of the requests proves is proven.
  package var isIncomplete = false
  /// Whether it is of several machines, of which nobody knows by which addresses a limiter sees them.
  package var spansMachines = false
  /// What is not known of the clocks of several machines, nanoseconds: the moments of each lie that much further apart than
  /// they were.
  package var clockWidth: Int64 = 0
  /// Operation names: entry `operation` of an observation.
  package var operations: [String] = []
  /// Operations, by index, whose requests depart from the operation that they are named after: the limiter
  /// may not have counted those that it admitted.
  package var departures: Set<UInt32> = []
  /// Requests that are not in the log, for it holds a bounded number of them.
  package var leftOut = 0
  /// From when on nothing was kept; nil when all was.
  package var end: Instant?
  /// When the run began; all instants of the log are on the same clock.
  package var start: Instant

  package init(start: Instant) { self.start = start }
}

/// One request as the client's limit log keeps it.
package struct LimitObservation: Sendable, Hashable {
  package var operation: UInt32
  package var identity: UInt32
  package var sent: Instant
  /// Nil for an answer that never came.
  package var answered: Instant?
  /// 0 without an answer.
  package var status: UInt16
  /// -1 for none.
  package var headers: Int32
  /// -1 for none.
  package var body: Int32
  /// -1 where what was sent was not kept.
  package var request: Int32

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

/// All by which a limiter may tell one client from another.
package struct ClientIdentity: Sendable, Hashable, Codable {
  /// The local address bound to, or empty for the system's choice.
  package var sourceAddress: String
  /// Request headers that a policy names as its key, names in lower case.
  package var headers: [HeaderField]
  /// Names of those headers whose value did not exist before this run: drawn in it and salted, so that no earlier run
  /// can have sent it.
  package var fresh: [String]
  /// Names of those headers whose value the target made in this run: a token of a login, proven to be new.
  package var issued: [String]

  package init(sourceAddress: String, headers: [HeaderField], fresh: [String] = [], issued: [String] = []) {
    self.sourceAddress = sourceAddress
    self.headers = headers
    self.fresh = fresh
    self.issued = issued
  }
}

/// A text that an answer of the run gave to a session, which saved it: a token of a login, a key of a new account.
///
/// The facts alone; whether the target made the value for this answer is for the limit judge to say.
package struct IssuedValue: Sendable, Hashable, Codable {
  package var value: String
  /// Where it stood: operation and place of the answer, the same for every answer of that kind.
  package var issuer: String
  /// What was asked: equal where method, URL, header fields, body and source address were equal, values drawn in this
  /// run apart. Empty where the request also sent what the log does not hold, as cookies of the jar.
  package var request: String
  package var sent: Instant
  package var answered: Instant
  /// What was sent for it: an entry of the log's requests; -1 where it was not kept.
  package var login: Int32 = -1
  /// How a script finds the value in the answer.
  package var place = Place.unknown

  package enum Place: Sendable, Hashable, Codable {
    case unknown
    /// In the language of jq.
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

/// What a limit log keeps of a long run: its beginning, in full, so that what is proven from it stays proven.
extension LimitLog {
  /// The most that a log keeps.
  package struct Bound: Sendable {
    package var observations: Int
    package var identities: Int
    /// Bytes of different header sets.
    package var headers: Int

    /// About 250 MB of a run together.
    package static let usual = Bound(observations: 2_000_000, identities: 500_000, headers: 64_000_000)

    /// The part of one loop of several.
    package func share(of loops: Int) -> Bound {
      Bound(
        observations: max(observations / max(loops, 1), 1), identities: max(identities / max(loops, 1), 1),
        headers: max(headers / max(loops, 1), 1))
    }
  }

  /// Whether one more would be too much; 48 bytes each.
  package func isFull(_ bound: Bound) -> Bool {
    end != nil || observations.count >= bound.observations || identities.count >= bound.identities
      || headerSets.byteCount >= bound.headers
  }

  /// Counts a request that is not kept.
  package mutating func leaveOut(sent: Instant) {
    leftOut += 1
    end = end.map { min($0, sent) } ?? sent
  }

  /// What another log of the same run lacks, this one lacks with it.
  package mutating func takeGap(of other: LimitLog) {
    leftOut += other.leftOut
    if let otherEnd = other.end { end = end.map { min($0, otherEnd) } ?? otherEnd }
  }

  /// Leaves out all that was sent since the first request that was left out: what is kept has no gap.
  package mutating func cut() {
    guard let end else { return }
    let all = observations.count
    observations.removeAll { $0.sent >= end }
    leftOut += all - observations.count
  }
}

extension LimitLog {
  /// Takes another loop's log over; its texts keep their own numbers behind those that are there.
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
    observations += other.observations.map { observation in
      var moved = observation
      moved.identity += identity
      if moved.headers >= 0 { moved.headers += header }
      if moved.body >= 0 { moved.body += body }
      if moved.request >= 0 { moved.request += request }
      return moved
    }
  }

  /// Sorts the requests of several logs by time, and cuts them where the first log ends.
  package mutating func settle() {
    cut()
    observations.sort { $0.sent < $1.sent }
  }
}
