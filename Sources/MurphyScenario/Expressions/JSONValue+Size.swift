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
