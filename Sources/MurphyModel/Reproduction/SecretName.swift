import Synchronization

/// Which names of headers, parameters, form fields and members say that their value is a secret: one table for all verbs.
package enum SecretName {
  /// Where a value is. Responses have kinds of errors under `code`, and names under `key`.
  package enum Place: Sendable { case header, request, response }

  /// What a name says of its value.
  private enum Rule { case secret, opaque, open }

  /// Whether a value of that name is a secret.
  package static func isSecret(_ name: String, _ value: String, in place: Place = .request) -> Bool {
    guard !value.isEmpty, !["true", "false", "null"].contains(value.lowercased()) else { return false }
    let (words, rule) = judged(name, place)
    switch rule {
    case .open: return false
    case .opaque: return !isPlain(value, isCode: words.last == "code")
    case .secret:
      // `max_tokens: 1000`, `X-RateLimit-Remaining-Tokens: 12`
      let isNumber = value.utf8.count <= 12 && value.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
      return !isNumber || Set(words).isDisjoint(with: amounts)
    }
  }

  /// Whether some value of that name is a secret.
  package static func mayBeSecret(_ name: String, in place: Place = .request) -> Bool {
    judged(name, place).rule != .open
  }

  /// Whether every value of that name is a secret.
  package static func isSecret(_ name: String, in place: Place = .request) -> Bool {
    judged(name, place).rule == .secret
  }

  /// Whether a member is a credential by its name in every API: passwords, API keys, tokens of OAuth 2.0 and sessions. Values
  /// under other secret names may be what a scenario has generated, as the token of a device.
  package static func isCredential(_ name: String) -> Bool {
    let (words, rule) = judged(name, .response)
    let whole = words.joined()
    return (words.last == "pwd" || credentials.contains { whole.contains($0) }) && rule == .secret
  }

  private struct Name: Hashable {
    let text: String
    let place: Place
  }

  /// Names that were judged lately: a recording has the same ones again and again.
  private static let known = Mutex<[Name: (words: [String], rule: Rule)]>([:])
  private static let mostKnown = 4_096

  private static func judged(_ text: String, _ place: Place) -> (words: [String], rule: Rule) {
    let name = Name(text: text, place: place)
    if let known = known.withLock({ $0[name] }) { return known }
    let words = words(of: text)
    let judged = (words: words, rule: rule(words, place))
    known.withLock { known in
      if known.count >= mostKnown { known.removeAll() }
      // Long ones are not names.
      if text.utf8.count <= 200 { known[name] = judged }
    }
    return judged
  }

  private static func rule(_ words: [String], _ place: Place) -> Rule {
    guard let last = words.last else { return .open }
    if words.count > 1, aspects.contains(last) { return .open }
    let name = (words.count > 1 && words[0] == "x" ? Array(words.dropFirst()) : words).joined()
    if names.contains(name) || lastWords.contains(last) { return .secret }
    if place == .header, name.hasPrefix("accesscontrol") { return .open }
    switch name {
    case "key", "code", "auth": return place == .response ? .opaque : .secret
    case "access", "refresh", "session", "ticket": return place == .header ? .secret : .opaque
    default: break
    }
    var searched = name
    for word in harmless { searched = searched.replacingScalars(word, with: " ") }
    if parts.contains(where: searched.contains) { return .secret }
    return last == "key" && Set(words).isDisjoint(with: identifiers) ? .opaque : .open
  }

  /// Parts of names, without separators.
  private static let parts =
    credentials + [
      "token", "signature", "credential", "cardnumber", "authorization", "authcode", "verificationcode", "pincode",
      "otpcode",
      "authenticationinfo",
    ]
  private static let credentials =
    [
      "password", "passwd", "passphrase", "passcode", "secret", "csrf", "xsrf", "sessionid", "sessid", "sessionkey",
      "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "securitytoken", "requestverification",
    ]
    + [
      "api", "app", "application", "access", "auth", "master", "functions", "function", "private", "signing",
      "encryption",
      "subscription", "account", "admin", "consumer", "client", "shared", "license",
    ].map { $0 + "key" }
  /// Whole names, without separators and without `X-` before them.
  private static let names: Set = [
    "assertion", "codeverifier", "samlresponse", "cookie", "setcookie", "dpop", "bearer", "pkey",
  ]
  /// Last words of names, as in `user_pin`.
  private static let lastWords: Set = [
    "pwd", "pass", "pin", "otp", "totp", "jwt", "sig", "cvv", "cvc", "iban", "ssn", "sid",
  ]
  /// Words that contain one of `parts` and mean something else.
  private static let harmless = [
    "secretar", "tokeniz", "passwordless", "pagetoken", "nexttoken", "continuationtoken", "skiptoken", "synctoken",
  ]
  /// Last words of names for what is said about a secret, as in `token_type`.
  private static let aspects: Set = [
    "type", "types", "expires", "expiry", "expiration", "at", "in", "on", "count", "length", "policy", "algorithm",
    "alg",
    "strength", "required", "enabled", "endpoint", "limit", "status", "scope", "scopes", "version", "methods",
    "supported",
  ]
  /// Words of names for numbers of tokens.
  private static let amounts: Set = [
    "tokens", "max", "min", "total", "used", "remaining", "number", "per", "limit", "budget", "rate",
  ]
  /// Words before `key` that name an identifier.
  private static let identifiers: Set = [
    "idempotency", "cache", "surrogate", "websocket", "partition", "routing", "sort", "public", "primary", "foreign",
    "object", "row", "dedup", "deduplication", "request", "event", "message", "group", "file", "image", "blob",
    "translation",
    "issue", "project",
  ]

  /// `X-CSRFToken`, `csrf_token` and `csrfToken` as words, lower case.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let bytes = Array(name.utf8)
    for (index, byte) in bytes.enumerated() {
      guard isLetter(byte) || isDigit(byte) || byte >= 0x80 else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let isUpper = isUpper(byte)
      let isNext = isUpper && index + 1 < bytes.count && isLetter(bytes[index + 1]) && !self.isUpper(bytes[index + 1])
      if isUpper, index > 0, isNext || !self.isUpper(bytes[index - 1]), !word.isEmpty {
        words.append(word)
        word = ""
      }
      if byte < 0x80 { word.append(Character(Unicode.Scalar(isUpper ? byte | 0x20 : byte))) }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// Whether a value is made of words, a short number, a date, or a number with a unit, as no random secret is.
  ///
  /// - Parameter isCode: numbers of more than four digits count as secrets, as those that a phone shows.
  package static func isPlain(_ value: String, isCode: Bool = false) -> Bool {
    let bytes = Array(value.utf8)
    let digits = bytes.prefix(while: isDigit)
    if digits.count == bytes.count { return bytes.count <= 4 || !isCode && bytes.count <= 13 }
    if digits.count == 4, bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") {
      return true
    }
    let rest = bytes.dropFirst(digits.count)
    if !digits.isEmpty { return digits.count <= 4 && rest.count <= 7 && rest.allSatisfy(isLetter) }
    let parts = bytes.split(omittingEmptySubsequences: false) { " ._:/-".utf8.contains($0) }
    if parts.allSatisfy({ $0.count < longestWord && !$0.isEmpty && $0.allSatisfy(isLetter) }) { return true }
    // `E1001`, `LAW-0007`
    let letters = bytes.prefix(while: isUpper)
    let number = bytes.dropFirst(letters.count).drop { $0 == UInt8(ascii: "-") }
    return letters.count <= 5 && number.count <= 4 && number.allSatisfy(isDigit)
  }

  private static let longestWord = 20

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
  private static func isUpper(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }
  private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
}
