import Foundation
import Murphy

/// The process's streams and its end; no other file of the command touches them.
enum Console {
  static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
  static let isErrorTerminal = isatty(STDERR_FILENO) == 1

  /// Whether to colour what goes to standard output: a terminal, and `NO_COLOR` is not set (no-color.org).
  static var usesColour: Bool {
    isOutputTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty && !isDumb
  }

  /// Whether a line on standard error can be written again in its place.
  static var rewritesLines: Bool { isErrorTerminal && !isDumb }

  /// A terminal that prints escape sequences as they are.
  private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

  /// Columns of the terminal, 100 when it is none.
  static var width: Int {
    var size = winsize()
    for stream in [STDERR_FILENO, STDOUT_FILENO] where ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return 100
  }

  static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
  static func printRaw(_ text: String) { write(text, to: STDOUT_FILENO) }
  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }
  static func errorInPlace(_ text: String) { write(text, to: STDERR_FILENO) }

  /// A reader that went away (`| head`) must not kill a run before its reports are written.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  static func exit(_ status: ExitStatus) -> Never { Foundation.exit(status.rawValue) }

  private static func write(_ text: String, to stream: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(stream, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR && errno != EAGAIN {
        return
      }
    }
  }
}
