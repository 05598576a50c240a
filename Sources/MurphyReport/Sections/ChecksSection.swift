import MurphyModel

/// The requested checks and their outcomes: a row for each check, with links to the findings that fail it. Passed and
/// untested checks are folded.
struct ChecksSection: ReportSection {
  static let id = "promises"
  static let title = "Checks"
  static let untestedID = "not-tested"

  let result: RunResult

  typealias Numbered = (number: Int, check: Check)

  var count: Int? { result.checks.count { $0.outcome != .notRequired } }

  var blocks: [Block] {
    let checks: [Numbered] = result.checks.enumerated().map { ($0 + 1, $1) }
    let open = checks.filter { $0.check.outcome.rank < Check.State.passed.rank }
      .sorted { ($0.check.outcome.rank, $0.number) < ($1.check.outcome.rank, $1.number) }
    let kept = checks.filter { $0.check.outcome == .passed }
    let untested = checks.filter { $0.check.outcome == .notRequired }
    open.isEmpty
      ? Block.lead("All tested checks passed.") : .table(table(open, "Checks that did not pass"))
    result.baselineLines.map { Block.text(Phrase($0)) }
    let details = result.baselineDetails
    if !details.isEmpty { Block.fold(Phrase("Results that are left out of the baseline"), [.lines(details)]) }
    folded(kept, "\(counted(kept.count, "check")) passed", id: "kept")
    folded(untested, "\(counted(untested.count, "check")) not tested, and not required", id: Self.untestedID)
  }

  private func folded(_ checks: [Numbered], _ title: String, id: String) -> [Block] {
    checks.isEmpty ? [] : [.fold(Phrase(title), id: id, [.table(table(checks, title))])]
  }

  /// A row for each check, or for several checks with the same text.
  func table(_ checks: [Numbered], _ caption: String) -> ReportTable {
    let groups = Check.rows(checks, by: \.check)
    var table = ReportTable(
      caption, [.text("check"), .text("outcome"), .number("trials"), .text("seen"), .text("findings")],
      groups.map(row), style: "promises")
    table.ids = groups.map { Check.anchor($0[0].number) }
    return table
  }

  private func row(_ group: [Numbered]) -> [ReportTable.Cell] {
    let check = group[0].check
    let names = group.enumerated().map { index, numbered in
      // The row has the id of the first check.
      index == 0
        ? element(.div, .class("name"), text: numbered.check.name)
        : element(.div, .class("name"), .id(Check.anchor(numbered.number)), text: numbered.check.name)
    }
    return [
      .init(group.map(\.check.name).joined(separator: "; "), markup: .group(names)),
      .init(check.outcome.word, markup: Badge.of(check.outcome)),
      .text(check.trials.map { $0.text } ?? "–"), .init(check.sentence, markup: seen(check)),
      links(check.findings),
    ]
  }

  private func seen(_ check: Check) -> Markup {
    if check.family == .generator, check.outcome == .doubtful {
      return element(.a, .anchor(GeneratorSection.id), text: "see Generator health")
    }
    return .group([
      Markup.prose(check.sentence), (check.row as? BudgetRow).map { BudgetGauge(budget: $0).markup } ?? .nothing,
      check.strength.map { element(.div, .class("strength"), text: $0) } ?? .nothing,
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

/// The used share of a budget: full at twice the limit, and the mark in the middle is the limit.
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
          : Figure.percent(used, used < 0.1 ? 1 : 0).text + " of the limit"),
    ])
  }
}

/// An outcome as a sign and a word, so that it can be distinguished without colour.
enum Badge {
  static func of(_ outcome: Check.State, _ word: String? = nil) -> Markup {
    badge(outcome.sign, word ?? outcome.word, style(outcome))
  }

  static func of(_ severity: Finding.Severity) -> Markup {
    switch severity {
    case .error: badge("✗", "error", "broken")
    case .warning: badge("!", "warning", "doubt")
    case .note: badge("i", "note", "none")
    }
  }

  static func of(_ verdict: LimitRow.Verdict) -> Markup {
    switch verdict {
    case .overAdmission: badge("✗", "over-admission", "broken")
    case .overThrottling: badge("✗", "over-throttling", "broken")
    case .contradictory: badge("✗", "contradictory", "broken")
    case .consistent: badge("✓", "passed", "kept")
    case .inconclusive: badge("○", "not tested", "none")
    }
  }

  /// The stylesheet's class of an outcome.
  static func style(_ outcome: Check.State) -> String {
    switch outcome {
    case .passed: "kept"
    case .failed: "broken"
    case .noData, .notTested, .notRequired: "none"
    case .doubtful, .unchecked: "doubt"
    }
  }

  private static func badge(_ sign: String, _ word: String, _ style: String) -> Markup {
    element(.span, .class("badge \(style)")) {
      element(.span, .class("sign"), .decorative, text: sign)
      word
    }
  }
}
