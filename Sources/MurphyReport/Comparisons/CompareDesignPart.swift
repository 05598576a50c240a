import MurphyCompare
import MurphyModel

/// How a live comparison was made: its looks, and the coins with which anyone can compute p again.
struct CompareDesignPart {
  let result: CompareResult

  @MarkupBuilder var markup: Markup {
    if let design = result.design {
      lead(
        "The targets were loaded in turns, in an order drawn by coin"
          + (design.restarts ? ", and started again for each group" : "; they were not started again")
          + ". All p-values follow from the coins and the differences of the groups, which the JSON file holds.")
      facts([
        ("seed of the coins", String(design.coins)), ("seed of the sessions", String(design.seed)),
        ("slice", Figure.seconds(design.slice).text), ("of it not counted", Figure.seconds(design.settling).text),
        ("slices of a group", String(2 * (design.groups.first?.blocks.count ?? 0))),
        ("targets", design.restarts ? "started again for each group" : "not started again"),
      ])
      if !design.looks.isEmpty {
        element(.h3, text: "Looks")
        ReportTable(
          "When the comparison was judged",
          [.number("after groups"), .number("fails at p up to"), .number("passes at p up to"), .text("decided")],
          design.looks.map { look in
            [.text(String(look.groups))] + [look.alarm, look.pass].map { .text(Figure.decimals($0 * 100, 3) + "%") }
              + [.text(look.verdict.word)]
          }
        ).markup
      }
      element(.details) {
        element(.summary, text: "The coins of \(counted(design.groups.count, "group"))")
        element(.pre) { element(.code, text: design.groups.enumerated().map(Self.line).joined(separator: "\n")) }
      }
    }
  }

  private static func line(_ number: Int, _ coins: GroupCoins) -> String {
    let blocks = coins.blocks.map { $0 == .base ? "base candidate" : "candidate base" }.joined(separator: " | ")
    return "\(number + 1): \(coins.startedFirst.rawValue) started first; \(blocks)"
  }

}

/// The words of a comparison, as docs/glossary.md has them.
enum CompareWords {
  static let terms: [(String, String)] = [
    (
      "change",
      "how much worse the candidate is; for percentiles and rates a ratio less one, for shares a difference in points; negative where it is better"
    ),
    ("90 % interval", "all changes that the test does not refute, 5 % on each side"),
    (
      "p",
      "how often two copies of one program would differ that much in any of all rows compared, if chance alone decided which is which"
    ),
    ("could see", "the smallest slowdown that this comparison would have found with 95 %"),
    ("margin", "the slowdown that has to be ruled out for a PASS"),
    ("floor", "the smallest slowdown that fails: below it a difference may be real and is not worth a red build"),
    ("group", "both targets started again, then slices of load in turns; one difference per group goes into the test"),
  ]

  static var markup: Markup { facts(terms) }
}
