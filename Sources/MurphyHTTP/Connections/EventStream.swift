import MurphyModel

/// An answer of `text/event-stream` that is being read (HTML Living Standard §9.2).
///
/// It is answered with its header section: events may come minutes later by design. What follows is counted until the
/// client's patience is over, and is no part of its latency.
final class EventStream {
  let begun: Instant
  let patience: StreamPatience
  /// False for one in a content coding, whose bytes tell nothing.
  let isReadable: Bool
  var isLeft = false
  /// The connection broke before the server or the client ended it.
  var isBroken = false
  private var counter = EventCounter()
  private(set) var bytes = 0
  /// Bytes at the body's beginning that were read, and are kept.
  private var kept = 0

  /// Of the body, for evidence and for what a step saves.
  private static let mostKept = 65_536

  init(begun: Instant, patience: StreamPatience, isReadable: Bool) {
    self.begun = begun
    self.patience = patience
    self.isReadable = isReadable
  }

  var events: Int { counter.events }
  var isEnough: Bool { patience.events.map { counter.events >= $0 } ?? false }
  var end: Instant { begun + patience.time.nanoseconds }

  /// Reads on in a body that has grown, and lets go of what is beyond the part that is kept.
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
  package private(set) var events = 0
  /// Bytes of the present line.
  private var length = 0
  /// Whether the present line is `data`, or begins with `data:`, as far as it has come.
  private var mayBeData = true
  private var hasData = false
  private var afterReturn = false

  package init() {}

  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == 10, afterReturn {
        afterReturn = false
        continue
      }
      afterReturn = byte == 13
      if byte == 10 || byte == 13 { endLine() } else { take(byte) }
    }
  }

  private mutating func take(_ byte: UInt8) {
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
