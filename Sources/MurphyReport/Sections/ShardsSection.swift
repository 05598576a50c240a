import MurphyModel

/// A row per shard of a merged run: its start, its requests, its lateness and its clock.
struct ShardsSection: ReportSection {
  static let id = "shards"
  static let title = "Shards"

  let result: RunResult
  /// True if there are pages of single shards next to the report.
  var hasPages = false

  private static let rowsShown = 100

  init(result: RunResult) { self.result = result }

  var blocks: [Block] {
    if let shards = result.run.shards {
      let shown = Self.shown(shards)
      Block.lead(([result.run.shardSentence].compactMap(\.self) + [shards.clockSentence]).joined(separator: " "))
      Block.lines(shards.doubts, style: "doubts")
      shards.tolerated.map { Block.text("Tolerated: \($0)") }
      ReportTable(
        "Results by shard",
        [.text("shard")]
          + ["start delay", "sessions", "requests", "sent/s", "sends late, p99", "busiest core", "clock, ms"].map {
            .number($0)
          } + [.text("problems")],
        shown.map(row), style: "dense")
      if shown.count < shards.shards.count {
        Block.text(
          "The \(shown.count) worst of \(counted(shards.shards.count, "shard")); all are in result.json.")
      }
    }
  }

  /// All shards if there are few; otherwise the worst.
  private static func shown(_ shards: MergedShards) -> [ShardResult] {
    guard shards.shards.count > rowsShown else { return shards.shards }
    return shards.shards.sorted {
      ($1.isImpaired ? 1 : 0, $1.doubts.count, $1.lateness, $0.number)
        < ($0.isImpaired ? 1 : 0, $0.doubts.count, $0.lateness, $1.number)
    }.prefix(rowsShown).sorted { $0.number < $1.number }
  }

  private func row(_ shard: ShardResult) -> [ReportTable.Cell] {
    let name = "\(shard.number)"
    let link = element(.a, Attribute("href", "\(ShardPage.folder)/\(ShardPage.fileName(of: shard))"), text: name)
    return [
      .init(name, markup: hasPages ? link : nil), .text(shard.late < 0.001 ? "–" : Figure.seconds(shard.late).text),
      .count(shard.sessions), .count(shard.requests), .text(Figure.digits(shard.rate)),
      .text(Figure.latency(shard.lateness).text), .text(Figure(Figure.decimals(shard.cpuPercent, 1), "%").text),
      .text(shard.clockText ?? "–"),
      shard.troubles.isEmpty ? "nothing" : .init("", lines: Array(shard.troubles.prefix(3))),
    ]
  }
}

extension RunInfo {
  /// The share of the plan that the shards of a merged run have completed, in a sentence or two. Nil for a run of one
  /// process.
  var shardSentence: String? {
    guard let shards else { return nil }
    let merged =
      shards.missing.isEmpty
      ? "All \(counted(shards.of, "shard")) of the plan were merged."
      : "\(Figure.count(shards.shards.count).text) of \(counted(shards.of, "shard")) of the plan were merged; "
        + "\(shards.missing.count == 1 ? "shard" : "shards") \(numbers(shards.missing)) "
        + "\(shards.missing.count == 1 ? "is" : "are") missing."
    guard let scope = judgedScope else { return merged }
    return shards.doubts.isEmpty
      ? "\(merged) Checks are evaluated \(scope)." : "\(merged) All figures are based \(scope)."
  }

  /// The same for reports without a table of shards, with the problems of the shards. Empty for a run of one process.
  var shardLines: [String] {
    guard let shards, let shardSentence else { return [] }
    let troubled = shards.shards.filter { !$0.troubles.isEmpty }
    let told = troubled.map { "Shard \($0.number): \($0.troubles.joined(separator: "; "))" }
    return [shardSentence, shards.clockSentence].filter { !$0.isEmpty } + shards.tolerated.map { "Tolerated: \($0)" }
      + told.first(8) { "and \(counted($0, "more shard")) with problems" }
  }

  private func numbers(_ numbers: [Int]) -> String {
    let shown = numbers.prefix(10).map(String.init).joined(separator: ", ")
    return numbers.count > 10 ? "\(shown) and \(numbers.count - 10) more" : shown
  }
}

extension MergedShards {
  /// The known order of events of different machines.
  var clockSentence: String {
    guard shards.count > 1 else { return "" }
    guard let uncertainty else {
      return
        "The clocks of their machines cannot be compared (no common reference), so the order of events on different "
        + "machines is unknown."
    }
    guard let reference else { return "They ran on one machine and share its clock." }
    let name =
      switch reference {
      case .chrony: "the time source of chrony"
      case .folder: "the clock of the shared folder"
      case .target: "the Date header of the target's responses"
      }
    return
      "Events of different machines are compared by \(name), each known to ± \(Figure.milliseconds(uncertainty * 1000)) ms."
  }
}

extension ShardResult {
  var isImpaired: Bool { cutShort || late > 1 || !doubts.isEmpty }

  /// All problems of the shard.
  var troubles: [String] {
    (cutShort ? ["cut short"] : []) + (late > 1 ? ["started \(Figure.seconds(late).text) after the others"] : [])
      + doubts
  }

  /// The offset of the reference's clock from its own, in milliseconds; positive if the reference is ahead.
  var clockText: String? {
    guard let clockLow, let clockHigh else { return nil }
    return "\(Figure.decimals(clockLow, 1)) .. \(Figure.decimals(clockHigh, 1))"
  }
}
