import MurphySchema

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
      guard let name, let format = TimestampFormat(value) else { return }
      guard fields[name] != nil || fields.count < Self.namesKept, fields[name]?[format] == nil else { return }
      fields[name, default: [:]][format] = Seen(example: value.string ?? value.text, pointer: place)
    }
  }
}
