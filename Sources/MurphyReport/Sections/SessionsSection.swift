import MurphyModel

/// A row per kind of session.
struct SessionsSection: ReportSection {
  static let id = "sessions"
  static let title = "Sessions"

  let result: RunResult

  var content: Markup? {
    guard !result.sessions.isEmpty else { return nil }
    return .group([
      lead(
        "Left: an `on:` of the scenario sends the user away. Failed: a step or template failed. Unfinished: it still ran "
          + "when the load and its grace were over, and counts as neither."),
      Table(
        caption: "Sessions started, completed and ended early",
        columns: [
          .text("session"), .number("began"), .number("completed"), .number("left"), .number("failed"),
          .number("unfinished"), .text("ended early, why"),
        ],
        rows: result.sessions.map { session in
          [
            element(.span, .class("name"), text: session.session), .text(Figure.count(session.started).text),
            .text(Figure.count(session.completed).text), .text(Figure.count(session.leftTotal).text),
            .text(Figure.count(session.failedTotal).text), .text(Figure.count(session.unfinished).text),
            reasons(session.earlyEnds),
          ]
        }
      ).markup,
      .group(result.run.fixtures.map { element(.p, text: $0) }), tags,
    ])
  }

  /// A row per tag.
  private var tags: Markup {
    guard let tags = result.tags, !tags.isEmpty else { return .group([]) }
    return Table(
      caption: "Requests by tag, and the latency of their answers",
      columns: TagResult.columns.enumerated().map { $0 == 0 ? .text($1) : .number($1) },
      rows: tags.map { [element(.span, .class("name"), text: $0.tag)] + $0.figures.map { .text($0) } }
    ).markup
  }

  private func reasons(_ reasons: [String]) -> Markup {
    if reasons.isEmpty { return .text("–") }
    return .group(
      reasons.prefix(6).map { element(.div, text: $0) }
        + (reasons.count > 6 ? [element(.small, text: "and \(counted(reasons.count - 6, "more reason"))")] : []))
  }
}
