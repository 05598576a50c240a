import Foundation
import MurphyTransport

/// Whether the system gives murphy its threads. The pool behind Swift's tasks waits for ever when it gets none.
package enum ThreadCheck {
  /// Beside one for each core: the loops' keeper, signals, timers and the reference server's own.
  private static let spare = 8

  /// Throws a `GateError` that says what to raise.
  package static func run() throws(GateError) {
    do throws(SystemError) {
      try SystemThread.require(ProcessInfo.processInfo.activeProcessorCount * 2 + spare)
    } catch {
      throw .usage(
        "\(error.description). Raise the limit of processes and threads (`ulimit -u`, or the container's pids limit).")
    }
  }
}
