import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The secrets of one exchange: what the session knows, what stands in secret fields, and what the bodies hold under
/// secret names.
struct SecretSearch {
  let context: RunContext
  private(set) var found: [Secret] = []

  /// - Parameter isMadeUp: whether murphy made up the request's body, or took its values from responses.
  init(
    _ context: RunContext, _ transfer: Transfer, _ request: PreparedRequest, known: [Secret], isMadeUp: Bool = false
  ) {
    self.context = context
    found = known
    for field in request.http.headers + transfer.headers { add(field) }
    let names = context.secretMembers[request.operation]
    switch request.http.content {
    case .form(let form)?: add(form, names)
    case .file?: break
    case nil: if let body = request.http.body { add(body, names) }
    }
    if !transfer.bodyBytes.isEmpty { add(Array(transfer.bodyBytes), names) }
    // What the URL says is not a secret: the API repeats it, as a cookie that is named there.
    var open = PercentEncoding.decode(request.http.target)
    if isMadeUp, let body = request.http.body { open += String(decoding: body, as: UTF8.self) }
    found.removeAll { !known.contains($0) && open.utf8.firstRange(of: $0.value.utf8) != nil }
  }

  private mutating func add(_ field: HeaderField) {
    for value in context.mask.secrets(in: field) { found.append(Secret(value, ShellVariable("SECRET", field.name))) }
  }

  private mutating func add(_ form: MultipartForm, _ names: Set<String>) {
    for part in form.parts {
      guard case .text(let text) = part.content else { continue }
      if Self.isSecret(part.name, names) { found.append(Secret(text, ShellVariable("SECRET", part.name))) }
      if let value = try? JSONValue.parse(text) { add(value, names) }
    }
  }

  private mutating func add(_ body: [UInt8], _ names: Set<String>) {
    // More of it is never shown; what was cut is not JSON any more, and its members are searched one by one.
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

  /// What stands behind secret names in a text that is not JSON to its end: an answer that was cut off, or is broken. Each
  /// byte is looked at a bounded number of times.
  private mutating func addMembers(of body: [UInt8], _ names: Set<String>) {
    var known: [String: Bool] = [:]
    for colon in body.indices where body[colon] == UInt8(ascii: ":") {
      guard let name = Self.name(before: colon, in: body) else { continue }
      let isSecret = known[name] ?? Self.isSecret(name, names)
      known[name] = isSecret
      guard isSecret else { continue }
      let value = body[(colon + 1)...].drop { Self.isSpace($0) }
      let isText = value.first == UInt8(ascii: "\"")
      let written = isText ? Self.string(value.dropFirst()) : value.prefix { !Self.endsValue($0) }
      let secret = isText ? Self.decoded(written) : String(decoding: written, as: UTF8.self)
      found.append(Secret(secret, ShellVariable("SECRET", name)))
    }
  }

  /// The name in quotes before a colon; nil for none.
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

  /// Bytes of a body that are looked into: more than evidence shows.
  private static let mostRead = 2 << 20

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static func endsValue(_ byte: UInt8) -> Bool { isSpace(byte) || ",]}".utf8.contains(byte) }

  /// Up to the quote that ends a JSON string, or to the end of the text.
  private static func string(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var isEscaped = false
    return text.prefix { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      return isEscaped || byte != UInt8(ascii: "\"")
    }
  }

  /// Without escapes, where what came of them can be read.
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
        } else {
          add(member.value, names)
        }
      }
    case .array(let elements): for element in elements { add(element, names) }
    case .string, .number, .bool, .null: break
    }
  }
}

extension SecretMask {
  /// Takes out of every output what is secret before anything is sent: values of the environment and credentials.
  ///
  /// - Parameter password: the target URL's.
  package init(_ scenario: Scenario, _ contract: Contract, environment: [String: String], password: [String] = []) {
    let credentials = contract.operations.indices.flatMap {
      contract.credentials(operation: $0, environment: environment).secrets
    }
    self = SecretMask(secrets: [], headers: contract.secretHeaders).adding(
      scenario.secrets.all + (credentials + password).map { Secret($0) }, isNested: true)
  }
}
