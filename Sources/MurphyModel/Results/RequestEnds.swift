/// How the requests of one operation ended. Each is counted once, in the first line that fits, so together they are all
/// requests that were sent.
package struct RequestEnds: Sendable, Codable, Hashable {
  /// Answers, of whatever status, that break the contract, a rule of HTTP, or what their step of the scenario expects.
  package var violating = 0
  /// Answers of which something could not be checked, and of which nothing is known to be wrong.
  package var unchecked = 0
  /// Answers with status 429 that keep the contract.
  package var refused = 0
  /// Answers with another status of 4xx or 5xx that keep the contract, and that no step expects.
  package var errors = 0
  /// The other answers: they keep the contract.
  package var ok = 0
  /// Lost, timed out, or without an answer when the run ended.
  package var unanswered = 0
  /// Given up by the client on purpose, as a superseded search is.
  package var cancelled = 0

  package init() {}

  package var answers: Int { violating + unchecked + refused + errors + ok }
  package var total: Int { answers + unanswered + cancelled }

  package static func += (sum: inout RequestEnds, other: RequestEnds) {
    sum.violating += other.violating
    sum.unchecked += other.unchecked
    sum.refused += other.refused
    sum.errors += other.errors
    sum.ok += other.ok
    sum.unanswered += other.unanswered
    sum.cancelled += other.cancelled
  }
}
