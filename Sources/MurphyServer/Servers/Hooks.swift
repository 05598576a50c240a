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

  /// The whole answer to a request that succeeded: status, headers and body.
  var answer = Hook<Answer, Answer>()
  /// The same for an error or a refusal that the contract documents.
  var error = Hook<Answer, Answer>()
  /// How the answer leaves the server.
  var departure = Hook<Departure, Response>()

  /// The places of one system, by their type.
  private var own: [ObjectIdentifier: any SystemHooks] = [:]

  /// The places that a system adds: `extension Hooks { var laws: LawHooks { … } }` stands in its folder. Endpoints keep
  /// what they need of them, for a look-up costs more than a hook.
  subscript<Own: SystemHooks>(_ type: Own.Type) -> Own {
    get { own[ObjectIdentifier(type)] as? Own ?? Own() }
    set { own[ObjectIdentifier(type)] = newValue }
  }
}

/// The places where faults take hold in what one system does. Without faults all are empty.
protocol SystemHooks: Sendable {
  init()
}

/// An answer on its way to the client.
struct Departure: Sendable {
  var answer: Answer
  var channel: any Channel
}
