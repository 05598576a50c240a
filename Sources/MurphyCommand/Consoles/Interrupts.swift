import Dispatch
import Foundation
import Murphy
import Synchronization

/// Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) into a call. After the second one the process
/// ends within two seconds, after a third at once.
///
/// Handlers run on their own queue, never in the signal's context.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "murphy.interrupts")

  /// - Parameters:
  ///   - ending: the ending of the process if the second signal has to end it. The default is 128 + the signal's
  ///     number, as in shells.
  ///   - first: called for the first signal.
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

  /// The first signal prints `words` and requests the stop.
  convenience init(_ stop: StopSignal, endingWith ending: Ending, _ words: String) {
    self.init(endingWith: ending) {
      Console.error("\n\(words)")
      stop.request()
    }
  }

  /// Seconds for the verdict and the reports after the second signal.
  private static let patience = 1.5
  /// Seconds for the last output, which may block on a stream without a reader.
  private static let farewell = 0.3

  /// Ends the process from a separate thread, independent of all others.
  private static func end(_ wanted: Ending) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      let ending = Console.decide(wanted)
      Thread.detachNewThread {
        Console.error("murphy: aborted by a second signal (such as Ctrl-C); some reports were not written.")
        if let word = ending.word { Console.printMasked(word + "\n") }
        Foundation._exit(ending.status)
      }
      Thread.sleep(forTimeInterval: farewell)
      Foundation._exit(ending.status)
    }
  }

  deinit { for source in sources { source.cancel() } }
}

/// A counter for any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
