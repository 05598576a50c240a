import Glibc

/// Bytes that are filled, read and cleared again and again without new memory.
struct GrowingBytes: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var count = 0
  private var capacity = 0
  /// More than this is given back when the bytes are cleared: one large answer must not stay for ever.
  private static let kept = 65_536

  init() {}

  deinit { free(start) }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  mutating func append(_ bytes: UnsafeRawPointer, count added: Int) {
    if count + added > capacity { grow(to: count + added) }
    guard let start else { return }
    memcpy(start + count, bytes, added)
    count += added
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
    start = realloc(start, capacity)
  }
}
