import MurphyContract
import MurphyScenario
import MurphyTransport

/// Writes requests by the contract; those that are always the same are written once. One per loop.
final class RequestWriter {
  private let context: RunContext
  private var constants: [ObjectIdentifier: PreparedRequest] = [:]

  init(context: RunContext) { self.context = context }

  /// A request that was kept for a constant step, without the sender's headers.
  func constant(_ call: Call) -> PreparedRequest? { call.isConstant ? constants[ObjectIdentifier(call)] : nil }

  func keep(_ request: PreparedRequest) {
    if let call = request.call, call.isConstant { constants[ObjectIdentifier(call)] = request }
  }

  func write(_ call: OperationCall) throws(RequestError) -> PreparedRequest {
    let credentials = context.credentials[call.operation]
    return PreparedRequest(
      operation: call.operation, http: try call.request(context.contract, credentials: credentials))
  }
}
