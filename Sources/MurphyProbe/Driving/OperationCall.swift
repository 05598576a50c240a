import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyTransport

/// One way to call an operation: values for what it takes, and who asks.
struct OperationCall {
  /// Index into the contract's operations.
  var operation: Int
  var path: [String: JSONValue] = [:]
  var query: [(String, JSONValue)] = []
  var headers: [(String, JSONValue)] = []
  var cookies: [(String, JSONValue)] = []
  var body: Content?
  /// The client's own headers; those of the call count first.
  var clientHeaders: [HeaderField] = []
  var sourceAddress: String?

  /// A body and its media type.
  struct Content {
    var contentType: String
    var bytes: [UInt8]

    init(contentType: String, bytes: [UInt8]) {
      self.contentType = contentType
      self.bytes = bytes
    }

    init(_ body: Contract.Body) { self.init(contentType: body.contentType, bytes: body.bytes) }
  }

  /// - Throws: a `RequestError` for values that the contract cannot write.
  func request(_ contract: Contract, credentials: Credentials) throws(RequestError) -> HTTPRequest {
    var target = try contract.request(
      operation: operation, path: path, query: query + credentials.query.map { ($0.name, .string($0.value)) },
      headers: headers, cookies: cookies + credentials.cookies.map { ($0.name, .string($0.value)) })
    if let body { target.headers.append(HeaderField("Content-Type", body.contentType)) }
    for field in clientHeaders + credentials.headers where !target.headers.names(field.name) {
      target.headers.append(field)
    }
    return HTTPRequest(
      method: target.method, target: target.pathAndQuery, headers: target.headers, body: body?.bytes)
  }
}
