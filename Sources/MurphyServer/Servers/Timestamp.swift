import Foundation

/// Dates in RFC 3339 format, in UTC.
package enum Timestamp {
  /// `2024-01-15T10:30:00Z`
  package static func text(secondsSince1970 seconds: Int) -> String {
    var civil = tm()
    var time = time_t(seconds)
    gmtime_r(&time, &civil)
    let date = (civil.tm_year + 1900, civil.tm_mon + 1, civil.tm_mday)
    // Twenty times faster than a format of Foundation, which would slow down pages of contacts.
    return String(unsafeUninitializedCapacity: 20) { text in
      func write(_ number: Int32, _ digits: Int, at place: Int, then sign: Unicode.Scalar) {
        var rest = number
        for digit in (place..<place + digits).reversed() {
          text[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[place + digits] = UInt8(ascii: sign)
      }
      write(date.0, 4, at: 0, then: "-")
      write(date.1, 2, at: 5, then: "-")
      write(date.2, 2, at: 8, then: "T")
      write(civil.tm_hour, 2, at: 11, then: ":")
      write(civil.tm_min, 2, at: 14, then: ":")
      write(civil.tm_sec, 2, at: 17, then: "Z")
      return 20
    }
  }

  /// `2024-01-15T10:30:00.123456Z`
  package static func text(microsecondsSince1970 microseconds: Int) -> String {
    let seconds = text(secondsSince1970: microseconds / 1_000_000).dropLast()
    return seconds + String(format: ".%06dZ", microseconds % 1_000_000)
  }

  /// Microseconds since 1970 of a date-time in RFC 3339 format, with up to six digits of a second; nil for any other
  /// text.
  package static func microseconds(_ text: String) -> Int? {
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
    var civil = tm()
    (civil.tm_year, civil.tm_mon) = (Int32(number(match.1)) - 1900, Int32(number(match.2)) - 1)
    (civil.tm_mday, civil.tm_hour) = (Int32(number(match.3)), Int32(number(match.4)))
    (civil.tm_min, civil.tm_sec) = (Int32(number(match.5)), Int32(number(match.6)))
    let fraction = number(match.7.map { $0.dropFirst().padding(toLength: 6, withPad: "0", startingAt: 0)[...] })
    let minutes = number(match.9) * 60 + number(match.10)
    let offset = match.8 == "-" ? -minutes : minutes
    return (timegm(&civil) - offset * 60) * 1_000_000 + fraction
  }

  // Unsafe in name only: a regular expression is not marked as Sendable, and this one is never changed.
  nonisolated(unsafe) private static let pattern =
    /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,6})?(?:[Zz]|([+-])(\d\d):(\d\d))/

  /// Now, in microseconds since 1970.
  package static func microsecondsNow() -> Int { Int(Date().timeIntervalSince1970 * 1e6) }

  /// `2024-01-15T10:30:00Z`, now.
  package static func now() -> String { text(secondsSince1970: Int(Date().timeIntervalSince1970)) }

  /// `2024-01-15`, today.
  package static func today() -> String { String(now().prefix(10)) }
}
