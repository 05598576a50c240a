/// Splits a script into tokens; nothing is executed.
struct K6Scanner {
  private let text: [UInt8]
  private var position = 0
  private var line: Int
  private let depth: Int
  private(set) var tokens: [K6Token] = []

  private static let signs = [
    ">>>=", "...", "===", "!==", "**=", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++",
    "--", "+=", "-=", "*=", "/=", "**",
  ].map { Array($0.utf8) }
  /// The maximum depth of templates within templates.
  private static let deepest = 16

  init(_ text: String) { self.init(Array(text.utf8), line: 1, depth: 0) }

  private init(_ text: [UInt8], line: Int, depth: Int) {
    self.text = text
    self.line = line
    self.depth = depth
    while let byte = peek { scan(byte) }
  }

  private var peek: UInt8? { position < text.count ? text[position] : nil }
  private func starts(_ word: String) -> Bool { text[position...].starts(with: word.utf8) }

  private mutating func scan(_ byte: UInt8) {
    switch byte {
    case 10:
      line += 1
      position += 1
    case 9, 11, 12, 13, 32: position += 1
    case 0xEF where starts("\u{FEFF}"): position += 3
    case UInt8(ascii: "/") where starts("//"): while let next = peek, next != 10 { position += 1 }
    case UInt8(ascii: "/") where starts("/*"): skipComment()
    case UInt8(ascii: "/") where !isAfterValue: skipPattern()
    case UInt8(ascii: "'"), UInt8(ascii: "\""): add(.string(string(until: byte)))
    case UInt8(ascii: "`"): template()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      add(.number(run { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }.filter { $0 != "_" }))
    case _ where byte.isLetterOrDigit || byte >= 0x80: add(.word(run { $0.isLetterOrDigit || $0 >= 0x80 }))
    default:
      let sign = Self.signs.first { text[position...].starts(with: $0) } ?? [byte]
      add(.sign(String(decoding: sign, as: UTF8.self)))
      position += sign.count
    }
  }

  private mutating func add(_ kind: K6Token.Kind) { tokens.append(K6Token(kind: kind, line: line)) }

  private mutating func run(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek, isPart(byte) { position += 1 }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  /// True if a slash here is a division.
  private var isAfterValue: Bool {
    switch tokens.last?.kind {
    case .string, .number, .template, .other: true
    case .word(let word): !["return", "typeof", "case", "in", "of", "else"].contains(word)
    case .sign(let sign): [")", "]", "}"].contains(sign)
    case nil: false
    }
  }

  private mutating func skipComment() {
    while position < text.count, !starts("*/") {
      if text[position] == 10 { line += 1 }
      position += 1
    }
    position = min(position + 2, text.count)
  }

  private mutating func skipPattern() {
    position += 1
    var isClass = false
    while let byte = peek, byte != 10, isClass || byte != UInt8(ascii: "/") {
      if byte == UInt8(ascii: "[") { isClass = true }
      if byte == UInt8(ascii: "]") { isClass = false }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, text.count)
    _ = run(\.isLetterOrDigit)
    add(.other)
  }

  private mutating func string(until quote: UInt8) -> String {
    position += 1
    var bytes: [UInt8] = []
    while let byte = peek, byte != quote, byte != 10 {
      if byte == UInt8(ascii: "\\") { bytes += escape() } else { bytes.append(byte) }
      position += 1
    }
    position = min(position + 1, text.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes after a backslash; ends on the last of them.
  private mutating func escape() -> [UInt8] {
    position += 1
    switch peek {
    case UInt8(ascii: "n")?: return [10]
    case UInt8(ascii: "r")?: return [13]
    case UInt8(ascii: "t")?: return [9]
    case UInt8(ascii: "b")?: return [8]
    case UInt8(ascii: "u")?:
      let digits = String(decoding: text.dropFirst(position + 1).prefix(4), as: UTF8.self)
      guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return [UInt8(ascii: "u")] }
      position += 4
      return Array(String(scalar).utf8)
    case 10?:
      line += 1
      return []
    case let byte?: return [byte]
    case nil: return []
    }
  }

  private mutating func template() {
    let begin = line
    position += 1
    var parts: [K6TemplatePart] = []
    var bytes: [UInt8] = []
    func close() { if !bytes.isEmpty { parts.append(.text(String(decoding: bytes, as: UTF8.self))) } }
    while let byte = peek, byte != UInt8(ascii: "`") {
      if starts("${") {
        close()
        bytes = []
        position += 2
        parts.append(.expression(inner()))
      } else {
        if byte == 10 { line += 1 }
        if byte == UInt8(ascii: "\\") { bytes += escape() } else { bytes.append(byte) }
        position += 1
      }
    }
    close()
    position = min(position + 1, text.count)
    tokens.append(K6Token(kind: .template(parts), line: begin))
  }

  /// The tokens up to the brace that closes `${`.
  private mutating func inner() -> [K6Token] {
    let start = position
    var open = 1
    while let byte = peek, open > 0 {
      if byte == UInt8(ascii: "{") { open += 1 }
      if byte == UInt8(ascii: "}") { open -= 1 }
      position += 1
    }
    guard depth < Self.deepest else { return [K6Token(kind: .other, line: line)] }
    return K6Scanner(Array(text[start..<max(position - 1, start)]), line: line, depth: depth + 1).tokens
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F: true
    default: false
    }
  }
}

/// A token of JavaScript (ECMA-262 §12), with its line.
struct K6Token {
  enum Kind: Equatable {
    case word(String)
    case string(String)
    case number(String)
    case sign(String)
    /// A template literal: strings, and the tokens between `${` and `}`.
    case template([K6TemplatePart])
    /// A regular expression, or an invalid token.
    case other
  }

  var kind: Kind
  var line: Int

  func isSign(_ text: String) -> Bool { kind == .sign(text) }
  func isWord(_ text: String) -> Bool { kind == .word(text) }

  var word: String? { if case .word(let word) = kind { word } else { nil } }
}

enum K6TemplatePart: Equatable {
  case text(String)
  case expression([K6Token])
}

extension K6Token: Equatable {
  static func == (left: K6Token, right: K6Token) -> Bool { left.kind == right.kind }
}
