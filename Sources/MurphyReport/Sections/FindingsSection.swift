import MurphyModel

/// Each problem once with its proof, by priority.
struct FindingsSection: ReportSection {
  static let id = "findings"
  static let title = "Findings"

  let result: RunResult

  /// Limits: findings with their evidence, findings as a line, and the first ones with expanded evidence.
  private static let detailed = 40
  private static let listed = 200
  private static let unfolded = 1

  var count: Int? { result.findingList.entries.count }

  var blocks: [Block] {
    let entries = result.findingList.entries
    if entries.isEmpty {
      return [
        .lead(
          result.ledger.answered == 0
            ? "No findings. Murphy received no response." : "No findings.")
      ]
    }
    let breaks = broken
    let commands = entries.prefix(Self.detailed).map { $0.finding.evidence?.curl != nil }
    let command =
      !commands.contains(true)
      ? ""
      : commands.contains(false)
        ? " Some findings have a command that reproduces the finding."
        : " Each finding has a command that reproduces the finding."
    var parts = [Block.lead("Murphy groups equal occurrences into one finding.\(command)")]
    var chapter: FindingList.Chapter?
    var told: [String: Int] = [:]
    var advised: [FindingKind: Int] = [:]
    for entry in entries.prefix(Self.detailed) {
      if entry.chapter != chapter {
        parts.append(.drawing(element(.h3, .class("chapter"), text: entry.chapter.title)))
        chapter = entry.chapter
      }
      // The row of a budget has its samples; a drift has none.
      let hasRow =
        entry.finding.kind.family == .budget && entry.finding.drift == nil
        && entry.finding.cause == nil
      let details = Self.distinct(entry.finding.remarks.filter { !hasRow || $0.hasPrefix("Caused by: ") })
      var article = FindingArticle(entry.finding, number: entry.number)
      article.unfolded = entry.number <= Self.unfolded
      article.details = details.filter { told[$0] == nil }
      article.sibling = details.compactMap { told[$0] }.first
      article.breaks = breaks[entry.number] ?? []
      article.stages = result.run.load
      article.advisedAt = advised[entry.finding.kind]
      parts.append(.finding(article))
      if advised[entry.finding.kind] == nil { advised[entry.finding.kind] = entry.number }
      for line in details where told[line] == nil { told[line] = entry.number }
    }
    return parts + [.drawing(rest(entries.dropFirst(Self.detailed)))]
  }

  /// Merges equal lines: requests that were sent in the same millisecond have them.
  private static func distinct(_ lines: [String]) -> [String] {
    lines.grouped(by: \.self).map { line, equal in equal.count == 1 ? line : "\(equal.count) × \(line)" }
  }

  /// The checks that each finding fails. An outage fails many: its article does not list them again.
  private var broken: [Int: [(number: Int, name: String)]] {
    var broken: [Int: [(number: Int, name: String)]] = [:]
    for (index, check) in result.checks.enumerated() {
      for finding in check.findings { broken[finding, default: []].append((index + 1, check.name)) }
    }
    return broken.filter { $0.value.count <= 3 }
  }

  @MarkupBuilder private func rest(_ rest: ArraySlice<FindingList.Entry>) -> Markup {
    if !rest.isEmpty {
      element(.h3, .class("chapter"), text: "\(counted(rest.count, "more finding"))")
      element(.ul, .class("plain")) {
        for entry in rest.prefix(Self.listed) {
          let line =
            "\(entry.number). \(entry.finding.kind.rawValue) \(entry.finding.headline) (\(entry.finding.occurrence))"
          Markup.element(
            .li, [.id(FindingArticle.anchor(entry.number))] + entry.finding.filters, .text(line))
        }
      }
      element(
        .p, .class("cut"),
        text: rest.count > Self.listed
          ? "Not listed: \(counted(rest.count - Self.listed, "finding")). All findings are in result.json."
          : "The evidence of these findings is in result.json.")
    }
  }
}
