/// What was measured of the requests of one tag.
package struct TagRecord: Sendable, Codable {
  /// As the scenario writes it.
  package var tag: String
  package var outcomes = Outcomes()
  /// Answers, from the intended start.
  package var latency = LatencyHistogram()

  package init(tag: String) { self.tag = tag }

  /// Adds what another loop measured.
  package mutating func merge(_ other: TagRecord) {
    outcomes += other.outcomes
    latency.merge(other.latency)
  }
}
