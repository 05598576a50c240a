import HTTPTypes
import Hummingbird
import NIOCore

/// Finds the operation of a request, and lets the fault stand around it.
struct Routes: HTTPResponder {
  typealias Context = Connection

  private let shop: Shop
  private let fault: Fault?
  private let faulty: Operation?
  private let paths: [Path]

  /// A path of the document with its operations.
  private struct Path {
    var template: String
    var segments: [Substring]
    var operations: [Operation]
  }

  init(shop: Shop, fault: Fault?) {
    self.shop = shop
    self.fault = fault
    faulty = Operation.all.first { $0.id == fault?.operation }
    var paths: [Path] = []
    for operation in Operation.all {
      if let index = paths.firstIndex(where: { $0.template == operation.path }) {
        paths[index].operations.append(operation)
      } else {
        let segments = operation.path.split(separator: "/")
        paths.append(Path(template: operation.path, segments: segments, operations: [operation]))
      }
    }
    self.paths = paths
  }

  func respond(to request: Request, context: Connection) async throws -> Response {
    let answer = await answer(request, context)
    return request.method == .head ? answer.response.createHeadResponse() : answer.response
  }

  private func answer(_ request: Request, _ context: Connection) async -> Answer {
    do {
      let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let body = try await body(of: request)
      guard let (path, parameters) = try match(target[0]) else { throw Problem.notFound("path") }
      let call = Call(
        shop: shop, template: path.template, target: String(target[0]), method: request.method,
        path: parameters,
        query: try Query(target.count > 1 ? target[1] : ""), headers: request.headers, body: body,
        skipped: fault?.skipped, hangUp: { [channel = context.channel] in channel.close(promise: nil) })
      guard let fault, case .around(let hook) = fault.hook, let faulty, faulty.path == path.template,
        fault.isOfPath || faulty.method == request.method
      else { return answer(call, path.operations) }
      return await hook(call) { answer($0, path.operations) }
    } catch let problem as Problem {
      return problem.answer
    } catch {
      return Problem.badRequest("The request ends early.").answer
    }
  }

  private func answer(_ call: Call, _ operations: [Operation]) -> Answer {
    do {
      let method = call.method == .head ? .get : call.method
      guard let operation = operations.first(where: { $0.method == method }) else {
        let allowed = operations.flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
        throw Problem.methodNotAllowed(allowed)
      }
      return try operation.handle(try Gate.admit(call, to: operation))
    } catch let problem as Problem {
      return problem.answer
    } catch {
      return Answer(.internalServerError)
    }
  }

  /// Reads all of the body and keeps a little more than is allowed of it.
  private func body(of request: Request) async throws -> [UInt8] {
    var body: [UInt8] = []
    for try await part in request.body where body.count <= 1 << 20 { body += Array(buffer: part) }
    return body
  }

  private func match(_ target: Substring) throws -> (Path, [String: String])? {
    let found = target.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard target.hasPrefix("/"), !found.contains("") else { return nil }
    let path = try paths.first { path in
      try path.segments.count == found.count
        && zip(path.segments, found).allSatisfy {
          try $0.hasPrefix("{") || $0 == Query.decoded($1.utf8, isQuery: false)[...]
        }
    }
    guard let path else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(path.segments, found) where segment.hasPrefix("{") {
      parameters[String(segment.dropFirst().dropLast())] = try Query.decoded(text.utf8, isQuery: false)
    }
    return (path, parameters)
  }
}
