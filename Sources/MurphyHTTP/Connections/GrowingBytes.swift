import Glibc

/// Bytes that are filled, read and cleared repeatedly without new memory.
package struct GrowingBytes: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var count = 0
  private var capacity = 0
  /// A larger buffer is freed when the bytes are cleared: one large response must not occupy memory forever.
  private static let kept = 65_536

  package init() {}

  deinit { free(start) }

  /// Valid until the next change.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  mutating func append(_ bytes: UnsafeRawPointer, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    guard let start else { return }
    memcpy(start + count, bytes, added)
    count += added
  }

  /// Appends a string.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in if let start = utf8.baseAddress { append(start, count: utf8.count) } }
  }

  /// Makes room for `room` bytes and lets `body` fill them; `body` returns how many it wrote.
  mutating func fill(room: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
    if count + room > capacity { grow(to: count + room) }
    if let start { count += body(start + count) }
  }

  mutating func truncate(to count: Int) { self.count = min(self.count, count) }

  /// Joins each header line that is folded over several lines (RFC 9112 §5.2).
  mutating func unfold() {
    guard let bytes = start?.assumingMemoryBound(to: UInt8.self), count > 1 else { return }
    for index in 0..<(count - 1) where bytes[index] == 10 && (bytes[index + 1] == 32 || bytes[index + 1] == 9) {
      bytes[index] = 32
      if index > 0, bytes[index - 1] == 13 { bytes[index - 1] = 32 }
    }
  }

  mutating func clear() {
    count = 0
    if capacity > Self.kept {
      free(start)
      start = nil
      capacity = 0
    }
  }

  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2, 1024)
    guard let grown = realloc(start, capacity) else { preconditionFailure("no memory for \(capacity) bytes") }
    start = grown
  }
}
