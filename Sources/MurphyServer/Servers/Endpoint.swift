import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An operation of a reference API, named as in its contract: `extension Operation { static let getLaw = … }` is in the
/// folder of its system.
package struct Operation: Hashable, Sendable {
  /// The `operationId`.
  package let name: String
  package let method: HTTPRequest.Method
  /// With `:id` in place of `{id}` in the contract.
  package let path: String
  /// The limit that counts its requests; nil for none.
  package let limit: ReferenceLimit?

  /// `path` has `:id` where the contract has `{id}`.
  package init(_ name: String, _ method: HTTPRequest.Method, _ path: String, limit: ReferenceLimit?) {
    self.name = name
    self.method = method
    self.path = path
    self.limit = limit
  }

  /// Operations of two systems with one name are never served together.
  package static func == (a: Operation, b: Operation) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The handler for the requests of one operation.
package struct Endpoint: Sendable {
  package let operation: Operation
  /// Reads and validates a request.
  package let read: @Sendable (Incoming) async throws -> Work

  /// `read` validates the request; the work that it returns runs after the limiter.
  package init(_ operation: Operation, _ read: @escaping @Sendable (Incoming) async throws -> Work) {
    self.operation = operation
    self.read = read
  }
}

/// The work of a request after reading it. The limiter runs between reading and doing: an invalid request is not
/// counted.
package struct Work: Sendable {
  /// The number of times the request counts with the limiter.
  package var weight: Int
  /// Does the work; runs after the limiter has admitted the request.
  package var response: @Sendable () async throws -> ServerResponse

  /// `weight` is the number of times that the limiter counts the request.
  package init(weight: Int = 1, response: @escaping @Sendable () async throws -> ServerResponse) {
    self.weight = weight
    self.response = response
  }
}

/// The input of an endpoint.
package struct Incoming: Sendable {
  package var request: Request
  /// The `id` in the path, if it has one.
  package var id: String?
  package var caller: Caller

  /// The parameters of the request.
  package var query: QueryString { QueryString(request.uri.query) }

  /// The fields of the body; see `RequestFields`.
  package func fields(_ known: Set<String>) async throws -> RequestFields {
    try RequestFields(try await RequestValue(bodyOf: request), known: known)
  }

  /// The fields of a body in form encoding.
  package func form() async throws -> RequestFields {
    let body = try await request.bytes(of: "application/x-www-form-urlencoded", limit: RequestValue.largestBody)
    return RequestFields(form: QueryString(String(buffer: body)))
  }

  /// The parts of a `multipart/form-data` body.
  ///
  /// - Parameter limit: the maximum bytes of the body.
  package func multipart(limit: Int) async throws -> MultipartForm {
    let body = try await request.bytes(of: "multipart/form-data", limit: limit)
    return try MultipartForm(Data(body.readableBytesView), contentType: request.headers[.contentType] ?? "")
  }

  /// The `id` in the path as a number.
  package func integerID() throws(APIError) -> Int { try QueryString.integer(id ?? "", "id", 1...1_000_000_000) }

  /// The `id` in the path as a UUID, in lower case.
  package func uuid() throws(APIError) -> String {
    guard let uuid = id?.lowercasedUUID else { throw .invalid("id", "id must be a UUID.") }
    return uuid
  }
}

/// The sender of a request, as the server identifies it.
package struct Caller: Sendable, Equatable {
  /// The client in its own headers, if the system reads any.
  var client: Client?
  /// The address of the connection's peer.
  var address: String
  /// The first name in `X-Forwarded-For`, which any client may write. The correct server ignores it.
  var forwarded: String?
  var path: String
  /// The address and the port of the connection's peer.
  private let peer: SocketAddress?

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  init(_ request: Request, _ client: Client?, peer: SocketAddress?) {
    self.client = client
    self.peer = peer
    address = peer?.ipAddress ?? "unknown"
    forwarded = request.headers[Self.forwardedFor].flatMap { $0.split(separator: ",").first }.map(String.init)
    path = request.uri.path
  }

  /// The name under which requests are counted: the client, otherwise the address. No proxy is in front of this server.
  /// Any client may write forwarding headers, so they are ignored.
  package var name: String { client?.name ?? "address " + address }

  /// The name of the TCP connection.
  var connection: String { "\(address):\(peer?.port ?? 0)" }

  /// The account of the request; 0 if no login is required.
  package var account: Int { client?.account ?? 0 }
}

/// The sender in the headers of a request.
package struct Client: Sendable, Equatable {
  /// The name under which requests are counted: `device 550e…`, `token 7f…`.
  package var name: String
  /// The account, if the system has accounts.
  package var account = 0

  package init(name: String, account: Int = 0) {
    self.name = name
    self.account = account
  }
}

/// The bearer token of a request (RFC 6750, section 2.1).
package enum BearerToken {
  /// Nil without a bearer token.
  package static func read(_ request: Request) -> String? {
    guard let value = request.headers[.authorization] else { return nil }
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}
