import GRDB
import HTTPTypes
import Hummingbird

/// A running reference API: its database, and its handling of requests. Each system has one, in its own folder.
package protocol ReferenceSystem: Sendable {
  var database: any DatabaseWriter { get }

  /// The endpoints of its operations. Endpoints store the hooks of their system, because a look-up costs more than a
  /// hook.
  func endpoints(_ hooks: Hooks) -> [Endpoint]

  /// The sender of a request by its own headers; nil if they do not identify one.
  /// - Throws: the response to a client without access.
  func client(of request: Request, for operation: Operation) throws -> Client?

  /// Writes the fields of the response to an invalid request.
  func write(_ error: APIError, _ json: inout JSONWriter)

  /// Writes the fields of a rejection.
  func write(_ refusal: Refusal, _ json: inout JSONWriter)

  /// The headers that pages of other origins may send, as `Access-Control-Allow-Headers` lists them.
  var requestHeaders: String { get }
}

extension ReferenceSystem {
  /// The request headers that CORS allows.
  package var requestHeaders: String { "Authorization, Content-Type" }
}

/// The path of one request through the server: reading, the limiter, the response and its stamp, with a hook at each
/// place for faults.
struct Service: Sendable {
  let system: any ReferenceSystem
  let hooks: Hooks
  private let gate: PolicyLimiters
  private let stamp: RequestStamp

  init(_ api: ReferenceAPI, _ system: any ReferenceSystem, _ options: ReferenceOptions, _ hooks: Hooks) async throws {
    self.system = system
    self.hooks = hooks
    gate = try await PolicyLimiters(options.limits, of: api, hooks: hooks)
    stamp = RequestStamp(seed: options.seed)
  }

  func respond(to request: Request, _ context: ServerContext, _ endpoint: Endpoint) async throws -> Response {
    let operation = endpoint.operation
    try await hooks.connection(context.channel, of: operation) { _ in }
    let delay = try await hooks.delay(MonotonicClock.now(), of: operation) { _ in 0 }
    if delay > 0 { try await Task.sleep(for: .nanoseconds(delay)) }
    var answer = try await answer(request, context, endpoint)
    stamp.apply(to: &answer)
    if answer.status.code < 400 { answer = try await hooks.answer(answer, of: operation) { $0 } }
    let departure = Departure(answer: answer, channel: context.channel)
    return try await hooks.departure(departure, of: operation) { $0.answer.response }
  }

  /// The response to a request that no endpoint has answered.
  func response(to error: APIError) async throws -> Response {
    var answer = try await answer(to: error, of: nil)
    stamp.apply(to: &answer)
    return answer.response
  }

  private func answer(to error: APIError, of operation: Operation?) async throws -> Answer {
    try await hooks.error(system.answer(to: error), of: operation) { $0 }
  }

  private func answer(_ request: Request, _ context: ServerContext, _ endpoint: Endpoint) async throws -> Answer {
    let operation = endpoint.operation
    do {
      do {
        return try await limited(request, context, endpoint)
      } catch let error as APIError {
        return try await answer(to: error, of: operation)
      } catch let refusal as Refusal {
        return try await hooks.error(answer(to: refusal, of: operation), of: operation) { $0 }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return .internalError("\(error)")
    }
  }

  private func limited(_ request: Request, _ context: ServerContext, _ endpoint: Endpoint) async throws -> Answer {
    let operation = endpoint.operation
    let client = try system.client(of: request, for: operation)
    let caller = Caller(request, client, peer: context.channel.remoteAddress)
    let work = try await read(Incoming(request: request, id: context.parameters.get("id"), caller: caller), endpoint)
    let fields = try await gate.admit(caller, to: operation, weight: work.weight)
    do {
      var answer = try await work.answer()
      answer.add(fields)
      return answer
    } catch let error as APIError {
      // A mistake that is found only during the work: the request has been counted.
      var answer = system.answer(to: error)
      answer.add(fields)
      return try await hooks.error(answer, of: operation) { $0 }
    }
  }

  /// The work of the request. An invalid request is not counted.
  private func read(_ incoming: Incoming, _ endpoint: Endpoint) async throws -> Work {
    do {
      return try await endpoint.read(incoming)
    } catch let mistake as APIError {
      let isCounted = try await hooks.countsMistakes(incoming.caller, of: endpoint.operation) { _ in false }
      if isCounted { _ = try await gate.admit(incoming.caller, to: endpoint.operation, weight: 1) }
      throw mistake
    }
  }

  private func answer(to refusal: Refusal, of operation: Operation) async throws -> Answer {
    try await hooks.refusal(refusal, of: operation) { refusal in
      var answer = system.answer(to: refusal)
      answer.add(try await gate.fields(refusal))
      return answer
    }
  }
}

extension Answer {
  fileprivate mutating func add(_ fields: [(String, String)]) {
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
  }
}
