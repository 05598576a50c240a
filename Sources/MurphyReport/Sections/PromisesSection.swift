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

  typealias Numbered = (number: Int, promise: Promise)

  var count: Int? { result.promises.count { $0.outcome != .untested } }

  var blocks: [Block] {
    let promises: [Numbered] = result.promises.enumerated().map { ($0 + 1, $1) }
    let open = promises.filter { $0.promise.outcome.rank < Promise.State.kept.rank }
      .sorted { ($0.promise.outcome.rank, $0.number) < ($1.promise.outcome.rank, $1.number) }
    let kept = promises.filter { $0.promise.outcome == .kept }
    let untested = promises.filter { $0.promise.outcome == .untested }
    open.isEmpty
      ? Block.lead("Every check that was tested passed.") : .table(table(open, "Checks that did not pass"))
    folded(kept, "\(counted(kept.count, "check")) passed", id: "kept")
    folded(untested, "\(counted(untested.count, "check")) not tested, and not required", id: Self.untestedID)
  }

  private func folded(_ promises: [Numbered], _ title: String, id: String) -> [Block] {
    promises.isEmpty ? [] : [.fold(Phrase(title), id: id, [.table(table(promises, title))])]
  }

  /// A row for each check, or for several of which the same is said.
  func table(_ promises: [Numbered], _ caption: String) -> ReportTable {
    let groups = Promise.rows(promises, by: \.promise)
    var table = ReportTable(
      caption, [.text("check"), .text("outcome"), .number("trials"), .text("seen"), .text("findings")],
      groups.map(row), style: "promises")
    table.ids = groups.map { Promise.anchor($0[0].number) }
    return table
  }

  private func row(_ group: [Numbered]) -> [ReportTable.Cell] {
    let promise = group[0].promise
    let names = group.enumerated().map { index, numbered in
      // The first one's id is the row's.
      index == 0
        ? element(.div, .class("name"), text: numbered.promise.name)
        : element(.div, .class("name"), .id(Promise.anchor(numbered.number)), text: numbered.promise.name)
    }
    return [
      .init(group.map(\.promise.name).joined(separator: "; "), markup: .group(names)),
      .init(promise.outcome.word, markup: Badge.of(promise.outcome)),
      .text(promise.trials.map { Figure.count($0).text } ?? "–"), .init(promise.sentence, markup: seen(promise)),
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

  private func links(_ findings: [Int]) -> ReportTable.Cell {
    if findings.isEmpty { return "–" }
    let shown = findings.prefix(Self.linksShown)
    let links = shown.flatMap { number -> [Markup] in
      [element(.a, .anchor(FindingArticle.anchor(number)), text: "\(number)"), .text(" ")]
    }
    let more = findings.count > Self.linksShown ? "and \(findings.count - Self.linksShown) more" : ""
    return .init(shown.map(String.init).joined(separator: ", "), markup: .group(links + [.text(more)]))
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
