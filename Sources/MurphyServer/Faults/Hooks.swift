import Hummingbird
import NIOCore

/// The places for faults, in the order in which a request passes them. Without faults all are empty.
package struct Hooks: Sendable {
  /// Before the request is read, with its connection.
  var connection = Hook<any Channel, Void>()
  /// Before the request is read: the wait in nanoseconds, from the time on the monotonic clock.
  package var delay = Hook<Int64, Int64>()
  /// True if the limiter counts a request that is rejected because it is invalid.
  var countsMistakes = Hook<Caller, Bool>()

  /// The rule of the limiter of one policy; called once, when the server starts.
  var limiterRule = Hook<LimiterRule, LimiterRule>()
  /// The key on which the limiter counts.
  var limitKey = Hook<Caller, String>()
  /// The decision of the limiter; nil for no limiter.
  package var limiterDecision = Hook<LimitQuestion, LimiterDecision?>()
  /// The headers that report a decision.
  var rateFields = Hook<RateStatement, [(String, String)]>()
  /// The response to a rejected request.
  var refusal = Hook<Refusal, ServerResponse>()

  /// The whole response to a successful request: status, headers and body.
  package var response = Hook<ServerResponse, ServerResponse>()
  /// The same for an error or a rejection that the contract documents.
  package var error = Hook<ServerResponse, ServerResponse>()
  /// The transmission of the response.
  var departure = Hook<Departure, Response>()

  /// The hooks of one system, by their type.
  private var own: [ObjectIdentifier: any SystemHooks] = [:]

  /// The hooks that a system adds: `extension Hooks { var laws: LawHooks { … } }` is in its folder. Endpoints store the
  /// hooks that they use, because a look-up costs more than a hook.
  package subscript<Own: SystemHooks>(_ type: Own.Type) -> Own {
    get { own[ObjectIdentifier(type)] as? Own ?? Own() }
    set { own[ObjectIdentifier(type)] = newValue }
  }
}

/// The places for faults in the work of one system. Without faults all are empty.
package protocol SystemHooks: Sendable {
  init()
}

/// A response that is being sent to the client.
struct Departure: Sendable {
  var response: ServerResponse
  var channel: any Channel
}

/// A named place in the correct server whose outcome a fault may override.
///
/// Overrides are nested in the order in which they were added. Each receives the input and a function for the remaining
/// overrides, which ends in the correct server's work.
package struct Hook<Input: Sendable, Output: Sendable>: Sendable {
  /// The remaining overrides, and the work of the correct server after them.
  package typealias Rest = (Input) async throws -> Output
  /// Replaces the outcome, or changes the input or the outcome of `Rest`.
  package typealias Override = @Sendable (Input, Rest) async throws -> Output

  private struct Entry: Sendable {
    /// Called once for each call, and so counts the calls of an intermittent fault.
    var applies: @Sendable (Operation?) -> Bool
    var override: Override
  }

  private var entries: [Entry] = []

  package init() {}

  mutating func add(when applies: @escaping @Sendable (Operation?) -> Bool, _ override: @escaping Override) {
    entries.append(Entry(applies: applies, override: override))
  }

  /// The outcome of `input` in a request of `operation`. Costs one comparison in a server without faults.
  package func callAsFunction(_ input: Input, of operation: Operation?, honestly: Rest) async throws -> Output {
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
