import Foundation
import MurphyModel
import MurphySchema

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
      throw .outOfRange("\(rawValue)() takes \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func number(_ value: JSONValue) throws(EvaluationError) -> JSONValue {
    if case .number = value { return value }
    guard case .string(let text) = value, let number = JSONNumber(text: text) else {
      throw .wrongType("number() needs a string that is a number; found \(value.brief)")
    }
    return .number(number)
  }

  private func split(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    let separator = try text(arguments[1])
    let whole = try text(arguments[0])
    guard !separator.isEmpty else { throw .outOfRange("split() needs a separator that is not empty") }
    let parts = whole.components(separatedBy: separator)
    guard parts.count <= Expression.longestList else { throw .tooLarge("split() made too many parts") }
    return .array(parts.map { .string($0) })
  }

  private func replace(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    let old = try text(arguments[1])
    guard !old.isEmpty else { throw .outOfRange("replace() needs a string to replace that is not empty") }
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
    nanoseconds: Int64, format: JSONValue?, offset: JSONValue?
  ) throws(EvaluationError) -> JSONValue {
    let shifted = nanoseconds + (try offset.map(shift) ?? 0)
    guard let name = format?.interpolated else { return render(shifted, .iso) }
    guard let format = Format(rawValue: name) else {
      throw .outOfRange("the formats of now() are \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return render(shifted, format)
  }

  /// `"+2h"`, `"-30m"`, or seconds as a number.
  private static func shift(_ value: JSONValue) throws(EvaluationError) -> Int64 {
    if let seconds = value.double, seconds.magnitude < 1e9 { return Int64(saturating: seconds * 1e9) }
    if case .string(let text) = value {
      let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? String(text.dropFirst()) : text
      if case .success(let seconds) = Quantity.duration(unsigned), seconds < 1e9 {
        return Int64(saturating: seconds * 1e9) * (text.hasPrefix("-") ? -1 : 1)
      }
    }
    throw .wrongType("now() takes an offset such as \"+2h\" or a number of seconds; found \(value.brief)")
  }

  private static func render(_ nanoseconds: Int64, _ format: Format) -> JSONValue {
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
