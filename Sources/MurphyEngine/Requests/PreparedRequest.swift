import MurphyModel
import MurphyScenario
import MurphyTransport

/// A request that is ready to be sent, with the operation that it belongs to.
struct PreparedRequest {
  /// Index into the contract's operations.
  var operation: Int
  var http: HTTPRequest
  /// Statuses that the step expects by name: a 404 that was asked for is no error.
  var expected: [StatusPattern] = []
  /// Variables that the step's templates read.
  var reads: [Variable] = []

  /// Whether the scenario asked for just this failure. A refusal stays one, expected or not.
  func expects(failure status: Int) -> Bool {
    status >= 400 && status != 429 && expected.contains { $0.matches(status) }
  }
}
