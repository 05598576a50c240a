import MurphyModel

/// Places of secrets in a text of unknown format: after secret names, in URLs, and strings that look like a credential.
struct SecretSpots {
  struct Spot {
    var range: Range<Int>
    /// Nil if it was found by its appearance.
    var name: String?
  }

  private let text: [UInt8]
  private let place: SecretName.Place
  private var found: [Spot] = []

  /// In order, without overlaps.
  static func find(in text: [UInt8], _ place: SecretName.Place) -> [Spot] {
    var search = SecretSpots(text, place)
    search.findKeys()
    search.findUsers()
    search.findPairs()
    search.findWords()
    var end = 0
    return search.found.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { spot in
      guard spot.range.lowerBound >= end else { return false }
      end = spot.range.upperBound
      return true
    }
  }

  private init(_ text: [UInt8], _ place: SecretName.Place) { (self.text, self.place) = (text, place) }

  private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  private func place(of word: String, from start: Int) -> Range<Int>? {
    text.place(of: Array(word.utf8), from: start)
  }

  /// Private keys in PEM (RFC 7468), up to their end or the end of the text.
  private mutating func findKeys() {
    var start = 0
    while let begin = place(of: "-----BEGIN ", from: start) {
      start = begin.upperBound
      guard let dashes = place(of: "-----", from: start), string(start..<dashes.lowerBound).contains("PRIVATE KEY")
      else {
        continue
      }
      let end = place(of: "-----END ", from: dashes.upperBound).flatMap { place(of: "-----", from: $0.upperBound) }
      found.append(Spot(range: begin.lowerBound..<(end?.upperBound ?? text.count), name: "private key"))
      start = end?.upperBound ?? text.count
    }
  }

  /// `name:password@` in URLs, and a user without a password, which may be a token.
  private mutating func findUsers() {
    var start = 0
    while let scheme = place(of: "://", from: start) {
      start = scheme.upperBound
      let end = text[start...].firstIndex { $0 <= 0x20 || "/?#\"'<>\\,".utf8.contains($0) } ?? text.count
      guard let at = text[start..<end].lastIndex(of: UInt8(ascii: "@")) else { continue }
      let colon = text[start..<at].firstIndex(of: UInt8(ascii: ":"))
      let secret = (colon.map { $0 + 1 } ?? start)..<at
      guard !secret.isEmpty, colon != nil || !SecretName.isPlain(string(secret)) else { continue }
      found.append(Spot(range: secret, name: "password"))
    }
  }

  /// `name=value`, `name: value`, `"name": "value"`, also with escaped quotes.
  private mutating func findPairs() {
    var index = 0
    while index < text.count {
      guard Self.isName(text[index]) else {
        index += 1
        continue
      }
      let name = index..<(text[index...].firstIndex { !Self.isName($0) } ?? text.count)
      index = name.upperBound
      guard name.count <= Self.longestName, let start = valueStart(behind: index),
        SecretName.mayBeSecret(string(name), in: place), let value = value(from: start)
      else { continue }
      // `$token: String!` declares a variable of GraphQL, and `token: $token` reads it.
      let isQuoted = Self.isQuote(text[value.lowerBound - 1])
      guard isQuoted || text[name.lowerBound] != UInt8(ascii: "$") && text[value.lowerBound] != UInt8(ascii: "$") else {
        continue
      }
      guard SecretName.isSecret(string(name), string(value), in: place) else { continue }
      found.append(Spot(range: value, name: string(name)))
      index = value.upperBound
    }
  }

  private static let longestName = 128

  /// The index after the separator; nil if no separator follows the name.
  private func valueStart(behind name: Int) -> Int? {
    var index = skip(name) { $0 == UInt8(ascii: "\\") || Self.isQuote($0) }
    index = skip(index, Self.isSpace)
    guard index < text.count, "=:>".utf8.contains(text[index]) else { return nil }
    index = skip(index, { "=>:".utf8.contains($0) }, atMost: 2)
    return skip(index, Self.isSpace)
  }

  private func value(from start: Int) -> Range<Int>? {
    let quote = skip(start) { $0 == UInt8(ascii: "\\") }
    guard quote < text.count else { return nil }
    if Self.isQuote(text[quote]) {
      let end = end(ofQuoted: quote + 1, with: text[quote], slashes: quote - start)
      return end > quote + 1 ? (quote + 1)..<end : nil
    }
    let end = text[start...].firstIndex { Self.isSpace($0) || "\"'&<>,;".utf8.contains($0) } ?? text.count
    return end > start ? start..<end : nil
  }

  private func skip(_ start: Int, _ isSkipped: (UInt8) -> Bool, atMost most: Int = .max) -> Int {
    var index = start
    while index < text.count, index - start < most, isSkipped(text[index]) { index += 1 }
    return index
  }

  /// - Parameter slashes: the number of backslashes before the opening quote. The closing quote has the same number.
  private func end(ofQuoted start: Int, with quote: UInt8, slashes: Int) -> Int {
    var index = start
    var before = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        before += 1
      } else {
        if text[index] == quote, before <= slashes { return index - min(before, slashes) }
        before = 0
      }
      index += 1
    }
    return text.count
  }

  private mutating func findWords() {
    var index = 0
    while index < text.count {
      let start = skip(index) { !Self.isWord($0) }
      index = skip(start, Self.isWord)
      if index - start >= SecretLook.shortest, SecretLook.isSecret(text[start..<index]) {
        found.append(Spot(range: start..<index))
      }
    }
    let text = string(0..<text.count)
    if let scheme = SecretLook.schemes.first(where: { text.hasPrefix($0) }) {
      let secret =
        scheme.utf8.count..<(self.text[scheme.utf8.count...].firstIndex(where: Self.isSpace) ?? self.text.count)
      if secret.count >= 8 { found.append(Spot(range: secret, name: "authorization")) }
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    SecretLook.isLetterOrDigit(byte) || "_-.$[]".utf8.contains(byte)
  }
  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
  private static func isWord(_ byte: UInt8) -> Bool { byte > 0x20 && !"\"'<>&,;=/?:\\()[]{}`".utf8.contains(byte) }
}

/// Credentials that are recognised by their appearance, under any name.
enum SecretLook {
  static let shortest = 12
  static let schemes = ["Bearer ", "Basic ", "bearer ", "basic "]
  /// Token prefixes of some issuers, and the minimum number of characters after them.
  private static let prefixes: [(text: [UInt8], rest: Int)] = [
    ("ghp_", 16), ("gho_", 16), ("ghu_", 16), ("ghs_", 16), ("ghr_", 16), ("github_pat_", 1), ("sk_live_", 1),
    ("rk_live_", 1), ("pk_live_", 1), ("sk_test_", 1), ("rk_test_", 1), ("pk_test_", 1), ("xoxa-", 1), ("xoxb-", 1),
    ("xoxp-", 1), ("xoxr-", 1), ("xoxs-", 1), ("AKIA", 12), ("ASIA", 12), ("AIza", 30), ("glpat-", 1), ("npm_", 30),
    ("sk-ant-", 16), ("sk-proj-", 16), ("murphy-secret-", 1),
  ].map { (Array($0.0.utf8), $0.1) }

  static func isSecret(_ word: ArraySlice<UInt8>) -> Bool {
    var isBoundary = true
    for index in word.indices {
      let byte = word[index]
      if byte == UInt8(ascii: "e"), isToken(word[index...]) { return true }
      if isBoundary, prefixes.contains(where: { word[index...].starts(with: $0.text) && isRest(word[index...], $0) }) {
        return true
      }
      isBoundary = !isLetterOrDigit(byte)
    }
    return false
  }

  private static func isRest(_ word: ArraySlice<UInt8>, _ prefix: (text: [UInt8], rest: Int)) -> Bool {
    word.dropFirst(prefix.text.count).prefix(while: isBase64).count >= prefix.rest
  }

  /// True if a text contains a token, or is a scheme with credentials.
  static func isSecret(_ text: String) -> Bool {
    SecretSpots.find(in: Array(text.utf8), .response).contains { $0.name == nil || $0.name == "authorization" }
  }

  /// A JSON Web Token (RFC 7519).
  private static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.starts(with: Array("eyJ".utf8)) else { return false }
    let head = word.dropFirst(3).prefix(while: isBase64)
    let rest = word.dropFirst(3 + head.count)
    return head.count >= 8 && rest.first == UInt8(ascii: ".") && rest.dropFirst().prefix(while: isBase64).count >= 4
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
  }
}
