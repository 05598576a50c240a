import MurphyModel
import MurphySchema

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
      let value = try reader.convert(composition.resolved(0), named: nil)
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

  /// - Parameters:
  ///   - index: of a node that is not an alias.
  ///   - key: the node of its name.
  private mutating func convert(_ index: Int, named key: Int?) throws(Diagnostic) -> JSONValue {
    let node = composition[index]
    let opened = marks.open(at: node.place, named: key.map { composition[$0].place }, spelling(node, key))
    depth += 1
    defer {
      marks.close(opened)
      depth -= 1
    }
    guard depth <= JSONValue.maximumDepth else {
      throw mistake("nested deeper than \(JSONValue.maximumDepth) levels", at: index)
    }
    try count(at: index)
    switch node.kind {
    case .sequence:
      var items: [JSONValue] = []
      for item in composition.children(of: index) { items.append(try convert(item, named: nil)) }
      return .array(items)
    case .mapping: return .object(try object(index))
    case .scalar, .alias: return value(of: node)
    }
  }

  private func count(at index: Int) throws(Diagnostic) {
    guard marks.count + merged <= valueLimit else {
      throw mistake("the file's aliases expand to more than \(valueLimit) values", at: index)
    }
  }

  private mutating func object(_ mapping: Int) throws(Diagnostic) -> JSONObject {
    var members = JSONObject()
    let (own, merged) = try pairs(of: mapping)
    for pair in own { members[pair.name] = try convert(pair.value, named: pair.key) }
    for pair in merged where members[pair.name] == nil {
      members[pair.name] = try convert(pair.value, named: pair.key)
    }
    return members
  }

  /// A member of a mapping: the nodes of its key and its value.
  private struct Pair {
    let name: String
    let key: Int
    let value: Int
  }

  /// A mapping's own members, and those that `<<` merges from one mapping or from a sequence of mappings.
  private mutating func pairs(of mapping: Int) throws(Diagnostic) -> (own: [Pair], merged: [Pair]) {
    var all: [Pair] = []
    var nodes = composition.children(of: mapping).makeIterator()
    while let key = nodes.next(), let value = nodes.next() {
      let node = composition[key]
      if node.kind == .scalar {
        all.append(Pair(name: node.text, key: key, value: value))
      } else {
        mistakes.append(
          mistake("a key must be a string; found a \(node.kind == .mapping ? "mapping" : "list")", at: key))
      }
    }
    all = unique(all)
    guard all.contains(where: isMerge) else { return (all, []) }
    var merged: [Pair] = []
    for pair in all where isMerge(pair) { merged += try mergedPairs(pair.value) }
    return (all.filter { !isMerge($0) }, merged)
  }

  private func isMerge(_ pair: Pair) -> Bool { pair.name == "<<" && composition[pair.key].isPlain }

  /// The last of several equal keys counts. The earlier ones are reported.
  private mutating func unique(_ pairs: [Pair]) -> [Pair] {
    var last: [JSONKey: Int] = [:]
    if pairs.count > Self.fewPairs {
      last.reserveCapacity(pairs.count)
    } else if pairs.indices.allSatisfy({ index in
      pairs[..<index].allSatisfy { JSONKey($0.name) != JSONKey(pairs[index].name) }
    }) {
      return pairs
    }
    for (index, pair) in pairs.enumerated() { last[JSONKey(pair.name)] = index }
    guard last.count < pairs.count else { return pairs }
    return pairs.enumerated().compactMap { index, pair in
      guard let place = last[JSONKey(pair.name)], place != index else { return pair }
      report(duplicate: pair, at: pairs[place].key)
      return nil
    }
  }

  /// Up to this number, a comparison of all pairs is faster than a dictionary.
  private static let fewPairs = 12

  private mutating func mergedPairs(_ value: Int) throws(Diagnostic) -> [Pair] {
    switch composition[value].kind {
    case .mapping:
      let (own, merged) = try pairs(of: value)
      self.merged += own.count + 1
      try count(at: value)
      return own + merged
    case .sequence:
      var all: [Pair] = []
      for item in composition.children(of: value) { all += try mergedPairs(item) }
      return all
    case .scalar, .alias:
      mistakes.append(mistake("<< needs an alias of a mapping; found a value", at: value))
      return []
    }
  }

  /// The maximum number of listed mistakes.
  private static let mostReported = 1_000

  private mutating func report(duplicate pair: Pair, at again: Int) {
    let place = composition[pair.key].place
    guard mistakes.count < Self.mostReported, reported.insert(place).inserted else { return }
    mistakes.append(mistake("duplicate key \"\(pair.name)\"; it is first defined in line \(place.line)", at: again))
  }

  private func value(of scalar: YAMLComposition.Node) -> JSONValue {
    guard !scalar.isText else { return .string(scalar.text) }
    switch YAMLScalar(plain: scalar.text) {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let number): return JSONNumber(text: number).map(JSONValue.number) ?? .string(scalar.text)
    case .string: return .string(scalar.text)
    }
  }

  private func spelling(_ node: YAMLComposition.Node, _ key: Int?) -> SourceMarks.Spelling? {
    guard keepsSpelling else { return nil }
    let isScalar = node.kind == .scalar
    return SourceMarks.Spelling(
      text: isScalar ? node.text : nil, isQuoted: isScalar && !node.isPlain,
      isNameQuoted: key.map { !composition[$0].isPlain } ?? false)
  }

  private func mistake(_ message: String, at index: Int) -> Diagnostic {
    let node = composition[index]
    let width = node.text.contains { $0.isNewline } ? 1 : max(node.text.count, 1)
    return text.diagnostic(message, line: Int(node.place.line), column: Int(node.place.column), width: width)
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
