import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

extension SessionRun {
  /// The step's request with this user's values.
  func prepare(_ call: Call) throws(SessionEnd) -> PreparedRequest {
    if let lastConstant, lastConstant.call === call {
      lastConstant.http.keepBytes()
      return lastConstant
    }
    var request: PreparedRequest
    if let kept = shard.requests.constant(call) {
      request = kept
      request.http.keepBytes()
    } else {
      request = try write(call.step)
      request.call = call
      shard.requests.keep(request)
    }
    try addClientHeaders(to: &request)
    if call.isConstant, client.isSteady { lastConstant = request }
    return request
  }

  private func write(_ step: CallStep) throws(SessionEnd) -> PreparedRequest {
    guard let operation = step.operation.index ?? shard.context.contract.index(of: step.operation.id) else {
      throw .failed("\(step.operation.id): no such operation in the contract")
    }
    var path: [String: JSONValue] = [:]
    for parameter in step.path { path[parameter.name] = try evaluate(parameter.value) }
    var url: String?
    if let request = step.operation.undocumented { url = try self.url(of: request) }
    let query = try evaluate(step.query)
    let headers = try evaluate(step.headers)
    let cookies = try evaluate(step.cookies)
    let body = try step.body.map { body throws(SessionEnd) in try write(body, operation) } ?? nil
    do throws(RequestError) {
      return try shard.requests.write(
        operation: operation, url: url, path: path, query: query, headers: headers, cookies: cookies, body: body,
        timeout: step.timeout)
    } catch {
      throw .failed("\(step.operation.id): \(error)")
    }
  }

  /// Path and query of a request outside of the contract; users stay at the target.
  private func url(of request: UndocumentedRequest) throws(SessionEnd) -> String {
    var url = try evaluate(request.url).interpolated
    let origin = shard.context.origin.text
    // What an answer gave may name the target.
    if url.hasPrefix(origin + "/") { url.removeFirst(origin.count) }
    guard url.hasPrefix("/"), !url.hasPrefix("//") else {
      throw .failed("\(request.id): the url is not a path at the target, which begins with /")
    }
    return String(url.prefix { $0 != "#" })
  }

  private func evaluate(_ parameters: [NamedTemplate]) throws(SessionEnd) -> [(String, JSONValue)] {
    var values: [(String, JSONValue)] = []
    for parameter in parameters { values.append((parameter.name, try evaluate(parameter.value))) }
    return values
  }

  private func write(_ body: BodyTemplate, _ operation: Int) throws(SessionEnd) -> RequestBody {
    let contract = shard.context.contract
    do {
      switch body {
      case .json(let template, let contentType):
        return RequestBody(contentType: contentType, bytes: Array(try evaluate(template).text.utf8))
      case .text(let template, let contentType):
        return RequestBody(contentType: contentType, bytes: Array(try evaluate(template).interpolated.utf8))
      case .form(let fields):
        var object = JSONObject()
        for field in fields { object[field.name] = try evaluate(field.value) }
        return RequestBody(
          try contract.body(
            operation: operation, .object(object), contentType: "application/x-www-form-urlencoded"))
      }
    } catch let end as SessionEnd {
      throw end
    } catch {
      throw .failed("\(contract.operations[operation].id): \(error)")
    }
  }

  /// The client's own headers and credentials; what the step says of the same name counts first.
  func addClientHeaders(to request: inout PreparedRequest) throws(SessionEnd) {
    for field in headers where !request.http.headers.names(field.name) { request.http.headers.append(field) }
    guard !client.isSteady else { return }
    for header in client.headers where !request.http.headers.names(header.name) {
      // Left out until the session has saved what it reads.
      guard let value = try? evaluate(header.value), value != JSONValue.null else { continue }
      request.http.headers.append(HeaderField(header.name, value.interpolated))
    }
    if let authentication = client.authentication { authenticate(&request, authentication) }
  }

  /// Without what the session has not saved yet, the request goes out as it is.
  private func authenticate(_ request: inout PreparedRequest, _ authentication: Authentication) {
    guard let credentials = try? authentication.credentials(in: &scope, random: &random) else { return }
    switch credentials.place {
    case .header: request.http.headers.put(HeaderField(credentials.name, credentials.value))
    case .cookie: request.http.headers.append(HeaderField("Cookie", "\(credentials.name)=\(credentials.value)"))
    case .query:
      let separator = request.http.target.contains("?") ? "&" : "?"
      request.http.target +=
        "\(separator)\(credentials.name)=\(PercentEncoding.encode(credentials.value, keepingReserved: false))"
    }
  }
}
