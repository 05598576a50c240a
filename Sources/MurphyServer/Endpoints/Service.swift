import Hummingbird

/// What all endpoints of a server share.
struct Service: Sendable {
  let system: any ReferenceSystem
  let gate: PolicyLimiters
  let stamp: RequestStamp
  let hooks: Hooks

  init(_ api: ReferenceAPI, _ system: any ReferenceSystem, _ options: ReferenceOptions, _ hooks: Hooks) async throws {
    self.system = system
    self.hooks = hooks
    gate = try await PolicyLimiters(options.limits, of: api, hooks: hooks)
    stamp = RequestStamp(seed: options.seed)
  }
}

/// A reference API at work: its database, and what it makes of requests. Each system has one, in a folder of its own.
protocol ReferenceSystem: Sendable {
  /// The paths of the API.
  func routes(_ hooks: Hooks) -> [Route]

  /// Who sends a request, as its own header fields say; nil if they say nothing.
  /// - Throws: what is answered to a client that may not come in.
  func client(of request: Request, for operation: Operation) throws -> Client?

  /// How the API words its errors.
  var errors: ErrorFormat { get }

  /// The header fields that pages of other origins may send, as `Access-Control-Allow-Headers` lists them.
  var requestHeaders: String { get }

  /// Closes the database.
  func close()
}
