import MurphyModel
import MurphyScenario
import MurphyTransport

/// A request that is ready to be sent, with the operation that it belongs to.
struct PreparedRequest {
  /// Index into the contract's operations.
  var operation: Int
  var http: HTTPRequest
  /// The step that asks for it; nil in a session written in Swift.
  var call: Call?
  /// Where its answer is kept; nil where it is not.
  var keptUnder: KeptAnswers.Place?

  /// Variables that the step's templates read.
  var reads: [Variable] { call?.variables ?? [] }

  /// Whether the scenario asked for just this failure: a 404 that was asked for is not an error. A refusal stays one,
  /// expected or not.
  func expects(failure status: Int) -> Bool {
    guard status >= 400, status != 429, let call else { return false }
    return call.step.checks.statuses.contains { $0.matches(status) }
  }
}
