import MurphyModel

/// A row per kind of session.
struct SessionsSection: ReportSection {
  static let id = "sessions"
  static let title = "Sessions"

  let result: RunResult

  var content: Markup? {
    guard !result.sessions.isEmpty else { return nil }
    return Table(
      caption: "Sessions started, completed and ended early",
      columns: [
        .text("session"), .number("started"), .number("completed"), .number("still running"), .text("ended early, why"),
      ],
      rows: result.sessions.map { session in
        [
          element(.span, .class("name"), text: session.session), .text(Figure.count(session.started).text),
          .text(Figure.count(session.completed).text), .text(Figure.count(session.unfinished).text),
          reasons(session.failed),
        ]
      }
    ).markup
  }

  private func reasons(_ reasons: [ReasonCount]) -> Markup {
    if reasons.isEmpty { return .text("–") }
    return .group(
      reasons.prefix(6).map { element(.div, text: "\(Figure.count($0.count).text) × \($0.reason)") }
        + (reasons.count > 6 ? [element(.small, text: "and \(counted(reasons.count - 6, "more reason"))")] : []))
  }
}
