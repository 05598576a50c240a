import Dispatch
import Foundation
import Synchronization

/// Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) into a call; after the second one the process ends within two seconds, after a third
/// at once.
///
/// Handlers run on a queue of their own, never in the signal's context.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "murphy.interrupts")

  init(_ first: @escaping @Sendable () -> Void) {
    let count = Counter()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // 128 + signal number, as shells report a process that a signal ended.
        switch count.next() {
        case 1: first()
        case 2: Self.end(128 + number, after: Self.patience)
        default: Foundation._exit(128 + number)
        }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Seconds that the verdict and the reports have after the second signal.
  private static let patience = 1.5

  /// Ends the process from a thread of its own, whatever else is busy.
  private static func end(_ status: CInt, after seconds: Double) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      Console.error("murphy: ended by the second signal before the reports were written.")
      Foundation._exit(status)
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
