import Hummingbird

/// One operation of an API. What it reads and what it does are apart, since the limiter stands between them: a request
/// with a mistake of its own is not counted.
protocol Endpoint: Sendable {
  associatedtype Input: Sendable

  static var operation: Operation { get }

  /// Reads and checks the request; `id` is the path's, where it has one.
  func read(_ request: Request, id: String?, from caller: Caller) async throws -> Input

  /// How many times the request counts with the limiter; 1 for most.
  func weight(of input: Input) -> Int

  /// Does what was asked for.
  func answer(_ input: Input, to caller: Caller) async throws -> Answer
}

extension Endpoint {
  func weight(of input: Input) -> Int { 1 }
}

/// A path of an API with its endpoints.
struct Route: Sendable {
  var path: RouterPath
  var endpoints: [(method: HTTPRequest.Method, endpoint: any Endpoint)]

  init(_ path: RouterPath, _ endpoints: (method: HTTPRequest.Method, endpoint: any Endpoint)...) {
    self.path = path
    self.endpoints = endpoints
  }
}

/// An operation of a reference API, named as in its contract: `extension Operation { static let getLaw = … }` stands in
/// the folder of its system.
package struct Operation: Hashable, Sendable {
  /// The `operationId`.
  package let name: String
  /// The limit that its requests are counted on; nil for none.
  package let limit: ReferenceLimit?

  init(_ name: String, limit: ReferenceLimit?) {
    self.name = name
    self.limit = limit
  }

  /// Of two systems, operations of one name are never served side by side.
  package static func == (a: Operation, b: Operation) -> Bool { a.name == b.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
