import MurphySchema

/// The structure of the first error responses of one operation, by status.
final class ErrorShapes {
  struct Shape: Sendable, Hashable, Codable {
    let status: Int
    /// Names of the JSON object's members, ascending; empty for other values.
    let members: [String]
    /// A description of a body that is not a JSON object: `an HTML page`, `a JSON array`.
    let form: String
  }

  /// Each shape with the beginning of the first such body.
  private(set) var shapes: [(shape: Shape, example: String)] = []
  private var looked: [Int: Int] = [:]
  private static let responsesOfAStatus = 8
  private static let shapesKept = 20

  func observe(_ response: ResponseView) {
    guard response.status >= 400, !response.bodyIncomplete, !response.body.isEmpty, shapes.count < Self.shapesKept,
      looked[response.status, default: 0] < Self.responsesOfAStatus, let shape = Self.shape(of: response)
    else { return }
    looked[response.status, default: 0] += 1
    if shapes.contains(where: { $0.shape == shape }) { return }
    let text = String(decoding: response.body, as: UTF8.self).shortened(to: 400)
    let words = text.split(whereSeparator: \.isWhitespace)
    shapes.append((shape, words.joined(separator: " ").shortened(to: 120)))
  }

  private static func shape(of response: ResponseView) -> Shape? {
    guard let first = response.body.first(where: { $0 > 0x20 }) else { return nil }
    if first == UInt8(ascii: "<") {
      return Shape(status: response.status, members: [], form: "an HTML or XML document")
    }
    guard response.body.count <= 65_536, let value = try? JSONValue.parse(Array(response.body)) else {
      return Shape(status: response.status, members: [], form: "plain text")
    }
    switch value {
    case .object(let object):
      // The names are those of the request's properties: `{"code": ["This field is required."]}`.
      let isByField = object.members.allSatisfy { member in
        guard case .array(let items) = member.value, !items.isEmpty, !member.key.contains(/^(error|message|detail)/)
        else { return false }
        return items.allSatisfy { $0.string != nil }
      }
      if isByField, !object.isEmpty {
        return Shape(status: response.status, members: [], form: "an object with a list of messages for each property")
      }
      return Shape(status: response.status, members: Set(object.members.map(\.key)).sorted(), form: "")
    case .array: return Shape(status: response.status, members: [], form: "a JSON array")
    default: return Shape(status: response.status, members: [], form: "a single JSON value")
    }
  }
}

/// A group of error responses with a common structure. A client needs a separate parser for each group.
struct ErrorFamily {
  var members: Set<String>
  var form: String
  /// `getLaw 404`, in the order of the contract.
  var places: [String]
  /// The beginning of the body at the first place.
  var example: String

  /// Groups the shapes: objects that share a member are one family, and so are shapes of the same form.
  static func families(_ seen: [(place: String, shape: ErrorShapes.Shape, example: String)]) -> [ErrorFamily] {
    var families: [ErrorFamily] = []
    for (place, shape, example) in seen {
      var merged = ErrorFamily(members: Set(shape.members), form: shape.form, places: [], example: "")
      families.removeAll { family in
        let isSame =
          family.form == merged.form && (!merged.form.isEmpty || !family.members.isDisjoint(with: merged.members))
        if isSame {
          merged.members.formUnion(family.members)
          merged.places += family.places
          if merged.example.isEmpty { merged.example = family.example }
        }
        return isSame
      }
      if !merged.places.contains(place) { merged.places.append(place) }
      if merged.example.isEmpty { merged.example = example }
      families.append(merged)
    }
    return families.sorted { $0.text < $1.text }
  }

  var text: String {
    form.isEmpty
      ? (members.isEmpty ? "an empty object" : "an object with " + members.sorted().joined(separator: ", ")) : form
  }
}

/// The timestamp formats of APIs.
enum TimestampFormat: Int, Sendable, Codable, Comparable, CaseIterable {
  /// `2026-11-21T10:00:00Z`, `2026-11-21T10:00:00.000+01:00` (RFC 3339)
  case zoned
  /// `2026-11-21T10:00:00`, without an offset from UTC
  case unzoned
  /// `2026-11-21 10:00:00`, as SQL prints it
  case spaced
  /// `Sat, 21 Nov 2026 10:00:00 GMT` (RFC 9110 §5.6.7)
  case http
  case epochSeconds
  case epochMilliseconds

  static func < (left: TimestampFormat, right: TimestampFormat) -> Bool { left.rawValue < right.rawValue }

  /// Nil for a value that is not a timestamp. Numbers are timestamps from 2001 to 2039 only.
  init?(_ value: JSONValue) {
    switch value {
    case .string(let text):
      guard let format = Self.format(Array(text.utf8.prefix(40))) else { return nil }
      self = format
    case .number(let number):
      let value = number.double
      if value >= 1e9, value < 2.2e9 {
        self = .epochSeconds
      } else if value >= 1e12, value < 2.2e12 {
        self = .epochMilliseconds
      } else {
        return nil
      }
    default: return nil
    }
  }

  private static func format(_ bytes: [UInt8]) -> TimestampFormat? {
    if bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes.suffix(4).elementsEqual(" GMT".utf8) { return .http }
    // 0000-00-00?00:00:00
    guard bytes.count >= 19, zip(bytes, "0000-00-00_00:00:00".utf8).allSatisfy(fits) else { return nil }
    let rest = bytes.dropFirst(19).drop { $0 == UInt8(ascii: ".") || isDigit($0) }
    switch bytes[10] {
    case UInt8(ascii: " "): return .spaced
    case UInt8(ascii: "T"), UInt8(ascii: "t"): return rest.isEmpty ? .unzoned : .zoned
    default: return nil
    }
  }

  private static func fits(_ byte: UInt8, _ pattern: UInt8) -> Bool {
    switch pattern {
    case UInt8(ascii: "0"): isDigit(byte)
    case UInt8(ascii: "_"): true
    default: byte == pattern
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// Collects the timestamp formats in the sampled bodies of one media type, by field name.
final class TimestampFormats {
  struct Seen: Sendable, Codable {
    /// The original spelling.
    var example: String
    /// JSON Pointer with `*` for list items.
    var pointer: String
  }

  private(set) var fields: [String: [TimestampFormat: Seen]] = [:]
  private static let itemsRead = 20
  private static let namesKept = 300

  func observe(_ body: JSONValue) { observe(body, name: nil, at: "", depth: 0) }

  private func observe(_ value: JSONValue, name: String?, at place: String, depth: Int) {
    guard depth < 12 else { return }
    switch value {
    case .object(let object):
      for member in object.members {
        switch member.value {
        case .object, .array, .string, .number:
          observe(
            member.value, name: member.key, at: place + JSONPointer(tokens: [member.key]).description, depth: depth + 1)
        default: break
        }
      }
    case .array(let items):
      for item in items.prefix(Self.itemsRead) { observe(item, name: name, at: place + "/*", depth: depth + 1) }
    default:
      // A value of murphy that the API stored says nothing about the API's own format.
      guard let name, let format = TimestampFormat(value), !SampleTimes.all.contains(value.string ?? "") else {
        return
      }
      guard fields[name] != nil || fields.count < Self.namesKept, fields[name]?[format] == nil else { return }
      fields[name, default: [:]][format] = Seen(example: value.string ?? value.text, pointer: place)
    }
  }
}

/// Finds undocumented fields of a response, through `$ref`, `allOf`, and the matching branches of `oneOf` and `anyOf`.
///
/// A field is documented if `properties` or `patternProperties` names it, or if `additionalProperties` is present and
/// not `false`. If no schema names any property of an object, all its fields are allowed. A part that the walk cannot
/// follow documents everything.
final class UndocumentedFields {
  struct Field: Sendable {
    let pointer: JSONPointer
    /// The schema that could have documented it.
    let schema: Located
  }

  private let library: SchemaLibrary
  private let variant: SchemaVariant
  private let navigator: SchemaNavigator
  private let allowed: [PointerPattern]

  init(_ library: SchemaLibrary, _ variant: SchemaVariant, allowed: [String]) {
    self.library = library
    self.variant = variant
    self.allowed = allowed.map(PointerPattern.init)
    navigator = SchemaNavigator(library.sources)
  }

  /// At most 100 fields of `value`, in its order.
  func find(_ schema: Located, _ value: JSONValue) -> [Field] {
    var found: [Field] = []
    visit(value, at: .root, [schema], &found)
    return found
  }

  private func visit(_ value: JSONValue, at pointer: JSONPointer, _ schemas: [Located], _ found: inout [Field]) {
    guard found.count < 100, let parts = active(schemas, value, depth: 0), !parts.isEmpty else { return }
    switch value {
    case .object(let object):
      let isDocumented = parts.contains { $0.value["properties"]?.object?.isEmpty == false }
      for member in object.members {
        let place = pointer.appending(member.key)
        if parts.contains(where: { navigator.documents(member.key, in: $0) }) {
          let inner = parts.flatMap { navigator.schemas(for: member.key, in: $0) }
          if !inner.isEmpty { visit(member.value, at: place, inner, &found) }
        } else if isDocumented, !allowed.contains(where: { $0.matches(place) }) {
          found.append(Field(pointer: place, schema: parts.first { $0.value["properties"] != nil } ?? parts[0]))
        }
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        let inner = parts.flatMap { navigator.schemas(at: index, in: $0) }
        if !inner.isEmpty { visit(item, at: pointer.appending(index), inner, &found) }
      }
    default: break
    }
  }

  /// The schemas that apply to `value`; nil if that cannot be determined.
  private func active(_ schemas: [Located], _ value: JSONValue, depth: Int) -> [Located]? {
    guard depth < 32 else { return nil }
    let scope = navigator.scope(of: schemas)
    if scope.isOpaque { return nil }
    var parts = scope.parts
    for choice in scope.choices {
      for branch in choice.branches where holds(branch, value) {
        guard let inner = active([branch], value, depth: depth + 1) else { return nil }
        parts += inner
      }
    }
    return parts
  }

  private func holds(_ branch: Located, _ value: JSONValue) -> Bool {
    guard let index = library.branches[branch.key], let entry = variant.branchEntries[index] else { return true }
    if case .invalid = variant.program.isValid(entry, value) { return false }
    return true
  }
}

/// JSON Pointers with `*` for any one token and `**` at the end for any descendants: `/data/*/debug`, `/meta/**`.
package struct PointerPattern: Sendable {
  private let tokens: [String]

  /// A text without a slash at the start is a pattern as well.
  package init(_ text: String) {
    let text = text.hasPrefix("/") ? text : "/" + text
    tokens = JSONPointer(text)?.tokens ?? [text]
  }

  /// True if the pattern covers the pointer as a whole.
  package func matches(_ pointer: JSONPointer) -> Bool {
    for (index, token) in tokens.enumerated() {
      if token == "**", index == tokens.count - 1 { return pointer.tokens.count > index }
      guard index < pointer.tokens.count, token == "*" || token == pointer.tokens[index] else { return false }
    }
    return pointer.tokens.count == tokens.count
  }
}
