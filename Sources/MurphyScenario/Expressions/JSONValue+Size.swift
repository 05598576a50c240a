import MurphyJSON

extension Expression {
  /// Values in a list or an object, those within them included. A list of lists doubles in a few words:
  /// `set: { xs: ["${xs}", "${xs}"] }`, sixty times, has more than any memory holds.
  package static let mostValues = 1_000_000
  /// Bytes of all texts in a list or an object together.
  package static let mostBytes = 32 << 20

  /// The value, if it is not larger than any request needs. Cost: its size, up to the limit.
  static func bounded(_ value: JSONValue) throws(EvaluationError) -> JSONValue {
    switch value {
    case .null, .bool, .number, .string: return value
    case .array, .object: break
    }
    var stack = [value]
    var values = 0
    var bytes = 0
    while let next = stack.popLast() {
      values += 1
      switch next {
      case .null, .bool: break
      case .number(let number): bytes += number.text.utf8.count
      case .string(let text): bytes += text.utf8.count
      case .array(let elements):
        guard elements.count <= mostValues else { throw tooMany }
        stack += elements
      case .object(let object):
        for (key, member) in object {
          bytes += key.utf8.count
          stack.append(member)
        }
      }
      guard values + stack.count <= mostValues, bytes <= mostBytes else { throw tooMany }
    }
    return value
  }

  private static var tooMany: EvaluationError {
    .tooLarge("a list or an object grew over \(mostValues) values or \(mostBytes >> 20) MiB")
  }
}

extension JSONValue {
  /// As it stands within a text: strings bare, numbers as written, null as nothing, lists and objects as JSON.
  package var interpolated: String {
    switch self {
    case .string(let text): text
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    case .array, .object: text
    }
  }

  /// For messages; never the value itself, so that equal mistakes read alike and no secret is shown.
  var brief: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }
}
