import Murphy
import MurphyModel

/// The run while it runs.
final class ProgressLine: Sendable {
  private let line: StatusLine

  init(isQuiet: Bool) { line = StatusLine(isQuiet: isQuiet) }

  func show(_ snapshot: Snapshot) { line.show(at: snapshot.elapsed, Self.text(snapshot)) }

  func end() { line.end() }

  /// `12s/40s  184 req/s  31 users  p95 12ms  0 limited  0 errors  0 findings`; after the load the first part is
  /// `40s, and 2s for the last answers`.
  static func text(_ snapshot: Snapshot) -> String {
    let errors = snapshot.outcomes.clientError + snapshot.outcomes.serverError + snapshot.outcomes.transport
    let planned = Int(saturating: snapshot.duration.rounded(.up))
    let elapsed = Int(snapshot.elapsed)
    var parts = [
      elapsed > planned ? "\(planned)s, and \(elapsed - planned)s for the last answers" : "\(elapsed)s/\(planned)s",
      "\(snapshot.rate) req/s",
      "\(snapshot.users) user\(snapshot.users == 1 ? "" : "s")",
    ]
    if let p95 = snapshot.p95 { parts.append("p95 " + Duration.microseconds(Int64(p95)).text) }
    parts.append("\(snapshot.outcomes.limited) limited")
    parts.append("\(errors) error\(errors == 1 ? "" : "s")")
    parts.append("\(snapshot.findings) finding\(snapshot.findings == 1 ? "" : "s")")
    return parts.joined(separator: "  ")
  }
}
