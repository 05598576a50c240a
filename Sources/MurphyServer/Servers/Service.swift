import GRDB
import HTTPTypes
import Hummingbird
import Synchronization

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
  /// Nil if the server sends no spans.
  let exporter: SpanExporter?
  private let gate: PolicyLimiters
  private let stamp: RequestStamp

  init(_ api: ReferenceAPI, _ system: any ReferenceSystem, _ options: ReferenceOptions, _ hooks: Hooks) async throws {
    self.system = system
    self.hooks = hooks
    exporter = options.spanEndpoint.map { SpanExporter(endpoint: $0, service: api.name) }
    gate = try await PolicyLimiters(options.limits, of: api, hooks: hooks)
    stamp = RequestStamp(seed: options.seed)
  }

  func respond(to request: Request, _ context: ServerContext, _ endpoint: Endpoint) async throws -> Response {
    let operation = endpoint.operation
    let spans = RequestSpans(request, exporter)
    defer { spans?.finish("\(operation.method.rawValue) \(operation.path)") }
    try await hooks.connection(context.channel, of: operation) { _ in }
    let delay = try await hooks.delay(MonotonicClock.now(), of: operation) { _ in 0 }
    if delay > 0 { try await spans.part("wait for a worker") { try await Task.sleep(for: .nanoseconds(delay)) } }
    var response = try await response(request, context, endpoint, spans)
    stamp.apply(to: &response)
    if response.status.code < 400 { response = try await hooks.response(response, of: operation) { $0 } }
    let departure = Departure(response: response, channel: context.channel)
    return try await hooks.departure(departure, of: operation) { $0.response.httpResponse }
  }

  /// The response to a request that no endpoint handles.
  func response(to error: APIError) async throws -> Response {
    var response = try await response(to: error, of: nil)
    stamp.apply(to: &response)
    return response.httpResponse
  }

  private func response(to error: APIError, of operation: Operation?) async throws -> ServerResponse {
    try await hooks.error(system.response(to: error), of: operation) { $0 }
  }

  private func response(
    _ request: Request, _ context: ServerContext, _ endpoint: Endpoint, _ spans: RequestSpans?
  ) async throws -> ServerResponse {
    let operation = endpoint.operation
    do {
      do {
        return try await limited(request, context, endpoint, spans)
      } catch let error as APIError {
        return try await response(to: error, of: operation)
      } catch let refusal as Refusal {
        return try await hooks.error(response(to: refusal, of: operation), of: operation) { $0 }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return .internalError("\(error)")
    }
  }

  private func limited(
    _ request: Request, _ context: ServerContext, _ endpoint: Endpoint, _ spans: RequestSpans?
  ) async throws -> ServerResponse {
    let operation = endpoint.operation
    let client = try system.client(of: request, for: operation)
    let caller = Caller(request, client, peer: context.channel.remoteAddress)
    let incoming = Incoming(request: request, id: context.parameters.get("id"), caller: caller)
    let work = try await spans.part("read the request") { try await read(incoming, endpoint) }
    let fields = try await spans.part("check the limit") {
      try await gate.admit(caller, to: operation, weight: work.weight)
    }
    do {
      var response = try await spans.part("query and encode") { try await work.response() }
      response.add(fields)
      return response
    } catch let error as APIError {
      // A mistake that is found only during the work: the request has been counted.
      var response = system.response(to: error)
      response.add(fields)
      return try await hooks.error(response, of: operation) { $0 }
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

  private func response(to refusal: Refusal, of operation: Operation) async throws -> ServerResponse {
    try await hooks.refusal(refusal, of: operation) { refusal in
      var response = system.response(to: refusal)
      response.add(try await gate.fields(refusal))
      return response
    }
  }
}

extension ServerResponse {
  fileprivate mutating func add(_ fields: [(String, String)]) {
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
  }
}

/// Gives the server a capacity that is known for each request: `workers` requests are processed at a time, each for the
/// same time, in order of arrival. With a tail, one in twenty has another time.
///
///     capacity = workers / mean work        requests per second
///
/// The queue contains times, not tasks: a request waits once, until its work would be done, so that timer delays do not
/// accumulate.
final class WorkQueue: Sendable {
  private struct State {
    /// The time at which each worker is free, in nanoseconds.
    var free: [Int64]
    var random: SeededNumbers
  }

  private let state: Mutex<State>
  private let work: Int64
  private let tail: Int64

  /// - Parameters:
  ///   - tail: the work of one request in twenty; nil for the work of all others.
  ///   - seed: selects the requests of the tail.
  init(workers: Int, work: Duration, tail: Duration?, seed: UInt64) {
    state = Mutex(
      State(free: Array(repeating: .min, count: max(workers, 1)), random: SeededNumbers(seed: seed)))
    self.work = work.wholeNanoseconds
    self.tail = (tail ?? work).wholeNanoseconds
  }

  /// Nanoseconds from `now` until a request that arrives now has been processed.
  func join(at now: Int64) -> Int64 {
    state.withLock { state in
      guard let soonest = state.free.indices.min(by: { state.free[$0] < state.free[$1] }) else { return 0 }
      let own = tail == work || state.random.below(20) > 0 ? work : tail
      let end = max(state.free[soonest], now) + own
      state.free[soonest] = end
      return end - now
    }
  }
}

extension Hooks {
  /// Makes every request wait for a worker.
  mutating func add(_ queue: WorkQueue) {
    delay.add(when: { _ in true }) { now, rest in try await rest(now) + queue.join(at: now) }
  }
}

extension Duration {
  /// For the monotonic clock of the reference APIs, which counts nanoseconds.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
