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
      ReportTable.sessions(result.sessions).markup,
      .group(result.run.fixtures.map { element(.p, text: $0) }),
      result.tags.flatMap { $0.isEmpty ? nil : ReportTable.tags($0).markup } ?? .nothing,
    ])
  }
}
