import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The secrets of an exchange and of the calls that reproduce it: those of the session, the values of secret fields,
/// and the values of secret names in bodies.
struct SecretSearch {
  private let mask: SecretMask
  /// The names of secret members, by operation.
  private let members: [Set<String>]
  private(set) var found: [Secret] = []
  /// The path of the operation whose response is searched; nil for requests.
  private var path: String?
  private let identifiers: Set<String>
  /// The values that are secret only because a response has them.
  private var issued: Set<String> = []

  /// - Parameters:
  ///   - transfer: nil if the response is not known.
  ///   - isMadeUp: true if murphy generated the request's body or took its values from responses.
  init(
    _ context: RunContext, _ transfer: Transfer?, _ request: PreparedRequest, known: [Secret], isMadeUp: Bool = false
  ) {
    (mask, members, found) = (context.mask, context.secretMembers, known)
    identifiers = context.identifiers
    add(
      request.http, of: request.operation, transfer, isMadeUp: isMadeUp,
      path: context.contract.operations[request.operation].path)
  }

  /// The secrets in the content of a request that is kept without its operation and session.
  fileprivate init(_ mask: SecretMask, contentOf request: HTTPRequest, _ names: Set<String>) {
    (self.mask, members, identifiers) = (mask, [], [])
    add(contentOf: request, names)
  }

  /// Adds the secrets of an earlier request of the session.
  mutating func add(_ call: EarlierCall) { add(call.http, of: call.index, nil, isMadeUp: false) }

  private mutating func add(
    _ request: HTTPRequest, of operation: Int, _ transfer: Transfer?, isMadeUp: Bool, path: String? = nil
  ) {
    let known = found
    for field in request.headers + (transfer?.headers ?? []) { add(field) }
    let names = members[operation]
    add(contentOf: request, names)
    if let transfer, !transfer.bodyBytes.isEmpty {
      self.path = path
      add(Array(transfer.bodyBytes), names)
      self.path = nil
    }
    // The content of the URL is not a secret: the API repeats it, for example as a cookie that the URL names.
    let target = PercentEncoding.decode(request.target)
    // A value that the request sent under an open name is shown anyway.
    let sent = target + (request.body.map { String(decoding: $0, as: UTF8.self) } ?? "")
    found.removeAll { secret in
      let open = isMadeUp || issued.contains(secret.value) ? sent : target
      return !known.contains(secret) && open.utf8.firstRange(of: secret.value.utf8) != nil
    }
  }

  private mutating func add(contentOf request: HTTPRequest, _ names: Set<String>) {
    switch request.content {
    case .form(let form)?: add(form, names)
    case .file?: break
    case nil: if let body = request.body { add(body, names) }
    }
  }

  private mutating func add(_ field: HeaderField) {
    for value in mask.secrets(in: field) { found.append(Secret(value, ShellVariable("SECRET", field.name))) }
  }

  private mutating func add(_ form: MultipartForm, _ names: Set<String>) {
    for part in form.parts {
      guard case .text(let text) = part.content else { continue }
      if Self.isSecret(part.name, names) { found.append(Secret(text, ShellVariable("SECRET", part.name))) }
      if let value = try? JSONValue.parse(text) { add(value, names) }
    }
  }

  private mutating func add(_ body: [UInt8], _ names: Set<String>) {
    // No more of it is ever shown. A body that was cut is no longer JSON, so its fields are searched one by one.
    let body = Array(body.prefix(Self.mostRead))
    let text = String(decoding: body, as: UTF8.self)
    if let value = try? JSONValue.parse(text) { return add(value, names) }
    addMembers(of: body, names)
    // A form.
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, Self.isSecret(PercentEncoding.decode(form: parts[0]), names) else { continue }
      found.append(Secret(PercentEncoding.decode(form: parts[1]), ShellVariable("SECRET", String(parts[0]))))
    }
  }

  /// The values of secret names in text that is not complete JSON: a response that was truncated or is malformed. Each
  /// byte is read a bounded number of times.
  private mutating func addMembers(of body: [UInt8], _ names: Set<String>) {
    var known: [String: Bool] = [:]
    for colon in body.indices where body[colon] == UInt8(ascii: ":") {
      guard let name = Self.name(before: colon, in: body) else { continue }
      let isSecret = known[name] ?? Self.isSecret(name, names)
      known[name] = isSecret
      guard isSecret || path != nil && SecretName.mayBeSecret(name, in: .response) else { continue }
      let value = body[(colon + 1)...].drop { Self.isSpace($0) }
      let isText = value.first == UInt8(ascii: "\"")
      let written = isText ? Self.string(value.dropFirst()) : value.prefix { !Self.endsValue($0) }
      let secret = isText ? Self.decoded(written) : String(decoding: written, as: UTF8.self)
      if isSecret {
        found.append(Secret(secret, ShellVariable("SECRET", name)))
      } else if isText {
        add(secret, named: name)
      }
    }
  }

  /// The quoted name before a colon; nil if there is none.
  private static func name(before colon: Int, in body: [UInt8]) -> String? {
    guard let end = body[..<colon].lastIndex(where: { !isSpace($0) }), body[end] == UInt8(ascii: "\"") else {
      return nil
    }
    let nearby = body[max(end - longestName, 0)..<end]
    guard let begin = nearby.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
    let written = body[(begin + 1)..<end]
    return written.contains(UInt8(ascii: "\\")) ? decoded(written) : String(decoding: written, as: UTF8.self)
  }

  private static let longestName = 200

  private static func isSecret(_ name: String, _ names: Set<String>) -> Bool {
    names.contains(name) || SecretName.isCredential(name)
  }

  /// The number of bytes of a body that are searched: more than evidence shows.
  private static let mostRead = 2 << 20

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static func endsValue(_ byte: UInt8) -> Bool { isSpace(byte) || ",]}".utf8.contains(byte) }

  /// The text up to the quote that ends a JSON string, or up to the end.
  private static func string(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isEscaped = false
    return text.prefix { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      return isEscaped || byte != UInt8(ascii: "\"")
    }
  }

  /// Resolves escapes where the result is readable.
  private static func decoded(_ written: ArraySlice<UInt8>) -> String {
    let text = String(decoding: written, as: UTF8.self)
    return (try? JSONValue.parse("\"\(text)\""))?.string ?? text
  }

  private mutating func add(_ value: JSONValue, _ names: Set<String>) {
    switch value {
    case .object(let object):
      for member in object.members {
        if Self.isSecret(member.key, names) {
          for leaf in member.value.leaves { found.append(Secret(leaf, ShellVariable("SECRET", member.key))) }
        } else if case .string(let text) = member.value {
          if !object.isPairName(member.key) { add(text, named: member.key) }
        } else {
          for text in member.value.array ?? [] { text.string.map { add($0, named: member.key) } }
          add(member.value, names)
        }
      }
    case .array(let elements): for element in elements { add(element, names) }
    case .string, .number, .bool, .null: break
    }
  }

  /// Adds a string of the searched response if it is a secret there.
  private mutating func add(_ text: String, named name: String) {
    guard let path, SecretName.isIssued(name, text, by: path, identifiers: identifiers) else { return }
    issued.insert(text)
    found.append(Secret(text, ShellVariable("SECRET", name)))
  }
}

extension SecretMask {
  /// A copy that also masks the values of secret names in the content of a request.
  ///
  /// - Parameter names: the names that are secret by the contract.
  package func adding(contentOf request: HTTPRequest, _ names: Set<String>) -> SecretMask {
    adding(SecretSearch(self, contentOf: request, names).found)
  }

  /// Removes secrets from every output: values of the environment and credentials. It is created before anything is
  /// sent.
  ///
  /// - Parameter password: the password in the target URL.
  package init(_ scenario: Scenario, _ contract: Contract, environment: [String: String], password: [String] = []) {
    let credentials = contract.operations.indices.flatMap {
      contract.credentials(operation: $0, environment: environment).secrets
    }
    self = SecretMask(secrets: [], headers: contract.secretHeaders).adding(
      scenario.secrets.all + (credentials + password).map { Secret($0) }, isNested: true)
  }
}
