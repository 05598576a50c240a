import MurphyContract
import MurphyModel
import MurphySchema

/// Generates the required inputs of an operation from the document's examples, defaults and schemas.
struct CallDraft {
  /// The reason why a call cannot be written.
  struct Gap: Error {
    var reason: String
  }

  /// By operationId: the response statuses of operations without any success.
  var refused: [String: [Int]] = [:]
  /// By operationId: the error statuses of operations that also succeeded.
  var errors: [String: [StatusCount]] = [:]
  /// By operationId: the start of the body of a response with an error status.
  var excerpts: [String: String] = [:]
  /// Operations that require unique values from each user. They return 409 for a value that exists.
  var conflicting: Set<String> = []
  /// The operation from which each user gets its own token.
  var login: DraftLogin?
  /// Names of values that the session generates itself.
  var drawn: Set<String> = []
  private let contract: Contract
  private var sample: ContractSample

  init(_ contract: Contract) {
    self.contract = contract
    sample = ContractSample(contract)
    sample.writesExpressions = true
  }

  /// Statuses of requests with wrong values. They depend on the draft and not on the data of the target.
  private static let rejections: Set<Int> = [400, 422]
  private static let correct = "correct the values of this call"

  /// The received statuses, and the draft values for which they were received.
  private func comment(
    _ statuses: [Int], _ path: [(name: String, value: DraftedValue)], of operation: Contract.Operation
  ) -> String {
    let variables = path.compactMap { if case .variable(let name) = $0.value { name } else { nil } }
    let names = variables.filter { !drawn.contains($0) }
    let invented = variables.filter(drawn.contains)
    let advice =
      if statuses.contains(401) {
        "provide credentials that the API accepts"
      } else if statuses.contains(403) {
        "the API rejects the credentials, or values of the request"
      } else if !Self.rejections.isDisjoint(with: statuses) {
        Self.correct + (excerpts[operation.id].map { ": \($0)" } ?? "")
      } else if !Set(statuses).isSubset(of: [404, 410]) {
        excerpts[operation.id] ?? "`murphy try` shows the response"
      } else if !invented.isEmpty {
        "the path contained the generated value of \(invented.joined(separator: ", "))"
      } else if !names.isEmpty {
        "the path contained \(names.joined(separator: ", ")) from an earlier response"
      } else if operation.parameters.isEmpty, operation.requestBody == nil {
        "the target possibly does not have this route"
      } else {
        "write values that exist, if the target has this route"
      }
    return "the calm run received only \(statuses.map(String.init).joined(separator: ", ")): \(advice)"
  }

  mutating func call(
    _ index: Int, path: [(name: String, value: DraftedValue)]
  ) throws(Gap) -> DraftedCall {
    let operation = contract.operations[index]
    var call = DraftedCall(operation: operation.id)
    call.path = path
    if operation.isDeprecated { call.comment = "deprecated" }
    if login?.covers(operation) == true { call.headers.append(DraftLogin.header) }
    let redirects = operation.redirections
    // If the document describes no other success, a redirection is the success.
    if !redirects.isEmpty, !operation.responses.contains(where: \.isSuccess), refused[operation.id] == nil {
      call.only = redirects.map(String.init)
    }
    if let statuses = refused[operation.id] {
      call.statuses = statuses
      call.comment = comment(statuses, path, of: operation)
    } else if let errors = errors[operation.id] {
      call.statuses = errors.map(\.status)
      let isWrong = errors.contains { Self.rejections.contains($0.status) }
      call.comment =
        "the calm run received " + errors.map { "\($0.status) × \($0.count)" }.joined(separator: ", ")
        + (isWrong ? ": " + Self.correct : "")
    }
    if call.only.isEmpty { call.statuses = redirects + call.statuses.filter { !redirects.contains($0) } }
    for parameter in operation.parameters where parameter.isRequired && parameter.location != .path {
      if contract.isCredential(parameter, of: operation) { continue }
      guard let value = sample.value(of: parameter) else {
        throw Gap(
          reason: "the document gives no value for its \(parameter.location.rawValue) parameter \(parameter.name)")
      }
      switch parameter.location {
      case .query: call.query.append((parameter.name, .written(value)))
      case .header: call.headers.append((parameter.name, .written(value)))
      case .cookie: call.cookies.append((parameter.name, .written(value)))
      case .path: break
      }
    }
    if operation.requestBody != nil { call.body = try body(of: operation) }
    return call
  }

  private mutating func body(of operation: Contract.Operation) throws(Gap) -> DraftedBody? {
    sample.keepsAddresses = isLogin(operation)
    let bodies = sample.bodies(of: operation)
    if let json = bodies.first(where: { MediaRange($0.type)?.isJSON == true }) {
      return .json(
        new(json.value, json.type, operation), contentType: json.type == "application/json" ? nil : json.type)
    }
    if let form = bodies.first(where: { $0.type.hasPrefix("application/x-www-form-urlencoded") }),
      case .object(let members) = form.value
    {
      return .form(members)
    }
    if let form = bodies.first(where: { $0.type.hasPrefix("multipart/form-data") }),
      case .object(let members) = form.value, !members.members.isEmpty
    {
      let files = sample.fileMembers(of: operation)
      return .multipart(
        members.members.map { member in
          let isFile = files.contains(member.key)
          return DraftedPart(
            name: member.key, value: member.value, fileName: isFile ? "murphy.txt" : nil,
            type: isFile ? "application/octet-stream" : nil)
        })
    }
    if let text = bodies.first(where: { $0.type.hasPrefix("text/") || MediaRange($0.type)?.isBinary == true }),
      case .string(let value) = text.value
    {
      return .text(value, contentType: text.type == "text/plain" ? nil : text.type)
    }
    guard operation.requestBody?.isRequired == true else { return nil }
    let types = operation.requestBody?.mediaTypes.joined(separator: ", ") ?? ""
    throw Gap(
      reason: bodies.isEmpty
        ? "the document has no example and no schema for its body (\(types))"
        : "no step can send a body of type \(types)")
  }

  /// Fields that many APIs require to be unique. With the document's example, the item would exist for every user but
  /// the first.
  private static let uniqueNames: Set<String> = ["name", "slug", "username", "login", "handle"]

  /// The sample. If the operation requires it, the sample has strings that no other user has. A login keeps the user
  /// and the password of the document's example, because only they belong together.
  private func new(_ sample: JSONValue, _ type: String, _ operation: Contract.Operation) -> JSONValue {
    if conflicting.contains(operation.id) { return withNewTexts(sample, type, operation) }
    guard ["POST", "PUT", "PATCH"].contains(operation.method), !isLogin(operation) else { return sample }
    return withNewTexts(sample, type, operation) { place in
      place.pointer.tokens.count == 1 && Self.uniqueNames.contains(place.pointer.tokens[0])
    }
  }

  /// True if the operation returns a token for a user that exists. A registration creates a user, and a login with 201
  /// creates a session.
  private func isLogin(_ operation: Contract.Operation) -> Bool {
    guard contract.index(of: operation.id).flatMap(contract.token) != nil else { return false }
    func documents(_ status: Int) -> Bool { operation.responses.contains { $0.status == .exactly(status) } }
    if documents(409) { return false }
    guard documents(201) else { return true }
    var sample = sample
    let takesPassword = sample.bodies(of: operation).contains { body in
      body.value.object?.members.contains { $0.key.lowercased().hasPrefix("pass") } == true
    }
    return takesPassword
      && ["login", "signin", "session", "token", "auth"].contains { operation.path.lowercased().contains($0) }
  }

  /// The call's JSON body with strings that no other user has; nil for another body.
  func withNewTexts(_ index: Int, _ call: DraftedCall) -> DraftedBody? {
    guard case .json(let value, let type)? = call.body else { return nil }
    return .json(
      withNewTexts(value, type ?? "application/json", contract.operations[index]), contentType: type)
  }

  private func withNewTexts(
    _ sample: JSONValue, _ type: String, _ operation: Contract.Operation,
    at isWanted: (TextPlaces.Place) -> Bool = { _ in true }
  ) -> JSONValue {
    guard let schema = Self.schema(of: operation, type) else { return sample }
    return NewTexts.replacing(sample, of: schema, contract, at: isWanted)
  }

  private static func schema(of operation: Contract.Operation, _ type: String) -> SchemaSite? {
    operation.requestBody.flatMap { zip($0.mediaTypes, $0.content).first { $0.0 == type }?.1.schema }
  }

  /// The numbers from which a new one of the body's member can be generated; nil if there are too few.
  func integers(of member: String, _ operation: Int, _ type: String?) -> ClosedRange<Int>? {
    let schema = Self.schema(of: contract.operations[operation], type ?? "application/json")
    return schema.flatMap { NewTexts.integers(of: member, in: $0, contract) }
  }
}

extension Contract.Operation {
  /// The redirections in the document. 304 is excluded because only conditional requests receive it.
  fileprivate var redirections: [Int] {
    responses.compactMap { response in
      if case .exactly(let status) = response.status, (300..<400).contains(status), status != 304 {
        status
      } else {
        nil
      }
    }
  }
}

extension DraftedValue {
  /// A value in which `${…}` is an expression.
  fileprivate static func written(_ value: JSONValue) -> DraftedValue {
    if case .string(let text) = value { .template(text) } else { .constant(value) }
  }
}

/// The way in which users of a draft get their own token: an operation that needs no credentials.
package struct DraftLogin: Sendable {
  static let token = "token"
  /// The operationId.
  package let operation: String
  /// The environment variable that can supply a token instead.
  package let variable: String
  let call: DraftedCall
  private let scheme: String

  /// Nil if no operation returns a token, or no operation accepts one.
  package init?(_ contract: Contract, _ rule: WriteRule) {
    let used = Set(contract.operations.flatMap(\.security).flatMap(\.schemes)).sorted()
    let scheme = used.compactMap { contract.securitySchemes[$0] }.first { scheme in
      switch scheme.kind {
      case .http(let name): name.lowercased() == "bearer"
      case .token: scheme.clientCredentials == nil
      case .apiKey, .mutualTLS: false
      }
    }
    let logins = contract.logins.filter { login in
      let operation = contract.operations[login.operation]
      return !operation.path.contains("{") && rule.exclusion(of: operation) == nil
    }
    guard let scheme, let login = logins.first else { return nil }
    var writer = CallDraft(contract)
    guard var call = try? writer.call(login.operation, path: []) else { return nil }
    let path = Producers.query(login.token)
    call.saves = [DraftedSave(name: Self.token, source: .body(path))]
    self.call = call
    (operation, self.scheme, variable) = (call.operation, scheme.name, scheme.environmentVariable)
  }

  /// True if the operation accepts the token.
  func covers(_ operation: Contract.Operation) -> Bool { operation.security.contains { $0.schemes == [scheme] } }

  static let header = (name: "Authorization", value: DraftedValue.template("Bearer ${\(token)}"))
}
