import Murphy

/// A probe while it runs.
final class ProbeLine: Sendable {
  private let line: StatusLine

  init(isQuiet: Bool) { line = StatusLine(isQuiet: isQuiet) }

  func show(_ name: String, _ progress: ProbeProgress) {
    line.show(at: progress.elapsed, subject: name, Self.text(name, progress))
  }

  /// What will be asked of one limit, before anything is.
  func announce(_ name: String, _ phases: [ProbePhase]) {
    let lines = phases.enumerated().map { "  \($0.offset + 1) \($0.element.asks)" }
    line.say((["\(name) is asked:"] + lines).joined(separator: "\n"))
  }

  func end() { line.end() }

  /// `votes: telling algorithms apart  65 requests  4s, at most 12s left`
  static func text(_ name: String, _ progress: ProbeProgress) -> String {
    let left = ", at most \(Int(saturating: progress.remaining.rounded(.up)))s left"
    return
      "\(name): \(progress.stage)  \(progress.requests) request\(progress.requests == 1 ? "" : "s")  \(Int(progress.elapsed))s\(left)"
  }
}
