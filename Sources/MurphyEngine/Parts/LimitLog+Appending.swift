import MurphyModel

extension LimitLog {
  /// Leaves out what single requests said, for it may hold a secret that nobody remembers.
  mutating func hideContent() {
    hidesContent = true
    secretHeaders.formUnion(identities.flatMap(\.headers).map(\.name))
    for index in observations.indices { observations[index].request = -1 }
    for index in issues.indices { issues[index].login = -1 }
    requests = []
  }

  /// Takes another loop's log over; its texts keep their own numbers behind those that are there.
  mutating func append(_ other: LimitLog) {
    append(other, issues: other.issues, requests: other.requests)
    missesIssues = missesIssues || other.missesIssues
    secretHeaders.formUnion(other.secretHeaders)
  }

  /// The same, with the issued values and the requests of its recorder.
  mutating func append(_ other: LimitLog, issues values: [IssuedValue], requests more: [CurlRequest]) {
    let (identity, header, body) = (UInt32(identities.count), Int32(headerSets.count), Int32(bodies.count))
    let request = Int32(requests.count)
    takeGap(of: other)
    requests += more
    issues += values.map { value in
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
}
