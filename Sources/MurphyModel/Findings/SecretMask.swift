import Foundation

/// Removes secrets from all displayed or written output: header values by name, and values anywhere, in every encoding
/// that a report can hold (see `SecretTree`).
package struct SecretMask: Sendable {
  /// The replacement for a secret.
  package static let mask = "***"
  /// The credentials that `explore` sends without giving them to a user: a token, and a user with a password.
  package static let madeUp = (
    token: "murphy-wrong-0000", login: "murphy:wrong-0000", basic: "bXVycGh5Ondyb25nLTAwMDA="
  )
  /// Values that are not secret: every command names the product, and `explore` sends it as a value.
  private static let open: Set = ["murphy", madeUp.token, madeUp.basic]

  /// Header names whose values are secret in addition to those of `SecretName`, lower case.
  private var headers: Set<String>
  /// The values that are masked everywhere, not only in headers.
  package private(set) var secrets: [Secret] = []
  private var known: Set<String> = []
  private var tree = SecretTree()

  /// - Parameters:
  ///   - secrets: literal values. Values shorter than four bytes are ignored: they would mask ordinary text.
  ///   - headers: more header names whose values are secret, in any case.
  package init(secrets: some Sequence<String> = [], headers: some Sequence<String> = []) {
    self.headers = Set(headers.map { $0.lowercased() })
    for secret in secrets { add(Secret(secret)) }
  }

  /// True if no value is masked; headers are masked by name even then.
  package var isEmpty: Bool { secrets.isEmpty }

  /// - Parameter isNested: true to find it in base64 within base64 too, which takes about twenty times the memory.
  package mutating func add(_ secret: Secret, isNested: Bool = false) {
    guard secret.value.utf8.count >= Secret.shortest, !Self.open.contains(secret.value),
      known.insert(secret.value).inserted
    else { return }
    let number = secrets.count
    secrets.append(secret)
    tree.insert(secret.value.utf8, secret: number)
    for form in secret.base64 { tree.insert(form, secret: number) }
    if isNested { for form in secret.nestedBase64 { tree.insert(form, secret: number) } }
  }

  /// A copy that masks these values as well.
  package func adding(_ secrets: some Sequence<Secret>, isNested: Bool = false) -> SecretMask {
    var whole = self
    for secret in secrets { whole.add(secret, isNested: isNested) }
    return whole
  }

  /// True if the value of this header is masked. The case of the name does not matter.
  package func isSecret(headerNamed name: String) -> Bool {
    headers.contains(name.lowercased()) || SecretName.isSecret(name, in: .header)
  }

  private func isNamedSecret(_ field: HeaderField) -> Bool {
    headers.contains(field.name.lowercased()) || SecretName.isSecret(field.name, field.value, in: .header)
  }

  /// True if the name marks the value as secret, and murphy did not generate the value.
  private func isSecret(_ field: HeaderField) -> Bool {
    guard isNamedSecret(field) else { return false }
    let values = secrets(in: field)
    return values.isEmpty || !values.allSatisfy(Self.open.contains)
  }

  /// A header with its value masked if its name is secret; a scheme such as `Bearer` stays readable.
  package func masked(_ field: HeaderField) -> HeaderField {
    guard isSecret(field) else { return HeaderField(field.name, masked(field.value)) }
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1)
      return HeaderField(field.name, parts.count == 2 ? "\(parts[0]) \(Self.mask)" : Self.mask)
    case "cookie":
      let names = field.value.split(separator: ";").map { $0.drop { $0 == " " }.prefix { $0 != "=" } }
      return HeaderField(field.name, names.map { "\($0)=\(Self.mask)" }.joined(separator: "; "))
    case "set-cookie":
      let name = field.value.prefix { $0 != "=" && $0 != ";" }
      let attributes = field.value.firstIndex(of: ";").map { String(field.value[$0...]) } ?? ""
      return HeaderField(field.name, "\(name)=\(Self.mask)\(attributes)")
    default:
      return HeaderField(field.name, Self.mask)
    }
  }

  /// The secret parts of a secret header's value: the credentials after the scheme, the values of the cookies.
  package func secrets(in field: HeaderField) -> [String] {
    guard isNamedSecret(field) else { return [] }
    switch field.name.lowercased() {
    case "authorization", "proxy-authorization":
      return [field.value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""]
    case "cookie": return field.value.split(separator: ";").compactMap(Self.cookieValue)
    case "set-cookie": return field.value.split(separator: ";").prefix(1).compactMap(Self.cookieValue)
    default: return [field.value]
    }
  }

  private static func cookieValue(_ pair: Substring) -> String? {
    pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
  }

  /// `text` without the secrets.
  ///
  /// - Parameter isProse: true for sentences of murphy. A secret such as `wrong` is masked there only in quotes or
  ///   between other signs, as data is written, and not as a word of the sentence.
  package func masked(_ text: String, isProse: Bool = false) -> String {
    if tree.isEmpty { return text }
    let bytes = Array(text.utf8)
    let masked = self.bytes(masking: bytes, isProse: isProse)
    return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
  }

  /// A sentence of murphy without the secrets.
  package func masked(sentence: String) -> String { masked(sentence, isProse: true) }

  /// The minimum length of a secret of letters that is masked as a word of a sentence too.
  private static let longestWord = 12

  private func isWord(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    func isText(_ byte: UInt8?) -> Bool { byte.map { isLetter($0) || " .,;:!?()\n-'".utf8.contains($0) } ?? true }
    guard range.count < Self.longestWord, bytes[range].allSatisfy(isLetter) else { return false }
    return isText(bytes[..<range.lowerBound].last) && isText(bytes[range.upperBound...].first)
  }

  func bytes(masking bytes: [UInt8], isCut: Bool = true, isProse: Bool = false) -> [UInt8] {
    var masked: [UInt8] = []
    var end = 0
    for match in tree.matches(in: bytes, isCut: isCut) where !isProse || !isWord(match.range, of: bytes) {
      masked += bytes[end..<match.range.lowerBound]
      masked += Self.mask.utf8
      end = match.range.upperBound
    }
    return end == 0 ? bytes : masked + bytes[end...]
  }

  /// `text` with shell variables instead of secrets.
  package func word(_ text: String) -> ShellWord { word(Array(text.utf8)) }

  /// Content with shell variables instead of secrets.
  package func word(_ bytes: [UInt8]) -> ShellWord {
    var word = ShellWord()
    var end = 0
    // Sent content is complete.
    for match in tree.matches(in: bytes, isCut: false) {
      word.append(.bytes(Array(bytes[end..<match.range.lowerBound])))
      let secret = secrets[match.secret]
      let isRaw = bytes[match.range].elementsEqual(secret.value.utf8)
      word.append(isRaw ? secret.variable : ShellVariable(secret.variable.name, "encoded"))
      end = match.range.upperBound
    }
    word.append(.bytes(Array(bytes[end...])))
    return word
  }

  /// A header with shell variables instead of secrets: `Authorization: Bearer "$SECRET_AUTHORIZATION"`.
  package func word(_ field: HeaderField) -> ShellWord {
    let whole = word(field.value)
    let usual = ShellVariable("SECRET", field.name)
    // A key of the environment that is sent as `Authorization` may include the scheme. The usual variable does not.
    let isWhole = whole.pieces.count == 1 && whole.variables.count == 1 && whole.variables.first != usual
    guard isSecret(field), !isWhole else { return whole }
    let isScheme = ["authorization", "proxy-authorization"].contains(field.name.lowercased())
    let space = isScheme ? field.value.firstIndex(of: " ").map { field.value.index(after: $0) } : nil
    let scheme = ShellWord(String(field.value[..<(space ?? field.value.startIndex)]))
    let value = word(String(field.value[(space ?? field.value.startIndex)...]))
    let isKnown = value.pieces.count == 1 && value.variables.count == 1
    return scheme + (isKnown ? value : ShellWord(usual))
  }

  /// An exchange without its secrets: URL, headers and bodies.
  package func masked(_ exchange: Exchange) -> Exchange {
    var exchange = exchange
    exchange.url = masked(exchange.url)
    exchange.requestHeaders = exchange.requestHeaders.map(masked)
    exchange.requestBody = exchange.requestBody.map(masked)
    exchange.responseHeaders = exchange.responseHeaders.map(masked)
    exchange.responseBody = exchange.responseBody.map(masked)
    return exchange
  }
}

/// A value that no output may show, and the shell variable that replaces it in a script.
package struct Secret: Sendable, Hashable {
  /// Never shown.
  package var value: String
  /// The variable that replaces the value in a script.
  package var variable: ShellVariable

  package init(_ value: String) { self.init(value, ShellVariable("secret")) }

  package init(_ value: String, _ variable: ShellVariable) {
    self.value = value
    self.variable = variable
  }

  /// Shorter values would mask ordinary text.
  package static let shortest = 4

  /// The characters that the secret determines in base64 (RFC 4648, both alphabets). One form for each of the three
  /// alignments to groups of three bytes.
  var base64: Set<[UInt8]> { Self.base64(Array(value.utf8)) }

  /// The same for a second encoding, for example by a server that returns the basic credentials of a request.
  var nestedBase64: Set<[UInt8]> { Set(base64.flatMap(Self.base64)) }

  private static func base64(_ bytes: [UInt8]) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = []
    for offset in 0..<3 {
      let bits = 8 * (offset + bytes.count)
      let first = offset == 0 ? 0 : offset + 1
      let whole = Data(Array(repeating: 0, count: offset) + bytes).base64EncodedString()
      let digits = Array(whole.utf8)[first..<(bits / 6)]
      // Fewer characters occur in many strings by chance.
      guard digits.count >= 5 else { continue }
      forms.insert(Array(digits))
      forms.insert(
        digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
    }
    return forms
  }
}
