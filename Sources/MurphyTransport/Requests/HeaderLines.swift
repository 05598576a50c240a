import Glibc
import MurphyModel

/// The field lines of a header block, read in place.
struct HeaderLines {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Calls `body` with the value of each field of that name, without white space around it.
  func forEach(named name: StaticString, _ body: (String) -> Void) {
    forEachLine { line in
      guard Self.matches(line, name) else { return }
      body(String(decoding: Self.value(line, after: name.utf8CodeUnitCount + 1), as: UTF8.self))
    }
  }

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

  /// Whether the line is `name` (in lower case), in any case, and a colon.
  static func matches(_ line: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard line.count > count, line[count] == 58 else { return false }
    return ASCIICase.matches(UnsafeRawBufferPointer(rebasing: line[..<count]), name)
  }

  /// The parts of a list between commas and blanks.
  static func forEachWord(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    for index in 0...value.count where index == value.count || value[index] == 44 || value[index] == 32 {
      if index > start { body(UnsafeRawBufferPointer(rebasing: value[start..<index])) }
      start = index + 1
    }
  }

  static func value(_ line: UnsafeRawBufferPointer, after start: Int) -> UnsafeRawBufferPointer {
    var first = start
    var last = line.count
    while first < last, line[first] == 32 || line[first] == 9 { first += 1 }
    while last > first, line[last - 1] == 32 || line[last - 1] == 9 || line[last - 1] == 13 { last -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[first..<last])
  }
}
