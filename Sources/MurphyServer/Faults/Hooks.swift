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

/// A named place in the honest server whose outcome a fault may override.
///
/// Overrides lie around each other in the order in which they were added: each is given the input and what comes after
/// it, which ends in what the honest server does.
struct Hook<Input: Sendable, Output: Sendable>: Sendable {
  typealias Rest = (Input) async throws -> Output
  typealias Override = @Sendable (Input, Rest) async throws -> Output

  private struct Entry: Sendable {
    /// Asked once for each call, and so counts the calls of a fault that strikes now and then.
    var applies: @Sendable (Operation?) -> Bool
    var override: Override
  }

  private var entries: [Entry] = []

  mutating func add(when applies: @escaping @Sendable (Operation?) -> Bool, _ override: @escaping Override) {
    entries.append(Entry(applies: applies, override: override))
  }

  /// What comes of `input` in a request of `operation`. Costs one comparison in a server without faults.
  func callAsFunction(_ input: Input, of operation: Operation?, honestly: Rest) async throws -> Output {
    if entries.isEmpty { return try await honestly(input) }
    return try await run(entries[...], input, operation, honestly)
  }

  private func run(
    _ entries: ArraySlice<Entry>, _ input: Input, _ operation: Operation?, _ honestly: Rest
  ) async throws -> Output {
    guard let entry = entries.first else { return try await honestly(input) }
    let later = entries.dropFirst()
    guard entry.applies(operation) else { return try await run(later, input, operation, honestly) }
    return try await entry.override(input) { try await run(later, $0, operation, honestly) }
  }
}
