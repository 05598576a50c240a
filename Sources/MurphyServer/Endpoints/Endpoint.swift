import Hummingbird

/// One operation of the API. What it reads and what it does are apart, since the limiter stands between them: a request
/// with a mistake of its own is not counted.
protocol Endpoint: Sendable {
  associatedtype Input: Sendable

  static var operation: Operation { get }

  /// Reads and checks the request; `id` is the path's, where it has one.
  func read(_ request: Request, id: String?) async throws -> Input

  /// Does what was asked for.
  func answer(_ input: Input, to caller: Caller) async throws -> Answer
}
