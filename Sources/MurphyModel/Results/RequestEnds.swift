/// How the requests of one operation ended. Each is counted once, in the first line that fits, so together they are all
/// requests that were sent.
public struct RequestEnds: Sendable, Codable, Hashable {
  /// Answers, of whatever status, that break the contract, a rule of HTTP, or what their step of the scenario expects.
  public var violating = 0
  /// Answers of which something could not be checked, and of which nothing is known to be wrong.
  public var unchecked = 0
  /// Answers with status 429 that keep the contract.
  public var refused = 0
  /// Answers with another status of 4xx or 5xx that keep the contract, and that no step expects.
  public var errors = 0
  /// The other answers: they keep the contract.
  public var ok = 0
  /// Lost, timed out, or without an answer when the run ended.
  public var unanswered = 0
  /// Given up by the client on purpose, as a superseded search is.
  public var cancelled = 0

  package init() {}

  public var answers: Int { violating + unchecked + refused + errors + ok }
  public var total: Int { answers + unanswered + cancelled }

  public static func += (sum: inout RequestEnds, other: RequestEnds) {
    sum.violating += other.violating
    sum.unchecked += other.unchecked
    sum.refused += other.refused
    sum.errors += other.errors
    sum.ok += other.ok
    sum.unanswered += other.unanswered
    sum.cancelled += other.cancelled
  }
}
