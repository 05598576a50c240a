/// A text that an answer of the run gave to a session, which saved it: a token of a login, a key of a new account.
///
/// The facts alone; whether the target made the value for this answer is for the limit judge to say.
public struct IssuedValue: Sendable, Hashable {
  public var value: String
  /// Where it stood: operation and place of the answer, the same for every answer of that kind.
  public var issuer: String
  /// What was asked: equal where method, URL, header fields, body and source address were equal, values drawn in this
  /// run apart. Empty where the request also sent what the log does not hold, as cookies of the jar.
  public var request: String
  public var sent: Instant
  public var answered: Instant
  /// What was sent for it: an entry of the log's requests; -1 where it was not kept.
  public var login: Int32 = -1
  /// How a script finds the value in the answer.
  package var place = Place.unknown

  package enum Place: Sendable, Hashable {
    case unknown
    /// In the language of jq.
    case body(filter: String)
    case header(String)
  }

  public init(value: String, issuer: String, request: String, sent: Instant, answered: Instant) {
    self.value = value
    self.issuer = issuer
    self.request = request
    self.sent = sent
    self.answered = answered
  }
}
