import Murphy
import MurphyModel
import Synchronization

/// The progress: one live line on a terminal, a plain line every few seconds without one.
///
/// Written to standard error, so that standard output contains only the result. Callable from any thread.
final class StatusLine: Sendable {
  private let isQuiet: Bool
  private let isLive = Console.rewritesLines
  private let last = Mutex(Last())
  /// The time between plain lines of one subject.
  private static let interval: Duration = .seconds(5)

  private struct Last {
    /// The time of each subject's last plain line.
    var ats: [String: Duration] = [:]
    /// The time left of each running probe.
    var remaining: [String: Duration] = [:]
  }

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// - Parameters:
  ///   - elapsed: the time since the beginning.
  ///   - subject: the subject of the line; a new one gets its plain line at once.
  func show(at elapsed: Duration, subject: String = "", _ text: @autoclosure () -> String) {
    guard !isQuiet else { return }
    if isLive { return Console.errorInPlace(text()) }
    let isDue = last.withLock { last in
      if let before = last.ats[subject], Duration.zero..<Self.interval ~= elapsed - before { return false }
      last.ats[subject] = elapsed
      return true
    }
    if isDue { Console.error(text()) }
  }

  /// Clears the live line.
  func end() {
    if isLive && !isQuiet { Console.errorInPlace("") }
  }
}

/// A running test.
extension StatusLine {
  /// - Parameter findings: false in a run without a verdict.
  func show(_ snapshot: Snapshot, findings: Bool = true) {
    show(at: snapshot.elapsed, Self.text(snapshot) + (findings ? "  " + counted(snapshot.findings, "finding") : ""))
  }

  /// `12 of 40 s  184 req/s  31 users  p95 12 ms  0 limited  0 errors`; after the load the first part is
  /// `40 s, draining 2 s`.
  private static func text(_ snapshot: Snapshot) -> String {
    let errors = snapshot.outcomes.clientError + snapshot.outcomes.serverError + snapshot.outcomes.transport
    let planned = Int(saturating: snapshot.duration.inSeconds.rounded(.up))
    let elapsed = Int(snapshot.elapsed.components.seconds)
    var parts = [
      elapsed > planned ? "\(planned) s, draining \(elapsed - planned) s" : "\(elapsed) of \(planned) s",
      "\(snapshot.rate.text) req/s",
      counted(snapshot.users, "user"),
    ]
    if let p95 = snapshot.p95 { parts.append("p95 " + Figure.latency(p95).text) }
    parts.append("\(snapshot.outcomes.limited.text) limited")
    parts.append(counted(errors, "error"))
    return parts.joined(separator: "  ")
  }
}

/// A running probe.
extension StatusLine {
  func show(_ name: String, _ progress: ProbeProgress) {
    // The live line shows the probe that takes the longest.
    let others = last.withLock { last -> Int? in
      last.remaining[name] = progress.remaining
      return last.remaining.values.contains { $0 > progress.remaining } ? nil : last.remaining.count - 1
    }
    guard let others = isLive ? others : 0 else { return }
    show(
      at: progress.elapsed, subject: name,
      Self.text(name, progress) + (others > 0 ? ", and \(counted(others, "other probe"))" : ""))
  }

  /// The probe of a limit has ended.
  func end(_ name: String) {
    last.withLock { $0.remaining[name] = nil }
    end()
  }

  /// The questions on one limit, before the first request.
  func announce(_ name: String, _ phases: [ProbePhase]) {
    let lines = phases.enumerated().map { "  \($0.offset + 1) \($0.element.asks)" }
    if !isQuiet { Console.error((["\(name): planned tests"] + lines).joined(separator: "\n")) }
  }

  /// `votes: identifying the algorithm  65 requests  4 s, at most 12 s left`
  private static func text(_ name: String, _ progress: ProbeProgress) -> String {
    "\(name): \(progress.stage)  \(counted(progress.requests, "request"))  \(progress.elapsed.components.seconds) s, "
      + "at most \(Int(saturating: progress.remaining.inSeconds.rounded(.up))) s left"
  }
}
