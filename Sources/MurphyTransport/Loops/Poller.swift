import CLinux
import Glibc

/// What a descriptor is ready for, or watched for.
struct Readiness: OptionSet, Sendable {
  let rawValue: UInt32

  static let readable = Readiness(rawValue: sys_readable)
  static let writable = Readiness(rawValue: sys_writable)
  /// Error or hang-up; always reported, never asked for.
  static let broken = Readiness(rawValue: sys_broken)
}

/// An epoll set: level-triggered, with nanosecond waits.
///
/// Owned by one thread.
struct Poller: ~Copyable {
  private let set: CInt
  private let events: UnsafeMutableRawPointer
  private static let room = 512

  init() throws(SystemError) {
    set = sys_set_create()
    guard set >= 0 else { throw SystemError("create an epoll set", code: errno) }
    events = .allocate(byteCount: Self.room * sys_event_size(), alignment: 16)
  }

  deinit {
    events.deallocate()
    close(set)
  }

  /// Sets what `descriptor` is watched for; empty takes it out. `tag` comes back with its events.
  @discardableResult
  func watch(_ descriptor: CInt, for interest: Readiness, known: Bool, tag: UInt64) -> CInt {
    sys_watch(set, descriptor, interest.rawValue, known ? 1 : 0, tag)
  }

  /// Waits until something is ready or `nanoseconds` have passed (negative: for ever); returns how many are.
  func wait(nanoseconds: Int64) -> Int { max(Int(sys_wait(set, events, CInt(Self.room), nanoseconds)), 0) }

  /// The event number `index` of the last wait.
  func event(_ index: Int) -> (tag: UInt64, readiness: Readiness) {
    (sys_event_tag(events, CInt(index)), Readiness(rawValue: sys_event_readiness(events, CInt(index))))
  }
}

/// A system call failed where murphy cannot go on without it.
package struct SystemError: Error, CustomStringConvertible {
  package let description: String

  init(_ action: String, code: CInt) {
    description = "cannot \(action): \(String(cString: strerror(code))) (errno \(code))"
  }
}
