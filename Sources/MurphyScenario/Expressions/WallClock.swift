import Foundation
import MurphyJSON
import MurphyModel

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
      throw .outOfRange("now() knows the formats \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
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
      return .string("\(moment.date)T\(moment.time).\(CivilTime.padded(milliseconds, 3))Z")
    case .http: return .string(moment.imfFixdate)
    }
  }
}
