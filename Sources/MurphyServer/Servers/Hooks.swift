import Hummingbird
import NIOCore

/// The places where faults take hold, in the order in which a request passes them. Without faults all are empty.
struct Hooks: Sendable {
  /// Before the request is looked at, with its connection.
  var connection = Hook<any Channel, Void>()
  /// Before the request is looked at: the nanoseconds that it waits, from the time on the monotonic clock.
  var delay = Hook<Int64, Int64>()
  /// Whether the limiter counts a request that is refused for its own mistake.
  var countsMistakes = Hook<Caller, Bool>()

  /// What the limiter of one policy enforces; asked once, when the server starts.
  var limitRule = Hook<LimitRule, LimitRule>()
  /// The key on which the limiter counts.
  var limitKey = Hook<Caller, String>()
  /// What the limiter decides; nil for no limiter.
  var limitDecision = Hook<LimitQuestion, LimitDecision?>()
  /// The header fields that tell of a decision.
  var rateFields = Hook<RateStatement, [(String, String)]>()
  /// The answer to a refused request.
  var refusal = Hook<Refusal, Answer>()

  /// The page of laws that the store finds.
  var list = Hook<LawQuery, LawPage>()
  /// One law, as the store holds it.
  var law = Hook<Law, Law>()
  /// The law that the store features on a day.
  var lawOfTheDay = Hook<String, Law?>()
  /// Stores a submission; its id.
  var submit = Hook<Submission, Int>()
  /// Stores a vote; the counts afterwards, or nil without such a law.
  var vote = Hook<Vote, VoteCounts?>()

  /// The whole answer to a request that succeeded: status, headers and body.
  var answer = Hook<Answer, Answer>()
  /// The same for an error or a refusal that the contract documents.
  var error = Hook<Answer, Answer>()
  /// How the answer leaves the server.
  var departure = Hook<Departure, Response>()
}

/// An answer on its way to the client.
struct Departure: Sendable {
  var answer: Answer
  var channel: any Channel
}
