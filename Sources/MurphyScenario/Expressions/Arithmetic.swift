import MurphySchema

/// Arithmetic: whole numbers stay whole while they fit 64 bits, all others are binary floating point.
enum Arithmetic {
  static func add(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    switch (left, right) {
    case (.string, _), (_, .string):
      let text = left.interpolated + right.interpolated
      guard text.utf8.count <= Expression.longestText else { throw Expression.tooLong }
      return .string(text)
    case (.array(let first), .array(let second)):
      guard first.count + second.count <= Expression.longestList else { throw .tooLarge("a list became too long") }
      return .array(first + second)
    default: return try compute("+", left, right, whole: { $0.addingReportingOverflow($1) }, real: +)
    }
  }

  static func subtract(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    try compute("-", left, right, whole: { $0.subtractingReportingOverflow($1) }, real: -)
  }

  static func multiply(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    try compute("*", left, right, whole: { $0.multipliedReportingOverflow(by: $1) }, real: *)
  }

  /// A whole quotient stays whole: `6 / 3` is 2, `7 / 2` is 3.5.
  static func divide(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    guard right.double != 0 else { throw .outOfRange("division by zero") }
    if let a = left.int, let b = right.int, b != -1, a.isMultiple(of: b) { return JSONValue(a / b) }
    return try compute("/", left, right, whole: { _, _ in (0, true) }, real: /)
  }

  /// Takes the sign of the divisor, so that `-1 % 5` is 4: this suits a page or an index.
  static func remainder(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    guard right.double != 0 else { throw .outOfRange("division by zero") }
    return try compute(
      "%", left, right,
      whole: {
        if $1 == -1 { return (0, false) }
        let rest = $0 % $1
        return (rest != 0 && (rest < 0) != ($1 < 0) ? rest + $1 : rest, false)
      }, real: { $0 - ($0 / $1).rounded(.down) * $1 })
  }

  private static func compute(
    _ symbol: String, _ left: JSONValue, _ right: JSONValue,
    whole: (Int, Int) -> (partialValue: Int, overflow: Bool), real: (Double, Double) -> Double
  ) throws(EvaluationError) -> JSONValue {
    guard case .number(let first) = left, case .number(let second) = right else {
      throw .wrongType("\(symbol) needs numbers; found \(left.brief) and \(right.brief)")
    }
    if let a = first.int, let b = second.int {
      let (value, overflow) = whole(a, b)
      if !overflow { return JSONValue(value) }
    }
    let value = real(first.double, second.double)
    guard value.isFinite else { throw .outOfRange("the result of \(symbol) is not a finite number") }
    return JSONValue(value)
  }
}

extension BinaryOperator {
  func apply(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    switch self {
    case .add: try Arithmetic.add(left, right)
    case .subtract: try Arithmetic.subtract(left, right)
    case .multiply: try Arithmetic.multiply(left, right)
    case .divide: try Arithmetic.divide(left, right)
    case .remainder: try Arithmetic.remainder(left, right)
    case .equal: .bool(left == right)
    case .notEqual: .bool(left != right)
    case .less: .bool(try Self.compare(left, right) < 0)
    case .lessOrEqual: .bool(try Self.compare(left, right) <= 0)
    case .greater: .bool(try Self.compare(left, right) > 0)
    case .greaterOrEqual: .bool(try Self.compare(left, right) >= 0)
    // Evaluated lazily by `Expression.value`; here both sides are known.
    case .and: .bool(left == .bool(true) && right == .bool(true))
    case .or: .bool(left == .bool(true) || right == .bool(true))
    }
  }

  private static func compare(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> Int {
    switch (left, right) {
    case (.number(let a), .number(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.string(let a), .string(let b)): a < b ? -1 : (a == b ? 0 : 1)
    default:
      throw .wrongType("<, <=, > and >= compare two numbers or two strings; found \(left.brief) and \(right.brief)")
    }
  }
}

extension Expression {
  /// The maximum number of values in a list or an object, nested ones included. A list of lists can double in a few
  /// words: `set: { xs: ["${xs}", "${xs}"] }`, repeated sixty times, exceeds any memory.
  package static let mostValues = 1_000_000
  /// The maximum bytes of all strings in a list or an object together.
  package static let mostBytes = 32 << 20

  /// The value, if it is not larger than any request requires. Cost: its size, up to the limit.
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
    .tooLarge("a list or an object became larger than \(mostValues) values or \(mostBytes >> 20) MiB")
  }
}

extension JSONValue {
  /// Its form within a string: strings without quotes, numbers as written, null as nothing, lists and objects as JSON.
  package var interpolated: String {
    switch self {
    case .string(let text): text
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    case .array, .object: text
    }
  }

  /// For messages. It does not contain the value, so that equal mistakes have equal messages and no secret is shown.
  var brief: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }
}
