import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed on every machine.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// The same seed gives the same numbers.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<bound`; `bound` must be positive. The bias is below 2⁻⁴⁰ for the bounds of this module.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// The list must not be empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// This number of letters and digits.
  package mutating func letters(_ count: Int) -> String {
    let known = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).map { _ in pick(known) })
  }

  /// A UUID of version 4.
  package mutating func uuid() -> String {
    let (high, low) = (next(), next())
    // Unsafe only in name: every response is stamped with one, and this is one write per character without an
    // intermediate array.
    return String(unsafeUninitializedCapacity: 36) { text in
      for position in 0..<36 {
        // The number of hexadecimal digits before this place, without the four hyphens.
        let digit = position - [8, 13, 18, 23].count { $0 < position }
        switch position {
        case 8, 13, 18, 23: text[position] = UInt8(ascii: "-")
        case 14: text[position] = UInt8(ascii: "4")
        case 19: text[position] = Self.digits[Int(8 | (low >> 62))]
        default: text[position] = Self.digits[Int(((digit < 16 ? high : low) >> (UInt64(15 - digit % 16) * 4)) & 15)]
        }
      }
      return 36
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

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
