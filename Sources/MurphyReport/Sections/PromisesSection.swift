import MurphyModel

/// What was asked for and how it came out: a row for each promise, with links to the findings that break it. What is
/// kept and what was not tested is folded.
struct PromisesSection: ReportSection {
  static let id = "promises"
  static let title = "Checks"
  static let untestedID = "not-tested"

  let result: RunResult
  private let budgets: [String: BudgetRow]

  init(result: RunResult) {
    self.result = result
    budgets = Dictionary(result.budgets.map { ($0.title, $0) }) { first, _ in first }
  }

  private typealias Numbered = (number: Int, promise: Promise)

  var count: Int? { result.promises.count { $0.outcome != .untested } }

  var content: Markup? {
    let promises: [Numbered] = result.promises.enumerated().map { ($0 + 1, $1) }
    let open = promises.filter { $0.promise.outcome.rank < Promise.State.kept.rank }
      .sorted { ($0.promise.outcome.rank, $0.number) < ($1.promise.outcome.rank, $1.number) }
    let kept = promises.filter { $0.promise.outcome == .kept }
    let untested = promises.filter { $0.promise.outcome == .untested }
    return .group([
      open.isEmpty ? lead("Every check that was tested passed.") : table(open, "Checks that did not pass"),
      folded(kept, "\(counted(kept.count, "check")) passed", id: "kept"),
      folded(untested, "\(counted(untested.count, "check")) not tested, and not required", id: Self.untestedID),
    ])
  }

  private func folded(_ promises: [Numbered], _ title: String, id: String) -> Markup {
    guard !promises.isEmpty else { return .nothing }
    return element(.details, .class("fold"), .id(id)) {
      element(.summary, text: title)
      table(promises, title)
    }
  }

  private func table(_ promises: [Numbered], _ caption: String) -> Markup {
    var table = Table(
      caption: caption,
      columns: [.text("check"), .text("outcome"), .number("trials"), .text("seen"), .text("findings")], rows: [],
      style: "promises")
    for group in Promise.rows(promises, by: \.promise) {
      table.rows.append(row(group))
      table.ids.append(Promise.anchor(group[0].number))
    }
    return table.markup
  }

  private func row(_ group: [Numbered]) -> [Markup] {
    let promise = group[0].promise
    return [
      .group(
        group.enumerated().map { index, numbered in
          // The first one's id is the row's.
          index == 0
            ? element(.div, .class("name"), text: numbered.promise.name)
            : element(.div, .class("name"), .id(Promise.anchor(numbered.number)), text: numbered.promise.name)
        }),
      Badge.of(promise.outcome), .text(promise.trials.map { Figure.count($0).text } ?? "–"), seen(promise),
      links(promise.findings),
    ]
  }

  private func seen(_ promise: Promise) -> Markup {
    if promise.group == .generator, promise.outcome == .doubtful {
      return element(.a, .anchor(GeneratorSection.id), text: "see what murphy did to the run")
    }
    let budget = promise.group == .budget ? budgets[promise.name] : nil
    return .group([
      .text(promise.sentence), budget.map { BudgetGauge(budget: $0).markup } ?? .nothing,
      promise.strength.map { element(.div, .class("strength"), text: $0) } ?? .nothing,
    ])
  }

  private static let linksShown = 8

  private func links(_ findings: [Int]) -> Markup {
    if findings.isEmpty { return .text("–") }
    let shown = findings.prefix(Self.linksShown).flatMap { number -> [Markup] in
      [element(.a, .anchor(FindingArticle.anchor(number)), text: "\(number)"), .text(" ")]
    }
    return .group(
      shown + [findings.count > Self.linksShown ? .text("and \(findings.count - Self.linksShown) more") : .nothing])
  }
}

/// How much of a budget was used: full at twice the limit, and the mark in the middle is the limit.
struct BudgetGauge {
  let budget: BudgetRow

  var markup: Markup {
    guard let used = budget.utilisation else { return .nothing }
    return .group([
      element(.span, .class("gauge budget \(Badge.style(budget.outcome))"), .decorative) {
        element(.i, .width(percent: used > 0 ? max(used * 50, 1) : 0))
      },
      element(
        .small,
        text: used > 10
          ? "over 10 times the limit"
          : Figure(Figure.decimals(used * 100, used < 0.1 ? 1 : 0), "%").text + " of the limit"),
    ])
  }
}
