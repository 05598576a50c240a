import Foundation
import MurphyJSON
import MurphyModel
import Yams

/// YAML 1.2 to JSON values with marks: anchors, aliases and merge keys are expanded, keys become strings.
struct YAMLReader {
  /// Aliases may repeat content, but not without bound: the "billion laughs" end here.
  private static let mostValues = 4_000_000
  /// Values that aliases may add to those that are written out; each of those takes a byte at least.
  private static let repeatedValues = 200_000

  /// Anchors of anchors nest; their release does so on the stack.
  private static let anchorLimit = 5_000

  private let text: SourceText
  private var marks = SourceMarks()
  private var depth = 0

  static func read(_ text: SourceText) throws(ContractError) -> (JSONValue, SourceMarks) {
    guard let string = String(validating: text.bytes, as: UTF8.self) else {
      throw ContractError([Diagnostic("not UTF-8", at: SourceMark(file: text.file, line: 1, column: 1))])
    }
    guard anchors(in: text.bytes) <= anchorLimit else {
      throw ContractError([
        Diagnostic("more than \(anchorLimit) anchors", at: SourceMark(file: text.file, line: 1, column: 1))
      ])
    }
    let root: Node?
    do {
      // The basic resolver leaves scalars alone: types are found by ``YAMLScalar``, without regular expressions.
      root = try Yams.compose(yaml: string, .basic, .default, .utf8)
    } catch {
      throw ContractError([syntaxError(error, in: text)])
    }
    guard let root else {
      throw ContractError([Diagnostic("the file is empty", at: SourceMark(file: text.file, line: 1, column: 1))])
    }
    var reader = YAMLReader(text: text)
    let value = try reader.convert(root, named: nil)
    return (value, reader.marks)
  }

  /// At least as many as there are: ampersands at the beginning of a word. Stops above the limit.
  private static func anchors(in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var (count, next) = (0, 0)
      // A comment may have 60 MB: the C library looks faster than a loop.
      while count <= anchorLimit, next < buffer.count,
        let found = memchr(base + next, CInt(UInt8(ascii: "&")), buffer.count - next)
      {
        let place = UnsafeRawPointer(found) - base
        if place == 0 || " \n[{,-:".utf8.contains(buffer[place - 1]) { count += 1 }
        next = place + 1
      }
      return count
    }
  }

  private init(text: SourceText) { self.text = text }

  private var valueLimit: Int { min(Self.mostValues, text.bytes.count + Self.repeatedValues) }

  private mutating func convert(_ node: Node, named name: SourceMarks.Place?) throws(ContractError) -> JSONValue {
    let index = marks.open(at: place(node), named: name)
    depth += 1
    defer {
      marks.close(index)
      depth -= 1
    }
    guard depth <= JSONValue.maximumDepth else {
      throw error("nested deeper than \(JSONValue.maximumDepth) levels", at: node)
    }
    guard marks.count <= valueLimit else {
      throw error("aliases expand this file to more than \(valueLimit) values", at: node)
    }
    switch node {
    case .scalar(let scalar): return value(of: scalar)
    case .sequence(let sequence):
      var items: [JSONValue] = []
      items.reserveCapacity(sequence.count)
      for item in sequence { items.append(try convert(item, named: nil)) }
      return .array(items)
    case .mapping(let mapping): return .object(try object(mapping))
    case .alias: throw error("an alias to an anchor that is not there", at: node)
    }
  }

  private mutating func object(_ mapping: Node.Mapping) throws(ContractError) -> JSONObject {
    var members = JSONObject()
    var merged: [(Node, Node)] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        throw error("a key that is not a plain text: JSON has only strings as names", at: key)
      }
      if scalar.string == "<<", scalar.style == .plain, let pairs = Self.mergePairs(value) {
        merged += pairs
      } else {
        members[scalar.string] = try convert(value, named: place(key))
      }
    }
    for (key, value) in merged {
      guard case .scalar(let scalar) = key, members[scalar.string] == nil else { continue }
      members[scalar.string] = try convert(value, named: place(key))
    }
    return members
  }

  /// What `<<` brings in: a mapping, or a sequence of mappings (YAML merge key).
  private static func mergePairs(_ value: Node) -> [(Node, Node)]? {
    switch value {
    case .mapping(let mapping): Array(mapping)
    case .sequence(let sequence): sequence.flatMap { $0.mapping.map { Array($0) } ?? [] }
    default: nil
    }
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

  private func place(_ node: Node) -> SourceMarks.Place {
    SourceMarks.Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  private func error(_ message: String, at node: Node) -> ContractError {
    let mark = SourceMark(file: text.file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    return ContractError([text.diagnostic(message, at: mark)])
  }

  private static func syntaxError(_ error: any Error, in text: SourceText) -> Diagnostic {
    func at(_ line: Int, _ column: Int, _ message: String) -> Diagnostic {
      text.diagnostic(message, at: SourceMark(file: text.file, line: line, column: column))
    }
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      return at(
        mark.line, mark.column, "not YAML: " + [context?.text, problem].compactMap { $0 }.joined(separator: ", "))
    case .duplicatedKeysInMapping(let duplicates, let context):
      return at(
        context.mark.line, context.mark.column,
        "the key \(duplicates.map { "\"\($0)\"" }.joined(separator: ", ")) stands here twice")
    case .reader(let problem, let offset, _, _):
      let line = text.bytes.prefix(offset ?? 0).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
      return at(line, 1, "not YAML: \(problem)")
    default:
      return at(1, 1, "not YAML: \(error)")
    }
  }
}

/// What a plain YAML scalar means by the core schema of YAML 1.2 (§10.3.2): `yes`, `on` and dates are strings.
enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  /// A number as JSON writes it.
  case number(String)
  case string

  init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .bool(true)
    case "false", "False", "FALSE": self = .bool(false)
    default: self = Self.number(in: text).map(YAMLScalar.number) ?? .string
    }
  }

  /// The JSON spelling of a YAML number: `+1` → `1`, `.5` → `0.5`, `0x1F` → `31`; nil when it is none.
  private static func number(in text: String) -> String? {
    guard let first = text.utf8.first, isNumberStart(first) else { return nil }
    if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map(String.init) }
    if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map(String.init) }
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
      rest.removeFirst()
      exponent = "e"
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
