import MurphyCompare
import MurphyModel

/// The numbers of a comparison, and what changed beside them.
struct CompareTables {
  let result: CompareResult

  private static let linesShown = 40

  @MarkupBuilder var operations: Markup {
    for operation in result.operations {
      element(.h3, text: operation.operation)
      Table(
        caption: "\(operation.operation): base and candidate",
        columns: [
          .text("metric"), .number("base"), .number("candidate"), .number("change"), .number("90 % interval"),
          .number("p"), .number("could see"), .text("verdict"),
        ],
        rows: operation.rows.map(cells), style: "compared"
      ).markup
    }
  }

  private func cells(_ row: CompareRow) -> [Markup] {
    let name = element(.span, .class(row.decides ? "name" : ""), text: row.metric.title)
    if let gap = row.gap {
      return [name] + Array(repeating: Markup.text(""), count: 6)
        + [row.decides ? element(.span, .class("none"), text: "not tested: \(gap)") : .text("–")]
    }
    return [
      name, .text(row.base.map(row.metric.valueText) ?? ""), .text(row.candidate.map(row.metric.valueText) ?? ""),
      .text(row.change.map(row.text) ?? ""), .text(row.intervalText ?? ""), .text(row.pText),
      .text(row.smallestEffect.map(row.text) ?? ""), word(row),
    ]
  }

  private func word(_ row: CompareRow) -> Markup {
    switch row.verdict {
    case .fail: Badge.of(.broken, "worse")
    case .pass: Badge.of(.kept, "within \(row.text(row.margin))")
    case .noData: Badge.of(.noData, "not decided")
    case .notTested: Badge.of(.lacking)
    case nil: element(.small, text: "shown only")
    }
  }

  @MarkupBuilder var findings: Markup {
    let changes = result.findings
    let kinds = [("New in the candidate", changes.new), ("Gone", changes.gone), ("Still there", changes.still)]
    if kinds.contains(where: { !$0.1.isEmpty }) {
      for (title, list) in kinds where !list.isEmpty {
        element(.h3, text: "\(title): \(list.count)")
        element(.ul, .class("plain")) {
          for change in list.prefix(Self.linesShown) {
            element(.li) {
              Badge.of(change.severity)
              " \(change.sentence)"
              if change.severity == .error, list.count == changes.new.count, !change.isCertain,
                changes.new.contains(where: { $0.fingerprint == change.fingerprint })
              {
                element(.small, text: " so rare that chance may be why")
              }
              if let command = change.reproduction { element(.pre, text: command.text) }
            }
          }
        }
        if list.count > Self.linesShown { element(.p, .class("cut"), text: "and \(list.count - Self.linesShown) more") }
      }
    } else if !result.operations.isEmpty {
      element(.p, text: "None in either arm.")
    }
  }

  @MarkupBuilder var beside: Markup {
    let lost = result.coverageLost
    if !lost.isEmpty {
      element(.h3, text: "Seen in the base, and not in the candidate: \(lost.count)")
      element(.ul, .class("plain")) {
        for item in lost.prefix(Self.linesShown) {
          element(.li, text: "\(item.operation) \(item.kind) \(item.name) (\(counted(item.count, "time")) in the base)")
        }
      }
      if lost.count > Self.linesShown { element(.p, .class("cut"), text: "and \(lost.count - Self.linesShown) more") }
    }
    if !result.limitsChanged.isEmpty {
      element(.h3, text: "Limits that changed")
      element(.ul, .class("plain")) {
        for change in result.limitsChanged {
          element(.li, text: "\(change.name): \(change.base ?? "none") → \(change.candidate ?? "none")")
        }
      }
    }
  }
}
