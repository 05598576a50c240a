import HTTPTypes
import Hummingbird

/// The way of one request through the server: reading, the limiter, the answer and its stamp, with a hook wherever a
/// fault may take hold.
struct EndpointResponder<E: Endpoint>: HTTPResponder {
  let endpoint: E
  let service: Service

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await service.hooks.connection(context.channel, of: E.operation) { _ in }
    let delay = try await service.hooks.delay(MonotonicClock.now(), of: E.operation) { _ in 0 }
    if delay > 0 { try await Task.sleep(for: .nanoseconds(delay)) }
    var answer = try await answer(request, context)
    service.stamp.apply(to: &answer)
    if answer.status.code < 400 { answer = try await service.hooks.answer(answer, of: E.operation) { $0 } }
    let departure = Departure(answer: answer, channel: context.channel)
    return try await service.hooks.departure(departure, of: E.operation) { $0.answer.response }
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Answer {
    do {
      do {
        return try await limited(request, context)
      } catch let error as APIError {
        return try await service.hooks.error(service.system.errors.mistake(error), of: E.operation) { $0 }
      } catch let refusal as Refusal {
        return try await service.hooks.error(answer(refusal), of: E.operation) { $0 }
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return .internalError("\(error)")
    }
  }

  private func limited(_ request: Request, _ context: ServerContext) async throws -> Answer {
    let client = try service.system.client(of: request, for: E.operation)
    let caller = Caller(request, client, peer: context.channel.remoteAddress)
    let input = try await read(request, caller, context.parameters.get("id"))
    let fields = try await service.gate.admit(caller, to: E.operation, weight: endpoint.weight(of: input))
    do {
      var answer = try await endpoint.answer(input, to: caller)
      answer.add(fields)
      return answer
    } catch let error as APIError {
      // A mistake that shows only while the work is done: the request has been counted.
      var answer = service.system.errors.mistake(error)
      answer.add(fields)
      return try await service.hooks.error(answer, of: E.operation) { $0 }
    }
  }

  /// What the request asks for. One with a mistake of its own is not counted.
  private func read(_ request: Request, _ caller: Caller, _ id: String?) async throws -> E.Input {
    do {
      return try await endpoint.read(request, id: id, from: caller)
    } catch let mistake as APIError {
      let isCounted = try await service.hooks.countsMistakes(caller, of: E.operation) { _ in false }
      if isCounted { _ = try await service.gate.admit(caller, to: E.operation, weight: 1) }
      throw mistake
    }
  }

  private func answer(_ refusal: Refusal) async throws -> Answer {
    try await service.hooks.refusal(refusal, of: E.operation) { refusal in
      var answer = service.system.errors.refusal(refusal)
      answer.add(try await service.gate.fields(refusal))
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
