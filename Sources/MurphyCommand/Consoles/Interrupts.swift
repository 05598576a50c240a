import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C (SIGINT) and SIGTERM into a call; the second one ends the process at once.
///
/// Handlers run on a queue of their own, never in the signal's context.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "murphy.interrupts")

  init(_ first: @escaping @Sendable () -> Void) {
    let count = Counter()
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if count.next() == 1 {
          first()
        } else {
          // 128 + signal number, as shells report a process that a signal ended.
          Foundation._exit(128 + number)
        }
      }
      source.resume()
      sources.append(source)
    }
  }

  deinit { for source in sources { source.cancel() } }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)

  /// 1, 2, 3 …
  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
