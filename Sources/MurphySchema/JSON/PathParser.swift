/// Parses a query by the grammar of RFC 9535, appendix A.
struct PathParser {
  /// The maximum nesting of filters, parentheses and function calls, which bounds the recursion.
  static let deepest = 128
  /// The integers that I-JSON represents exactly (RFC 7493 §2.2).
  static let integers = -9_007_199_254_740_991...9_007_199_254_740_991

  let source: String
  let scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0

  init(_ source: String) {
    self.source = source
    scalars = Array(source.unicodeScalars)
  }

  /// `jsonpath-query = root-identifier segments`, and nothing before or after it.
  mutating func document() throws(JSONPathError) -> PathQuery {
    guard next == "$" else { throw mistake("a query must begin with $; found \(found)") }
    position += 1
    let query = PathQuery(isAbsolute: true, segments: try segments())
    guard position == scalars.count else {
      throw mistake(isBlank(next) ? "a query must not end with white space" : "expected . or [; found \(found)")
    }
    return query
  }

  /// `segments = *(S segment)`
  mutating func segments() throws(JSONPathError) -> [PathSegment] {
    var segments: [PathSegment] = []
    while true {
      let end = position
      skipBlanks()
      switch next {
      case "[": segments.append(PathSegment(isDescendant: false, selectors: try bracketed()))
      case "." where peek(1) == ".":
        position += 2
        segments.append(PathSegment(isDescendant: true, selectors: try next == "[" ? bracketed() : [dotted()]))
      case ".":
        position += 1
        segments.append(PathSegment(isDescendant: false, selectors: [try dotted()]))
      default:
        position = end
        return segments
      }
    }
  }

  /// `wildcard-selector / member-name-shorthand`
  private mutating func dotted() throws(JSONPathError) -> PathSelector {
    if next == "*" {
      position += 1
      return .wildcard
    }
    guard let first = next, Self.beginsName(first) else {
      throw mistake("expected a name or * after the dot; found \(found)")
    }
    var name = String.UnicodeScalarView()
    while let scalar = next, Self.continuesName(scalar) {
      name.append(scalar)
      position += 1
    }
    return .name(String(name))
  }

  /// `bracketed-selection = "[" S selector *(S "," S selector) S "]"`
  private mutating func bracketed() throws(JSONPathError) -> [PathSelector] {
    position += 1
    var selectors: [PathSelector] = []
    repeat {
      skipBlanks()
      selectors.append(try selector())
      skipBlanks()
    } while skip(if: ",")
    guard skip(if: "]") else { throw mistake("expected , or ]; found \(found)") }
    return selectors
  }

  private mutating func selector() throws(JSONPathError) -> PathSelector {
    switch next {
    case "'", "\"": return .name(try string())
    case "*":
      position += 1
      return .wildcard
    case "?":
      position += 1
      skipBlanks()
      return .filter(try nested { (parser) throws(JSONPathError) in try parser.condition() })
    case ":": return try indexOrSlice()
    case _ where beginsInteger: return try indexOrSlice()
    default: throw mistake("expected a quoted name, *, an index, a slice or a filter; found \(found)")
    }
  }

  /// `slice-selector = [start S] ":" S [end S] [":" [S step]]`
  private mutating func indexOrSlice() throws(JSONPathError) -> PathSelector {
    let start = next == ":" ? nil : try integer()
    let afterStart = position
    skipBlanks()
    guard skip(if: ":") else {
      position = afterStart
      if let start { return .index(start) }
      throw mistake("expected :; found \(found)")
    }
    skipBlanks()
    let end = beginsInteger ? try integer() : nil
    let afterEnd = position
    skipBlanks()
    guard skip(if: ":") else {
      position = afterEnd
      return .slice(start: start, end: end, step: 1)
    }
    let afterColon = position
    skipBlanks()
    guard beginsInteger else {
      position = afterColon
      return .slice(start: start, end: end, step: 1)
    }
    return .slice(start: start, end: end, step: try integer())
  }

  private var beginsInteger: Bool {
    next == "-" || Self.isDigit(next)
  }

  /// `int = "0" / (["-"] DIGIT1 *DIGIT)`
  private mutating func integer() throws(JSONPathError) -> Int {
    let start = position
    var text = skip(if: "-") ? "-" : ""
    while let digit = next, Self.isDigit(digit) {
      text.unicodeScalars.append(digit)
      position += 1
    }
    let digits = text.drop { $0 == "-" }
    if digits.isEmpty { throw mistake("expected a digit; found \(found)") }
    if digits.first == "0", text != "0" {
      throw mistake(text == "-0" ? "an index must not be -0" : "an index must not have a leading zero", at: start)
    }
    guard let value = Int(text), Self.integers.contains(value) else {
      throw mistake("an index must be between -(2^53 - 1) and 2^53 - 1", at: start)
    }
    return value
  }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  func peek(_ ahead: Int) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  /// The next token, for messages.
  var found: String {
    guard let next else { return "the end of the query" }
    return next.value < 0x21 || next.value == 0x7F ? "white space or a control character" : "\"\(next)\""
  }

  mutating func skip(if scalar: Unicode.Scalar) -> Bool {
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

  /// Parses a recursive part of the grammar.
  mutating func nested<Part>(
    _ part: (inout PathParser) throws(JSONPathError) -> Part
  ) throws(JSONPathError) -> Part {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw mistake("the query has more than \(Self.deepest) levels of nesting") }
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
