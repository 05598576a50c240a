import MurphyContract

/// Another spelling of a request's path.
package enum PathSpelling: Sendable, Hashable {
  /// A letter or digit of a path parameter is percent-encoded.
  case encodedValue
  /// A letter or digit of a segment without parameters is percent-encoded.
  case encodedSegment
  /// A slash at the end is added or removed.
  case slash
  /// The first segment that has letters is in the other letter case.
  case letterCase

  /// The target in this spelling; the same target if it has no such part.
  ///
  /// - Parameter template: the path of the operation, which is the end of the target's path.
  package func target(_ target: String, template: String) -> String {
    let path = target.prefix { $0 != "?" }
    let query = target[path.endIndex...]
    if self == .slash { return (path.hasSuffix("/") ? String(path.dropLast()) : path + "/") + query }
    var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == wanted.count else { return target }
    for index in segments.indices where (self == .encodedValue) == wanted[index].contains("{") {
      let changed = self == .letterCase ? Self.otherCase(segments[index]) : Self.encoded(segments[index])
      guard changed != segments[index] else { continue }
      segments[index] = changed
      return segments.joined(separator: "/") + query
    }
    return target
  }

  /// The first letter or digit that is not a part of an escape is percent-encoded.
  private static func encoded(_ segment: String) -> String {
    var bytes = Array(segment.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        index += 3
      } else if UnicodeScalar(bytes[index]).properties.isAlphabetic || (0x30...0x39).contains(bytes[index]) {
        bytes.replaceSubrange(index...index, with: "%\(String(bytes[index], radix: 16, uppercase: true))".utf8)
        return String(decoding: bytes, as: UTF8.self)
      } else {
        index += 1
      }
    }
    return segment
  }

  private static func otherCase(_ segment: String) -> String {
    segment.contains("%") ? segment : segment == segment.uppercased() ? segment.lowercased() : segment.uppercased()
  }
}
