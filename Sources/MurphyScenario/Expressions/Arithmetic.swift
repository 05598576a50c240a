import Foundation
import MurphyModel
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
      guard first.count + second.count <= Expression.longestList else {
        throw .tooLarge("a list became longer than \(Expression.longestList) items")
      }
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
      throw .wrongType("\(symbol) needs two numbers; found \(left.brief) and \(right.brief)")
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
      throw .wrongType("<, <=, > and >= need two numbers or two strings; found \(left.brief) and \(right.brief)")
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

extension Function {
  /// - Parameter arguments: the parser has checked their number against `arity`.
  func apply(
    _ arguments: [JSONValue], scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> JSONValue {
    switch self {
    case .uuid, .pick, .sample, .shuffle, .int, .float, .digits, .string, .words, .email:
      return try draw(arguments, &scope, &random)
    case .count, .first, .last, .contains, .join, .slice, .unique, .sorted, .reversed, .sum:
      return try readList(arguments)
    case .round, .floor, .ceil, .abs, .min, .max:
      return try compute(arguments)
    case .now:
      guard let clock = scope.clock else { throw .notKnownYet("now()") }
      return try WallClock.text(nanoseconds: clock(), format: arguments.first, offset: arguments.dropFirst().first)
    case .seq:
      scope.sequence += 1
      return JSONValue(scope.arrival * 1_000_000 + scope.sequence)
    case .base64: return .string(Data(try text(arguments[0]).utf8).base64EncodedString())
    case .lower: return .string(try text(arguments[0]).lowercased())
    case .upper: return .string(try text(arguments[0]).uppercased())
    case .trim: return .string(try text(arguments[0]).trimmingCharacters(in: .whitespacesAndNewlines))
    case .length: return JSONValue(try text(arguments[0]).count)
    case .text: return .string(arguments[0].interpolated)
    case .json: return .string(arguments[0].text)
    case .number: return try number(arguments[0])
    case .split: return try split(arguments)
    case .replace: return try replace(arguments)
    case .coalesce: return arguments[0] == .null ? arguments[1] : arguments[0]
    }
  }

  func text(_ value: JSONValue) throws(EvaluationError) -> String {
    switch value {
    case .string, .number, .bool: return value.interpolated
    default: throw .wrongType("\(rawValue)() needs a string; found \(value.brief)")
    }
  }

  func list(_ value: JSONValue) throws(EvaluationError) -> [JSONValue] {
    guard case .array(let elements) = value else {
      throw .wrongType("\(rawValue)() needs a list; found \(value.brief)")
    }
    return elements
  }

  /// A whole number within `range`.
  func whole(_ value: JSONValue, _ range: ClosedRange<Int>) throws(EvaluationError) -> Int {
    guard let number = value.int else {
      throw .wrongType("\(rawValue)() needs a whole number; found \(value.brief)")
    }
    guard range.contains(number) else {
      throw .outOfRange("\(rawValue)() needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func number(_ value: JSONValue) throws(EvaluationError) -> JSONValue {
    if case .number = value { return value }
    guard case .string(let text) = value, let number = JSONNumber(text: text) else {
      throw .wrongType("number() needs a string with a number; found \(value.brief)")
    }
    return .number(number)
  }

  private func split(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    let separator = try text(arguments[1])
    let whole = try text(arguments[0])
    guard !separator.isEmpty else { throw .outOfRange("the separator of split() must not be empty") }
    let parts = whole.components(separatedBy: separator)
    guard parts.count <= Expression.longestList else {
      throw .tooLarge("split() returned more than \(Expression.longestList) parts")
    }
    return .array(parts.map { .string($0) })
  }

  private func replace(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    let old = try text(arguments[1])
    guard !old.isEmpty else { throw .outOfRange("the second argument of replace() must not be empty") }
    let whole = try text(arguments[0])
    let new = try text(arguments[2])
    guard whole.utf8.count / old.utf8.count * new.utf8.count <= Expression.longestText else { throw Expression.tooLong }
    return .string(whole.replacingOccurrences(of: old, with: new))
  }
}

/// `now(format, offset)`.
enum WallClock {
  /// Formats by name.
  enum Format: String, CaseIterable {
    /// RFC 3339 with milliseconds, UTC; the default.
    case iso
    /// `2026-11-21`
    case date
    /// `01:54:22`
    case time
    /// IMF-fixdate, RFC 9110 §5.6.7.
    case http
    /// Whole seconds, milliseconds, microseconds since 1970, as numbers.
    case s, ms, us
  }

  static func text(
    nanoseconds: Nanoseconds, format: JSONValue?, offset: JSONValue?
  ) throws(EvaluationError) -> JSONValue {
    let shifted = nanoseconds + (try offset.map(shift) ?? 0)
    guard let name = format?.interpolated else { return render(shifted, .iso) }
    guard let format = Format(rawValue: name) else {
      throw .outOfRange("the format of now() must be one of \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return render(shifted, format)
  }

  /// `"+2h"`, `"-30m"`, or seconds as a number.
  private static func shift(_ value: JSONValue) throws(EvaluationError) -> Int64 {
    if let seconds = value.double, seconds.magnitude < 1e9 { return Int64(saturating: seconds * 1e9) }
    if case .string(let text) = value {
      let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? String(text.dropFirst()) : text
      if case .success(let duration) = Quantity.duration(unsigned), duration < .seconds(1_000_000_000) {
        return duration.nanoseconds * (text.hasPrefix("-") ? -1 : 1)
      }
    }
    throw .wrongType(
      "the offset of now() must be a duration such as \"+2h\", or a number of seconds; found \(value.brief)")
  }

  private static func render(_ nanoseconds: Nanoseconds, _ format: Format) -> JSONValue {
    let seconds = Int(nanoseconds / 1_000_000_000)
    let moment = CivilTime(secondsSince1970: seconds)
    switch format {
    case .s: return JSONValue(seconds)
    case .ms: return JSONValue(Int(nanoseconds / 1_000_000))
    case .us: return JSONValue(Int(nanoseconds / 1000))
    case .date: return .string(moment.date)
    case .time: return .string(moment.time)
    case .iso:
      let milliseconds = Int(nanoseconds / 1_000_000) - seconds * 1000
      return .string("\(moment.date)T\(moment.time).\(milliseconds.padded(3))Z")
    case .http: return .string(moment.imfFixdate)
    }
  }
}
