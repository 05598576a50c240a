import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// One way to call an operation: values for its parameters. The requests of a load and of a probe are both written
/// here.
package struct OperationCall {
  /// Index into the contract's operations.
  package var operation: Int
  /// A path and query that replace the operation's own.
  package var url: String?
  /// Values by parameter name; each is encoded when the request is written.
  package var path: [String: JSONValue] = [:]
  /// A name may occur several times.
  package var query: [(String, JSONValue)] = []
  package var headers: [(String, JSONValue)] = []
  package var cookies: [(String, JSONValue)] = []
  /// Nil for a request without content.
  package var body: RequestBody?
  /// Nil for the default of the run.
  package var timeout: Duration?
  package var stream: StreamPatience?

  /// A call of an operation without any values.
  package init(operation: Int) { self.operation = operation }

  /// The request as the contract defines it, with the credentials that the environment gives for the operation.
  ///
  /// - Throws: a `RequestError` for values that cannot be written by the contract.
  package func request(_ contract: Contract, credentials: Credentials) throws(RequestError) -> HTTPRequest {
    var target = try contract.request(
      operation: operation, url: url, path: path, query: query + credentials.query.map { ($0.name, .string($0.value)) },
      headers: headers, cookies: cookies + credentials.cookies.map { ($0.name, .string($0.value)) })
    for field in credentials.headers where !target.headers.names(field.name) { target.headers.append(field) }
    var bytes: [UInt8]?
    var made: RequestContent?
    switch body {
    case .bytes(let contentType, let content)?:
      if !target.headers.names("Content-Type") { target.headers.append(HeaderField("Content-Type", contentType)) }
      bytes = content
    case .form(let fields)?:
      let body = try contract.body(
        operation: operation, .object(fields), contentType: "application/x-www-form-urlencoded")
      if !target.headers.names("Content-Type") { target.headers.append(HeaderField("Content-Type", body.contentType)) }
      bytes = body.bytes
    case .multipart(let form, let boundary)?:
      target.headers.put(HeaderField("Content-Type", "multipart/form-data; boundary=\(boundary)"))
      bytes = form.bytes(boundary: boundary)
      made = .form(form)
    case .file(let file, let contentType)?:
      if !target.headers.names("Content-Type") { target.headers.append(HeaderField("Content-Type", contentType)) }
      bytes = file.bytes
      made = .file(path: file.path, size: file.bytes.count)
    case nil: break
    }
    var http = HTTPRequest(
      method: target.method, target: target.pathAndQuery, headers: target.headers, body: bytes, timeout: timeout,
      content: made, stream: stream)
    http.label = operation
    return http
  }
}

extension OperationCall {
  /// Creates a call from a step of a scenario.
  ///
  /// - Parameters:
  ///   - boundary: a number from the session's random stream, for the boundary of a multipart body.
  ///   - evaluate: returns the value of a template; nil omits the parameter.
  package init<Failure>(
    _ step: CallStep, operation: Int, boundary: () -> UInt64 = { 0 },
    evaluate: (Template) throws(Failure) -> JSONValue?
  ) throws(Failure) {
    self.init(operation: operation)
    timeout = step.timeout
    stream = step.stream
    for parameter in step.path { path[parameter.name] = try evaluate(parameter.value) }
    if let written = step.url ?? step.operation.undocumented?.url { url = try evaluate(written)?.interpolated }
    func values(_ parameters: [NamedTemplate]) throws(Failure) -> [(String, JSONValue)] {
      var values: [(String, JSONValue)] = []
      for parameter in parameters {
        if let value = try evaluate(parameter.value) { values.append((parameter.name, value)) }
      }
      return values
    }
    query = try values(step.query)
    headers = try values(step.headers)
    cookies = try values(step.cookies)
    switch step.body {
    case .json(let template, let contentType)?:
      body = try evaluate(template).map { .bytes(contentType: contentType, Array($0.text.utf8)) }
    case .text(let template, let contentType)?:
      body = try evaluate(template).map { .bytes(contentType: contentType, Array($0.interpolated.utf8)) }
    case .form(let templates)?:
      let pairs = try values(templates)
      guard pairs.count == templates.count else { break }
      var fields = JSONObject()
      for (name, value) in pairs { fields[name] = value }
      body = .form(fields)
    case .multipart(let templates)?:
      var form = MultipartForm()
      for template in templates {
        if let part = try Self.part(template, evaluate) { form.parts.append(part) }
      }
      let drawn = MultipartForm.boundary(drawn: boundary())
      if !form.parts.isEmpty { body = .multipart(form, boundary: drawn) }
    case .file(let file, let contentType)?: body = .file(file, contentType: contentType)
    case nil: break
    }
  }
}

extension OperationCall {
  /// A part with its value; nil for a null, which is not sent.
  private static func part<Failure>(
    _ template: PartTemplate, _ evaluate: (Template) throws(Failure) -> JSONValue?
  ) throws(Failure) -> MultipartForm.Part? {
    switch template.content {
    case .file(let file):
      return MultipartForm.Part(
        name: template.name, content: .file(path: file.path, file.bytes), fileName: template.fileName,
        type: template.type)
    case .value(let value):
      guard let value = try evaluate(value), value != .null else { return nil }
      let isJSON = value.array != nil || value.object != nil
      return MultipartForm.Part(
        name: template.name, content: .text(value.interpolated), fileName: template.fileName,
        type: template.type ?? (isJSON ? "application/json" : nil))
    }
  }
}

/// The content of a request, before it is written.
package enum RequestBody {
  case bytes(contentType: String, [UInt8])
  /// Written by the contract, as `application/x-www-form-urlencoded`.
  case form(JSONObject)
  case multipart(MultipartForm, boundary: String)
  case file(BodyFile, contentType: String)

  package init(_ body: Contract.Body) { self = .bytes(contentType: body.contentType, body.bytes) }
}

extension HTTPRequest {
  /// Adds the client's own headers. A header of the same name in the call takes precedence.
  package mutating func add(clientHeaders fields: [HeaderField]) {
    for field in fields where !headers.names(field.name) { headers.append(field) }
  }

  /// Adds the session's credentials. They take precedence over any header of that name.
  package mutating func add(_ credentials: Authentication.Credentials) {
    switch credentials.place {
    case .header: headers.put(HeaderField(credentials.name, credentials.value))
    case .cookie: headers.append(HeaderField("Cookie", "\(credentials.name)=\(credentials.value)"))
    case .query:
      let value = PercentEncoding.encode(credentials.value, keepingReserved: false)
      target += "\(target.contains("?") ? "&" : "?")\(credentials.name)=\(value)"
    }
  }
}
