import MurphyModel
import MurphyTransport

/// A request that is ready to be sent, with the operation that it belongs to.
struct PreparedRequest {
  /// Index into the contract's operations.
  var operation: Int
  var http: HTTPRequest
}
