extension PathParser {
  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func peek(_ ahead: Int) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  /// What stands here, for messages.
  var found: String {
    guard let next else { return "the end of the query" }
    return next.value < 0x21 || next.value == 0x7F ? "white space or a control character" : "\"\(next)\""
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// `B = %x20 / %x09 / %x0A / %x0D`
  func isBlank(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  mutating func skipBlanks() {
    while isBlank(next) { position += 1 }
  }

  func mistake(_ message: String, at offset: Int? = nil) -> JSONPathError {
    JSONPathError(query: source, offset: offset ?? position, message: message)
  }

  /// Runs a part of the grammar that can hold itself.
  mutating func nested<Part>(
    _ part: (inout PathParser) throws(JSONPathError) -> Part
  ) throws(JSONPathError) -> Part {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw mistake("more than \(Self.deepest) levels of nesting") }
    return try part(&self)
  }

  /// `name-first = ALPHA / "_" / %x80-D7FF / %xE000-10FFFF`
  static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: scalar.value >= 0x80
    }
  }

  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    beginsName(scalar) || isDigit(scalar)
  }

  static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("0"..."9").contains($0) } ?? false
  }
}
