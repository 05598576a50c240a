import MurphyModel
import MurphySchema
import Yams

/// YAML 1.2 to JSON values with marks: anchors, aliases and merge keys are expanded, keys become strings.
struct YAMLReader {
  /// Aliases may repeat content up to this limit, which stops "billion laughs" attacks.
  private static let mostValues = 4_000_000
  /// The values that aliases may add to the written ones; each written value takes at least one byte.
  private static let repeatedValues = 200_000

  private let text: SourceText
  private let composition: YAMLComposition
  private let keepsSpelling: Bool
  private let valueLimit: Int
  private var marks: SourceMarks
  private var mistakes: [Diagnostic] = []
  private var depth = 0
  /// Members from `<<`, overridden ones included.
  private var merged = 0
  /// Duplicates that were reported already; an alias reaches them again.
  private var reported: Set<SourceMarks.Place> = []

  /// - Returns: the value with its marks, unless the text is not YAML at all, and the mistakes.
  static func read(
    _ text: SourceText, keepsSpelling: Bool
  ) -> (contents: (value: JSONValue, marks: SourceMarks)?, mistakes: [Diagnostic]) {
    do throws(Diagnostic) {
      let composition = try YAMLComposition(text)
      var reader = YAMLReader(text, composition, keepsSpelling: keepsSpelling)
      let value = try reader.convert(composition.root, named: nil)
      return ((value, reader.marks), reader.mistakes)
    } catch {
      return (nil, [error])
    }
  }

  private init(_ text: SourceText, _ composition: YAMLComposition, keepsSpelling: Bool) {
    self.text = text
    self.composition = composition
    self.keepsSpelling = keepsSpelling
    valueLimit = min(Self.mostValues, text.bytes.count + Self.repeatedValues)
    marks = SourceMarks(keepsSpellings: keepsSpelling)
  }

  private mutating func convert(_ node: Node, named key: Node?) throws(Diagnostic) -> JSONValue {
    let index = marks.open(at: Self.place(node), named: key.map(Self.place), spelling(node, key))
    depth += 1
    defer {
      marks.close(index)
      depth -= 1
    }
    guard depth <= JSONValue.maximumDepth else {
      throw mistake("nested deeper than \(JSONValue.maximumDepth) levels", at: node)
    }
    try count(at: node)
    switch node {
    case .scalar(let scalar): return value(of: scalar)
    case .sequence(let sequence):
      var items: [JSONValue] = []
      items.reserveCapacity(sequence.count)
      for item in sequence { items.append(try convert(item, named: nil)) }
      return .array(items)
    case .mapping(let mapping): return .object(try object(mapping))
    case .alias: throw mistake("unknown anchor", at: node)
    }
  }

  private func count(at node: Node) throws(Diagnostic) {
    guard marks.count + merged <= valueLimit else {
      throw mistake("the file's aliases expand to more than \(valueLimit) values", at: node)
    }
  }

  private mutating func object(_ mapping: Node.Mapping) throws(Diagnostic) -> JSONObject {
    var members = JSONObject()
    let (own, merged) = try pairs(of: mapping)
    for (name, key, value) in own { members[name] = try convert(value, named: key) }
    for (name, key, value) in merged where members[name] == nil { members[name] = try convert(value, named: key) }
    return members
  }

  private typealias Pair = (name: String, key: Node, value: Node)

  /// A mapping's own members, and those that `<<` merges from one mapping or from a sequence of mappings.
  private mutating func pairs(of mapping: Node.Mapping) throws(Diagnostic) -> (own: [Pair], merged: [Pair]) {
    var own: [Pair] = []
    var merged: [Pair] = []
    var earlier: [Node] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        let found = key.sequence == nil ? "a mapping" : "a list"
        mistakes.append(mistake("a key must be a string; found \(found)", at: key))
        continue
      }
      if composition.renamed.contains(Self.place(key)) {
        earlier.append(key)
      } else if scalar.string == "<<", scalar.style == .plain {
        merged += try mergedPairs(value)
      } else {
        own.append((scalar.string, key, value))
      }
    }
    for key in earlier { report(duplicate: key, among: own) }
    return (own, merged)
  }

  private mutating func mergedPairs(_ value: Node) throws(Diagnostic) -> [Pair] {
    switch value {
    case .mapping(let mapping):
      let (own, merged) = try pairs(of: mapping)
      self.merged += own.count + 1
      try count(at: value)
      return own + merged
    case .sequence(let sequence):
      var all: [Pair] = []
      for item in sequence { all += try mergedPairs(item) }
      return all
    default:
      mistakes.append(mistake("<< needs an alias of a mapping; found a value", at: value))
      return []
    }
  }

  /// The maximum number of listed mistakes.
  private static let mostReported = 1_000

  /// The last of several equal keys counts, and they are reported at its position.
  private mutating func report(duplicate key: Node, among own: [Pair]) {
    let place = Self.place(key)
    guard mistakes.count < Self.mostReported, reported.insert(place).inserted, let name = composition.name(of: key)
    else {
      return
    }
    let again = own.last { $0.name == name }?.key ?? key
    mistakes.append(mistake("duplicate key \"\(name)\"; it is first defined in line \(place.line)", at: again))
  }

  private func value(of scalar: Node.Scalar) -> JSONValue {
    let tag = scalar.tag.rawValue
    if tag == "tag:yaml.org,2002:str" || tag == "!" || scalar.style != .plain && !tag.hasPrefix("tag:yaml.org") {
      return .string(scalar.string)
    }
    switch YAMLScalar(plain: scalar.string) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let number): return JSONNumber(text: number).map(JSONValue.number) ?? .string(scalar.string)
    case .string: return .string(scalar.string)
    }
  }

  private func spelling(_ node: Node, _ key: Node?) -> SourceMarks.Spelling? {
    guard keepsSpelling else { return nil }
    func isQuoted(_ node: Node?) -> Bool {
      guard case .scalar(let scalar)? = node else { return false }
      return scalar.style != .plain && scalar.style != .any
    }
    return SourceMarks.Spelling(text: node.scalar?.string, isQuoted: isQuoted(node), isNameQuoted: isQuoted(key))
  }

  private static func place(_ node: Node) -> SourceMarks.Place {
    SourceMarks.Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  private func mistake(_ message: String, at node: Node) -> Diagnostic {
    let place = Self.place(node)
    let width = node.scalar.map { $0.string.contains { $0.isNewline } ? 1 : max($0.string.count, 1) }
    return text.diagnostic(message, line: Int(place.line), column: Int(place.column), width: width ?? 1)
  }
}

/// The meaning of a plain YAML scalar by the core schema of YAML 1.2 (§10.3.2), in contracts and in scenarios: `007` is
/// the number 7, `0o7` and `0x7` are numbers; `yes`, `on` and dates are strings.
package enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  /// A number in JSON's spelling.
  case number(String)
  case string

  /// The type of a scalar without quotes (YAML 1.2.2 §10.3).
  package init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    default: self = Self.number(in: text).map(YAMLScalar.number) ?? .string
    }
  }

  /// The JSON spelling of a YAML number: `+1` → `1`, `.5` → `0.5`, `0x1F` → `31`; nil if it is not a number.
  private static func number(in text: String) -> String? {
    guard let first = text.utf8.first, isNumberStart(first) else { return nil }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      // Swift accepts a sign here; YAML's core schema does not.
      let digits = text.dropFirst(2)
      return digits.first?.isHexDigit == true ? UInt64(digits, radix: radix).map(String.init) : nil
    }
    return decimal(text)?.lowercased()
  }

  /// The JSON spelling of a decimal number in a wider grammar, which XML shares: `+1`, `007`, `.5`, `5.`.
  package static func decimal(_ text: String) -> String? {
    var rest = Substring(text)
    var sign = ""
    if rest.first == "-" || rest.first == "+" { sign = rest.removeFirst() == "-" ? "-" : "" }
    let whole = digits(&rest)
    var fraction = ""
    var hasPoint = false
    if rest.first == "." {
      hasPoint = true
      rest.removeFirst()
      fraction = String(digits(&rest))
    }
    guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
    var exponent = ""
    if rest.first == "e" || rest.first == "E" {
      exponent.append(rest.removeFirst())
      if rest.first == "-" || rest.first == "+" { exponent.append(rest.removeFirst()) }
      let power = digits(&rest)
      guard !power.isEmpty else { return nil }
      exponent += power
    }
    guard rest.isEmpty else { return nil }
    let significant = whole.drop { $0 == "0" }
    let integer = significant.isEmpty ? "0" : String(significant)
    return sign + integer + (hasPoint && !fraction.isEmpty ? "." + fraction : "") + exponent
  }

  private static func isNumberStart(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  private static func digits(_ rest: inout Substring) -> Substring {
    let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
