import MurphyContract
import MurphyJSON
import MurphyModel
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

  func write(
    operation: Int, url: String? = nil, path: [String: JSONValue] = [:], query: [(String, JSONValue)] = [],
    headers: [(String, JSONValue)] = [], cookies: [(String, JSONValue)] = [], body: RequestBody? = nil,
    timeout: Duration? = nil
  ) throws(RequestError) -> PreparedRequest {
    let credentials = context.credentials[operation]
    var target = try context.contract.request(
      operation: operation, url: url, path: path, query: query + credentials.query.map { ($0.name, .string($0.value)) },
      headers: headers, cookies: cookies + credentials.cookies.map { ($0.name, .string($0.value)) })
    for field in credentials.headers where !target.headers.names(field.name) { target.headers.append(field) }
    if let body, !target.headers.names("Content-Type") {
      target.headers.append(HeaderField("Content-Type", body.contentType))
    }
    var http = HTTPRequest(
      method: target.method, target: target.pathAndQuery, headers: target.headers, body: body?.bytes, timeout: timeout)
    http.label = operation
    return PreparedRequest(operation: operation, http: http)
  }
}
