import Glibc
import MurphyModel

/// A response of type `text/event-stream` that is being read (HTML Living Standard §9.2).
///
/// The request counts as answered at the header section: events may arrive minutes later by design. Later bytes are
/// counted until the client's patience is over, and do not add to the latency.
final class EventStream {
  let begun: Instant
  let patience: StreamPatience
  /// False for a stream in a content coding, whose bytes cannot be parsed.
  let isReadable: Bool
  var isLeft = false
  /// The connection broke before the server or the client ended it.
  var isBroken = false
  private var counter = EventCounter()
  private(set) var bytes = 0
  /// The bytes at the beginning of the body that were read and kept.
  private var kept = 0

  /// The maximum bytes kept of the body, for evidence and for values that a step saves.
  private static let mostKept = 65_536

  init(begun: Instant, patience: StreamPatience, isReadable: Bool) {
    self.begun = begun
    self.patience = patience
    self.isReadable = isReadable
  }

  var events: Int { counter.events }
  var isEnough: Bool { patience.events.map { counter.events >= $0 } ?? false }
  var end: Instant { begun + patience.time.nanoseconds }

  /// Continues to read a body that has grown, and drops the bytes beyond the part that is kept.
  func read(_ body: inout GrowingBytes) {
    let new = body.bytes.dropFirst(kept)
    bytes += new.count
    if isReadable { counter.feed(UnsafeRawBufferPointer(rebasing: new)) }
    body.truncate(to: isReadable ? Self.mostKept : 0)
    kept = body.count
  }
}

/// Counts the events of a stream from pieces of it: blocks of lines with a `data` field, ended by an empty line.
package struct EventCounter: Sendable {
  /// The number of complete events.
  package private(set) var events = 0
  /// The bytes of the current line.
  private var length = 0
  /// True if the current line is `data` or begins with `data:`, as far as it has been received.
  private var mayBeData = true
  private var hasData = false
  private var afterReturn = false

  package init() {}

  /// Pieces may end anywhere, also within a line.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == 10, afterReturn {
        afterReturn = false
        continue
      }
      afterReturn = byte == 13
      if byte == 10 || byte == 13 { endLine() } else { append(byte) }
    }
  }

  private mutating func append(_ byte: UInt8) {
    if length < Self.name.count { mayBeData = mayBeData && byte == Self.name[length] }
    length += 1
  }

  private mutating func endLine() {
    if length == 0 {
      if hasData { events += 1 }
      hasData = false
    } else if mayBeData, length >= Self.name.count - 1 {
      hasData = true
    }
    (length, mayBeData) = (0, true)
  }

  private static let name = Array("data:".utf8)
}

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

  /// Inserts bytes before those at `offset`.
  mutating func insert(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if count + bytes.count > capacity { grow(to: count + bytes.count) }
    guard let start, let source = bytes.baseAddress else { return }
    memmove(start + offset + bytes.count, start + offset, count - offset)
    memcpy(start + offset, source, bytes.count)
    count += bytes.count
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
    capacity = max(needed, capacity * 2, 256)
    guard let grown = realloc(start, capacity) else { preconditionFailure("no memory for \(capacity) bytes") }
    start = grown
  }
}
