import Glibc
import MurphyModel

/// The lines of a header block, read in place, whatever they hold.
struct HeaderLines {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard var start = bytes.baseAddress else { return }
    var rest = bytes.count
    while rest > 0, let end = memchr(start, 10, rest) {
      let count = UnsafeRawPointer(end) - start
      body(UnsafeRawBufferPointer(start: start, count: count))
      start += count + 1
      rest -= count + 1
    }
  }

  /// The parts of a list between commas and blanks.
  static func forEachWord(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    for index in 0...value.count where index == value.count || value[index] == 44 || value[index] == 32 {
      if index > start { body(UnsafeRawBufferPointer(rebasing: value[start..<index])) }
      start = index + 1
    }
  }
}

extension HeaderField {
  /// The value as it may go over the wire: a line break would begin another header and becomes a space.
  var safeValue: String {
    guard value.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return value }
    return String(decoding: value.utf8.map { $0 == 10 || $0 == 13 || $0 == 0 ? 32 : $0 }, as: UTF8.self)
  }
}
