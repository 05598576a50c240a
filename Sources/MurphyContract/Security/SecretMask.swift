import MurphyModel

/// Takes secrets out of everything that is shown or written: header values by name, and literal values anywhere.
public struct SecretMask: Sendable {
  /// What stands in a secret's place.
  public static let mask = "***"

  /// Field names whose values are never shown, lower case.
  public static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token",
    "api-key", "apikey", "x-amz-security-token", "authentication-info",
  ]

  private let headers: Set<String>
  /// Literal secrets, longest first, so that a secret within another does not leave a rest.
  private let secrets: [String]

  /// - Parameters:
  ///   - secrets: literal values. Those shorter than four characters are left alone: they would blot out
  ///     ordinary text.
  ///   - headers: more field names whose values are secret, in any case.
  public init(secrets: some Sequence<String> = [], headers: some Sequence<String> = []) {
    self.headers = Self.secretHeaders.union(headers.map { $0.lowercased() })
    var literals: Set<String> = []
    for secret in secrets where secret.utf8.count >= 4 {
      literals.insert(secret)
      literals.insert(PercentEncoding.encode(secret, keepingReserved: false))
    }
    self.secrets = literals.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  public func isSecret(headerNamed name: String) -> Bool { headers.contains(name.lowercased()) }

  /// A field with its value masked when its name is secret; a scheme such as `Bearer` stays readable.
  public func masked(_ field: HeaderField) -> HeaderField {
    guard isSecret(headerNamed: field.name) else { return HeaderField(field.name, masked(field.value)) }
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1)
      return HeaderField(field.name, parts.count == 2 ? "\(parts[0]) \(Self.mask)" : Self.mask)
    case "cookie":
      let names = field.value.split(separator: ";").map { $0.trimmed.prefix { $0 != "=" } }
      return HeaderField(field.name, names.map { "\($0)=\(Self.mask)" }.joined(separator: "; "))
    case "set-cookie":
      let name = field.value.prefix { $0 != "=" && $0 != ";" }
      let attributes = field.value.firstIndex(of: ";").map { String(field.value[$0...]) } ?? ""
      return HeaderField(field.name, "\(name)=\(Self.mask)\(attributes)")
    default:
      return HeaderField(field.name, Self.mask)
    }
  }

  /// `text` without the literal secrets.
  public func masked(_ text: String) -> String {
    var text = text
    for secret in secrets where text.contains(secret) {
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: Self.mask)
    }
    return text
  }

  /// `text` with shell variables in the places of secrets.
  package func word(_ text: String) -> ShellWord {
    var word = ShellWord()
    var rest = text[...]
    while let found = secrets.compactMap({ rest.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
      word.append(String(rest[..<found.lowerBound]))
      word.append(ShellVariable("SECRET"))
      rest = rest[found.upperBound...]
    }
    word.append(String(rest))
    return word
  }

  /// Content with shell variables in the places of secrets; bytes that are not UTF-8 hold none.
  package func word(_ content: [UInt8]) -> ShellWord {
    String(validating: content, as: UTF8.self).map(word) ?? ShellWord(bytes: content)
  }

  /// A field with shell variables in the places of secrets: `Authorization: Bearer "$SECRET_AUTHORIZATION"`.
  package func word(_ field: HeaderField) -> ShellWord {
    let text = word(field.value)
    guard isSecret(headerNamed: field.name), text.variables.isEmpty else { return text }
    let variable = ShellWord(ShellVariable("SECRET", field.name))
    let isScheme = ["authorization", "proxy-authorization"].contains(field.name.lowercased())
    guard isScheme, let space = field.value.firstIndex(of: " ") else { return variable }
    return ShellWord(String(field.value[...space])) + variable
  }

  /// An exchange without its secrets: URL, fields and bodies.
  public func masked(_ exchange: Exchange) -> Exchange {
    var exchange = exchange
    exchange.url = masked(exchange.url)
    exchange.requestHeaders = exchange.requestHeaders.map(masked)
    exchange.requestBody = exchange.requestBody.map(masked)
    exchange.responseHeaders = exchange.responseHeaders.map(masked)
    exchange.responseBody = exchange.responseBody.map(masked)
    return exchange
  }
}
