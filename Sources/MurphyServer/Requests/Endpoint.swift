import Hummingbird

/// An operation of a reference API, named as in its contract: `extension Operation { static let getLaw = … }` stands in
/// the folder of its system.
package struct Operation: Hashable, Sendable {
  /// The `operationId`.
  package let name: String
  let method: HTTPRequest.Method
  /// With `:id` where the contract has `{id}`.
  let path: String
  /// The limit that its requests are counted on; nil for none.
  package let limit: ReferenceLimit?

  init(_ name: String, _ method: HTTPRequest.Method, _ path: String, limit: ReferenceLimit?) {
    self.name = name
    self.method = method
    self.path = path
    self.limit = limit
  }

  /// Of two systems, operations of one name are never served side by side.
  package static func == (a: Operation, b: Operation) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What a system does with the requests of one operation.
struct Endpoint: Sendable {
  let operation: Operation
  /// Reads and checks a request.
  let read: @Sendable (Incoming) async throws -> Work

  init(_ operation: Operation, _ read: @escaping @Sendable (Incoming) async throws -> Work) {
    self.operation = operation
    self.read = read
  }
}

/// What a request asks for, once it was read. The limiter stands between reading and doing: a request with a mistake of
/// its own is not counted.
struct Work: Sendable {
  /// How many times the request counts with the limiter.
  var weight = 1
  var answer: @Sendable () async throws -> Answer
}

/// A request as an endpoint reads it.
struct Incoming: Sendable {
  var request: Request
  /// The `id` of the path, where it has one.
  var id: String?
  var caller: Caller

  var query: QueryString { QueryString(request.uri.query) }

  /// The fields of the body; see `RequestFields`.
  func fields(_ known: Set<String>) async throws -> RequestFields {
    try RequestFields(try await RequestValue(bodyOf: request), known: known)
  }

  /// The `id` of the path as a number.
  func integerID() throws(APIError) -> Int { try QueryString.integer(id ?? "", "id", 1...1_000_000_000) }

  /// The `id` of the path as a UUID, in lower case.
  func uuid() throws(APIError) -> String {
    guard let uuid = id?.lowercasedUUID else { throw .invalid("id", "id must be a UUID.") }
    return uuid
  }
}
