import Foundation
import Murphy
import Synchronization

/// A probe while it runs: one live line on a terminal, a plain line every few seconds without one.
///
/// Goes to standard error. Callable from any thread.
final class ProbeLine: Sendable {
  private struct Shown {
    var at = -Double.infinity
    var stage = ""
    var name = ""
  }

  private let isQuiet: Bool
  private let isLive = Console.rewritesLines
  private let shown = Mutex(Shown())
  /// Seconds between plain lines of one stage.
  private static let interval = 5.0

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func show(_ name: String, _ progress: ProbeProgress) {
    guard !isQuiet else { return }
    let text = Self.text(name, progress)
    if isLive {
      Console.errorInPlace(text)
      return
    }
    let isDue = shown.withLock { last in
      let isNew = last.name != name
      guard isNew || progress.elapsed - last.at >= Self.interval else { return false }
      last = Shown(at: progress.elapsed, stage: progress.stage, name: name)
      return true
    }
    if isDue { Console.error(text) }
  }

  /// What will be asked of one limit, before anything is.
  func announce(_ name: String, _ phases: [ProbePhase]) {
    guard !isQuiet else { return }
    let lines = phases.enumerated().map { "  \($0.offset + 1) \($0.element.asks)" }
    Console.error((["\(name) is asked:"] + lines).joined(separator: "\n"))
  }

  func end() {
    if isLive && !isQuiet { Console.errorInPlace("") }
  }

  /// `votes: telling algorithms apart  65 requests  4s, at most 12s left`
  static func text(_ name: String, _ progress: ProbeProgress) -> String {
    let left = ", at most \(Int(saturating: progress.remaining.rounded(.up)))s left"
    return
      "\(name): \(progress.stage)  \(progress.requests) request\(progress.requests == 1 ? "" : "s")  \(Int(progress.elapsed))s\(left)"
  }
}
