import MurphyModel

/// The rate limits that were judged: for each of them its keys, with every request as a tick.
struct LimitsSection: ReportSection {
  static let id = "limits"
  static let title = "Rate limits"
  static let entry = "Limits"

  let result: RunResult

  var content: Markup? {
    let judged = result.limits.enumerated().filter { $1.verdict != .inconclusive }
    guard !judged.isEmpty else { return nil }
    let list = result.findingList
    return .group([
      lead(
        "Keys are different values of the policy's key. Admitted are requests that the limiter let through, whatever the "
          + "API answered then; refused are those that any limiter refused; of the unknown no answer came."),
      .group(
        judged.map { index, row in
          LimitArticle(
            row: row, number: index + 1, finding: list.numbers(row.findings).first,
            duration: result.run.duration
          ).markup
        }),
    ])
  }
}
