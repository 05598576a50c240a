/// What the requests of one tag did under load: those of the steps and sessions that name it, whatever their operation.
package struct TagResult: Sendable, Codable {
  /// As the scenario writes it.
  package var tag: String
  /// The requests that ended, by how they did.
  package var outcomes: Outcomes
  /// Of the answers, from the intended start to the last byte.
  package var latency: LatencySummary

  package init(_ record: TagRecord) {
    tag = record.tag
    outcomes = record.outcomes
    latency = LatencySummary(record.latency)
  }

  /// Requests that ended, those that the client took back apart.
  package var requests: Int { outcomes.answered + outcomes.transport }

  /// Error statuses and lost requests; refusals of a rate limit are none.
  package var errors: Int { outcomes.errorAnswers + outcomes.transport }
}
