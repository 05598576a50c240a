import Glibc

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
