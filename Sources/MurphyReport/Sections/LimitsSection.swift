import MurphyModel

/// The rate limits: a table of the policies, and for each of them its keys with every request as a tick.
struct LimitsSection: ReportSection {
  static let id = "limits"
  static let title = "Rate limits"
  static let entry = "Limits"

  let result: RunResult

  var content: Markup? {
    guard !result.limits.isEmpty else { return nil }
    return .group([
      Table(
        caption: "Policies with what was observed",
        columns: [
          .text("limit"), .text("policy"), .text("declared by"), .number("keys"), .number("admitted"),
          .number("refused"), .number("unknown"), .text(""),
        ], rows: result.limits.map(row)
      ).markup,
      element(
        .p, .class("lead"),
        text:
          "Keys are different values of the policy's key. Admitted are requests that the limiter let through, whatever the API answered then; refused are those that any limiter refused; of the unknown no answer came."
      ),
      .group(
        result.limits.enumerated().filter { $1.verdict != .inconclusive }.map { index, row in
          LimitArticle(row: row, number: index + 1, duration: result.run.duration).markup
        }), inconclusive,
    ])
  }

  private var inconclusive: Markup {
    let rows = result.limits.filter { $0.verdict == .inconclusive }
    guard !rows.isEmpty else { return .nothing }
    return element(.details) {
      element(.summary, text: "Why \(counted(rows.count, "limit")) \(rows.count == 1 ? "was" : "were") not tested")
      element(.ul, .class("plain")) {
        for row in rows {
          element(.li) {
            element(.span, .class("name"), text: row.name)
            row.tests == nil ? ": \(row.sentence)" : ""
            LimitArticle.tests(row)
          }
        }
      }
    }
  }

  private func row(_ row: LimitRow) -> [Markup] {
    [
      element(.span, .class("name"), text: row.name), .text(row.policy), .text(row.declaredBy),
      .text(Figure.count(row.keys).text), .text(Figure.count(row.admitted).text),
      .text(Figure.count(row.refused).text), .text(Figure.count(row.unknown).text), Badge.of(row.verdict),
    ]
  }
}
