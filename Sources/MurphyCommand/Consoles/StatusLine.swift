import Synchronization

/// What goes on: one live line on a terminal, a plain line every few seconds without one.
///
/// Goes to standard error, so that standard output holds only the result. Callable from any thread.
final class StatusLine: Sendable {
  private let isQuiet: Bool
  private let isLive = Console.rewritesLines
  private let last = Mutex((at: -Double.infinity, subject: ""))
  /// Seconds between plain lines of one subject.
  private static let interval = 5.0

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// - Parameters:
  ///   - elapsed: seconds since the beginning.
  ///   - subject: what the line is about; a new one has its plain line at once.
  func show(at elapsed: Double, subject: String = "", _ text: @autoclosure () -> String) {
    guard !isQuiet else { return }
    if isLive { return Console.errorInPlace(text()) }
    let isDue = last.withLock { last in
      guard last.subject != subject || elapsed - last.at >= Self.interval else { return false }
      last = (elapsed, subject)
      return true
    }
    if isDue { Console.error(text()) }
  }

  /// A whole line of its own.
  func say(_ text: String) {
    if !isQuiet { Console.error(text) }
  }

  /// Clears the live line.
  func end() {
    if isLive && !isQuiet { Console.errorInPlace("") }
  }
}
