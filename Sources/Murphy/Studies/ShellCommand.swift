import Foundation
import Synchronization

/// A command of the user that runs in a shell, in a process group of its own.
///
/// Foundation's `Process` counts as running until the last program ends that the command leaves behind, so a command
/// that starts a daemon would never end. Its programs also inherit the blocked signals of the thread, such as SIGTERM.
final class ShellCommand: Sendable {
  /// The place of the standard output.
  enum Output { case none, errors }

  /// The process, which is also the number of its group.
  let number: pid_t
  private let ended = Mutex<Int32?>(nil)

  /// Starts the command without input. Its standard error is that of murphy.
  ///
  /// - Throws: the error of the system.
  init(_ command: String, environment: [String: String], output: Output) throws(POSIXError) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    switch output {
    case .none: posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    case .errors: posix_spawn_file_actions_adddup2(&actions, 2, 1)
    }
    // Signals that murphy blocks or ignores have their usual effect.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/sh"), strdup("-c"), strdup(command), nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var number: pid_t = 0
    let code = posix_spawn(&number, "/bin/sh", &actions, &attributes, arguments, variables)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    self.number = number
  }

  /// The exit status, or 128 and the number of the signal that ended it; nil while it runs.
  var status: Int32? {
    ended.withLock { ended in
      var status: Int32 = 0
      if ended == nil, waitpid(number, &status, WNOHANG) == number {
        let signal = status & 0x7F
        ended = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
      return ended
    }
  }

  /// True if it runs, or any program of its group.
  var isRunning: Bool { status == nil || kill(-number, 0) == 0 }

  /// Sends a signal to it and to all programs of its group.
  func send(_ signal: Int32) { kill(-number, signal) }
}
