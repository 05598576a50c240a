import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

extension SessionRun {
  func prepare(_ call: Call) throws(SessionEnd) -> PreparedRequest {
    if let lastConstant, lastConstant.call === call {
      lastConstant.http.keepBytes()
      return lastConstant
    }
    var request: PreparedRequest
    if let kept = loopRun.requests.constant(call) {
      request = kept
      request.http.keepBytes()
    } else {
      request = try write(call.step)
      request.call = call
      loopRun.requests.keep(request)
    }
    try addClientHeaders(to: &request)
    if call.isConstant, client.isSteady { lastConstant = request }
    return request
  }

  private func write(_ step: CallStep) throws(SessionEnd) -> PreparedRequest {
    guard let operation = step.operation.index ?? loopRun.context.contract.index(of: step.operation.id) else {
      throw .failed("\(step.operation.id): no such operation in the contract")
    }
    var call = try OperationCall(step, operation: operation, boundary: { random.next() }) {
      template throws(SessionEnd) in try evaluate(template)
    }
    if let written = call.url { call.url = try url(written, of: step, operation) }
    do throws(RequestError) {
      return try loopRun.requests.write(call)
    } catch {
      throw .failed("\(step.operation.id): \(error)")
    }
  }

  /// The path and query that the step sets itself. Users stay at the target, and at the operation where there is one.
  private func url(_ written: String, of step: CallStep, _ operation: Int) throws(SessionEnd) -> String {
    var url = written
    let origin = loopRun.context.origin.text
    // A URL from a response may contain the target's origin.
    if url.hasPrefix(origin + "/") { url.removeFirst(origin.count) }
    guard url.hasPrefix("/"), !url.hasPrefix("//") else {
      throw .failed("\(step.operation.id): the url is not a path at the target, which begins with /")
    }
    let known = loopRun.context.contract.operations[operation]
    if step.url != nil, !known.isPath(url.prefix { $0 != "?" && $0 != "#" }) {
      throw .failed("\(step.operation.id): the url is not one of \(known.method) \(known.path)")
    }
    return String(url.prefix { $0 != "#" })
  }

  /// Adds the client's own headers and credentials. A header of the same name in the step takes precedence.
  func addClientHeaders(to request: inout PreparedRequest) throws(SessionEnd) {
    request.http.add(clientHeaders: headers)
    guard !client.isSteady else { return }
    for header in client.headers where !request.http.headers.names(header.name) {
      // Omitted until the session has saved the value that it reads.
      guard let value = try? evaluate(header.value), value != JSONValue.null else { continue }
      request.http.headers.append(HeaderField(header.name, value.interpolated))
    }
    if let authentication = client.authentication { authenticate(&request, authentication) }
  }

  /// If the session has not yet saved a required value, the request is sent without credentials.
  private func authenticate(_ request: inout PreparedRequest, _ authentication: Authentication) {
    guard let credentials = try? authentication.credentials(in: &scope, random: &random) else { return }
    request.http.add(credentials)
  }
}
