import Dispatch
import Foundation
import Murphy
import Synchronization

/// Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) into a call; after the second one the process
/// ends within two seconds, after a third at once.
///
/// Handlers run on a queue of their own, never in the signal's context.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "murphy.interrupts")

  /// - Parameters:
  ///   - ending: what the process ends with when the second signal has to end it; by default 128 + the signal's
  ///     number, as shells report a process that a signal ended.
  ///   - first: what the first signal asks for.
  init(endingWith ending: Ending? = nil, _ first: @escaping @Sendable () -> Void) {
    let count = Counter()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        switch count.next() {
        case 1: first()
        case 2: Self.end(ending ?? Ending(word: nil, status: 128 + number))
        default: Foundation._exit(128 + number)
        }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// The first signal says `words` and asks for the end.
  convenience init(_ stop: StopSignal, endingWith ending: Ending, _ words: String) {
    self.init(endingWith: ending) {
      Console.error("\n\(words)")
      stop.request()
    }
  }

  /// Seconds that the verdict and the reports have after the second signal.
  private static let patience = 1.5
  /// Seconds for the last words, which a stream that nobody reads would hold.
  private static let farewell = 0.3

  /// Ends the process from a thread of its own, whatever else is busy.
  private static func end(_ wanted: Ending) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      let ending = Console.decide(wanted)
      Thread.detachNewThread {
        Console.error("murphy: ended by the second signal before all reports were written.")
        if let word = ending.word { Console.printMasked(word + "\n") }
        Foundation._exit(ending.status)
      }
      Thread.sleep(forTimeInterval: farewell)
      Foundation._exit(ending.status)
    }
  }

  deinit { for source in sources { source.cancel() } }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
