import CLinux
import Glibc
import HeapModule
import MurphyModel

/// An object that a deadline wakes.
package protocol TimerTarget: AnyObject {
  func timerFired(_ now: Instant)
}

/// Deadlines in a binary heap, at nanosecond resolution. Setting and firing cost O(log n).
///
/// A cancelled deadline stays in the heap until its time and is then skipped: its slot has another generation by then.
package struct TimerQueue {
  /// What happens at a deadline.
  package enum Action {
    /// Resumes a sleeping task with `true`.
    case resume(UnsafeContinuation<Bool, Never>)
    case fire(any TimerTarget)
  }

  /// Identifies a deadline, to cancel it.
  package struct Token {
    fileprivate var slot: UInt32
    fileprivate var generation: UInt32
  }

  private struct Entry: Comparable {
    var deadline: Int64
    var slot: UInt32
    var generation: UInt32

    static func < (left: Entry, right: Entry) -> Bool { left.deadline < right.deadline }
  }

  private struct Slot {
    var generation: UInt32
    var action: Action?
  }

  private var heap = Heap<Entry>()
  private var slots: [Slot] = []
  private var free: [UInt32] = []

  package init() {}

  /// The earliest deadline; it may be a cancelled one, which costs one unnecessary wake-up.
  package var next: Int64? { heap.min?.deadline }

  /// Adds a deadline; it may be in the past.
  package mutating func set(_ deadline: Instant, _ action: Action) -> Token {
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = UInt32(slots.count)
      slots.append(Slot(generation: 0, action: nil))
    }
    slots[Int(slot)].action = action
    let generation = slots[Int(slot)].generation
    heap.insert(Entry(deadline: deadline.nanoseconds, slot: slot, generation: generation))
    return Token(slot: slot, generation: generation)
  }

  /// Cancels a deadline; does nothing if it has already fired.
  package mutating func cancel(_ token: Token) {
    guard slots[Int(token.slot)].generation == token.generation else { return }
    _ = vacate(token.slot)
  }

  /// Removes and returns the action of the earliest deadline that is not after `now`.
  package mutating func popDue(_ now: Instant) -> Action? {
    while let first = heap.min, first.deadline <= now.nanoseconds {
      heap.removeMin()
      if slots[Int(first.slot)].generation == first.generation { return vacate(first.slot) }
    }
    return nil
  }

  /// Cancels the deadline of every sleeping task and returns the tasks.
  mutating func removeSleepers() -> [UnsafeContinuation<Bool, Never>] {
    var sleepers: [UnsafeContinuation<Bool, Never>] = []
    for slot in slots.indices {
      guard case .resume(let continuation) = slots[slot].action else { continue }
      sleepers.append(continuation)
      _ = vacate(UInt32(slot))
    }
    return sleepers
  }

  private mutating func vacate(_ slot: UInt32) -> Action? {
    let action = slots[Int(slot)].action
    slots[Int(slot)].action = nil
    slots[Int(slot)].generation &+= 1
    free.append(slot)
    return action
  }
}

/// The time of day, which the system may change.
package enum WallClock {
  /// Since 1970, UTC.
  package static let nanoseconds: @Sendable () -> Int64 = {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  /// Since 1970, truncated.
  package static var seconds: Int64 { nanoseconds() / 1_000_000_000 }
}

extension Instant {
  /// The current monotonic time; about 25 ns per call.
  package static var now: Instant { Instant(nanoseconds: sys_monotonic()) }
}
