import HTTPTypes
import Hummingbird

/// The way of one request through the server: faults of transport and delay, reading, the limiter, the answer, its
/// stamp, and the faults that spoil it.
struct EndpointResponder<E: Endpoint>: HTTPResponder {
  let endpoint: E
  let service: Service

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await service.transport.disturb(E.operation, on: context.channel)
    try await service.delays.wait(before: E.operation)
    var answer = try await answer(request, context)
    service.stamp.apply(to: &answer)
    service.spoiler.spoil(&answer, of: E.operation)
    return service.transport.response(for: answer, of: E.operation, on: context.channel)
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Answer {
    let caller = Caller(request, peer: context.channel.remoteAddress)
    do {
      return try await limited(request, caller, id: context.parameters.get("id"))
    } catch let error as APIError {
      return error.answer(isBare: service.faults.has(.bareError))
    } catch let refusal as Refusal {
      if service.faults.has(.limitSilent), let silent = try await silence(request, caller, context) { return silent }
      if service.faults.has(.slow429) { try await Task.sleep(for: .milliseconds(1500)) }
      var answer = refusal.answer(service.faults)
      answer.add(service.gate.fields(refusal))
      return answer
    } catch let error as CancellationError {
      throw error
    } catch {
      return .internalError("\(error)")
    }
  }

  private func limited(_ request: Request, _ caller: Caller, id: String?) async throws -> Answer {
    try caller.check()
    var fields: [(String, String)] = []
    if service.faults.has(.limitCountsFailed) { fields = try await service.gate.admit(caller, to: E.operation.policy) }
    let input = try await endpoint.read(request, id: id)
    if !service.faults.has(.limitCountsFailed) { fields = try await service.gate.admit(caller, to: E.operation.policy) }
    var answer = try await endpoint.answer(input, to: caller)
    answer.add(fields)
    return answer
  }

  /// The answer of a limiter that drops votes and says that all is well; nil for what is not a vote.
  private func silence(_ request: Request, _ caller: Caller, _ context: ServerContext) async throws -> Answer? {
    guard E.operation.policy == .votes, let law = context.parameters.get("id").flatMap({ Int($0) }) else { return nil }
    return try service.store.counts(of: law).map { .voteCounts($0) }
  }
}

extension Answer {
  fileprivate mutating func add(_ fields: [(String, String)]) {
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
  }
}
