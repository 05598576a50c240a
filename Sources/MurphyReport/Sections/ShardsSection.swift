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
          + ["start delay", "sessions", "requests", "sent/s", "send delay, p99", "busiest core", "clock, ms"].map {
            .number($0)
          } + [.text("problems")],
        shown.map(row), style: "dense")
      if shown.count < shards.shards.count {
        let all = counted(shards.shards.count, "shard")
        Block.text("The table shows the \(shown.count) worst of \(all). All shards are in result.json.")
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
      .init(name, markup: hasPages ? link : nil),
      .text(shard.late < .milliseconds(1) ? "–" : Figure.time(shard.late).text),
      .count(shard.sessions), .count(shard.requests), .text(Figure.digits(shard.rate)),
      .text(Figure.latency(shard.lateness).text), .text(Figure.percentage(shard.cpuPercent).text),
      .text(shard.clockText ?? "–"),
      shard.troubles.isEmpty ? "none" : .init("", lines: Array(shard.troubles.prefix(3))),
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
      : "\(shards.shards.count.text) of \(counted(shards.of, "shard")) of the plan were merged; "
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
        "The clocks of the machines cannot be compared (no common reference), so the order of events on different "
        + "machines is unknown."
    }
    guard let reference else { return "All shards ran on one machine and used its clock." }
    let name =
      switch reference {
      case .chrony: "the time source of chrony"
      case .folder: "the clock of the shared folder"
      case .target: "the Date header of the target's responses"
      }
    return
      "To compare the times of events on different machines, murphy uses \(name). The time of each event is accurate "
      + "to ± \(Figure.latency(uncertainty).text)."
  }
}

extension ShardResult {
  var isImpaired: Bool { cutShort || late > .seconds(1) || !doubts.isEmpty }

  /// All problems of the shard.
  var troubles: [String] {
    (cutShort ? ["cut short"] : [])
      + (late > .seconds(1) ? ["started \(Figure.time(late).text) after the other shards"] : []) + doubts
  }

  /// The offset of the reference's clock from its own, in milliseconds; positive if the reference is ahead.
  var clockText: String? {
    guard let clockLow, let clockHigh else { return nil }
    return [clockLow, clockHigh].map { Figure.decimals($0.inMicroseconds / 1000, 1) }.joined(separator: " .. ")
  }
}

/// `shards/shard-3.html`: one shard of a merged run, generated only from the merged result.
struct ShardPage: Sendable {
  static let folder = "shards"

  let result: RunResult
  let shards: MergedShards
  let shard: ShardResult
  /// The mean rate in requests per second of all shards with the same step length.
  private let mean: [Double]

  /// One page for each merged shard.
  static func all(_ result: RunResult) -> [ShardPage] {
    guard let shards = result.run.shards else { return [] }
    let means = Dictionary(grouping: shards.shards.map(\.course), by: \.step).mapValues(RateCourse.mean)
    return shards.shards.map {
      ShardPage(result: result, shards: shards, shard: $0, mean: means[$0.course.step] ?? [])
    }
  }

  static func fileName(of shard: ShardResult) -> String { "shard-\(shard.number).html" }
  var fileName: String { Self.fileName(of: shard) }

  var text: String {
    let state = shard.troubles.isEmpty ? "The shard sent its part of the plan on time. " : "The shard has problems. "
    let link = element(.a, Attribute("href", "../report.html"), text: "The verdict covers all shards.")
    return ReportDocument(
      title: "Shard \(shard.number) of \(shards.of) · \(result.run.scenario)",
      verdict: shard.troubles.isEmpty ? .shard : .invalid, word: "SHARD \(shard.number) of \(shards.of)",
      kicker: result.run.target, name: result.run.scenario,
      answer: Phrase(state, markup: .group([.text(state), link])), reasons: shard.troubles.map { Phrase($0) },
      sections: [
        .init("rate", "Requests over time") {
          Block.lead("The chart compares the shard with the mean of all merged shards.")
          Block.panels([(chart, 180)])
        },
        .init("generator", "Generator health") { generator },
        .init("clock", "Start and clock") { clock },
      ],
      hasContents: false,
      footer: "murphy \(result.run.murphy) · seed \(result.run.seed) · the same numbers are in result.json"
    ).html
  }

  private var chart: Chart {
    let step = Double(max(shard.course.step, 1))
    let own = shard.course.sent.enumerated().map { Point(Double($0.offset) * step, Double($0.element) / step) }
    let mean = mean.enumerated().map { Point((Double($0.offset) + 0.5) * step, $0.element) }
    let highest = (own + mean).map(\.y).max() ?? 0
    return Chart(
      id: "shard-rate", title: "Requests per second over time",
      description: "The highest rate is \(Figure.digits(own.map(\.y).max() ?? 0)) requests per second.",
      x: .time(to: max(result.run.duration, .saturating(seconds: Double(own.count) * step))),
      y: .quantity(to: highest, title: "requests/s"),
      marks: [
        Mark.steps(own, width: step, style: "sent", label: "sent"),
        Mark.line(mean.map { $0 }, style: "planned", label: "mean"),
      ])
  }

  private var generator: Block {
    .facts([
      ("requests", shard.requests.text), ("planned sessions", shard.sessions.text),
      ("offered", "\(Figure.rate(shard.offered).text) planned"), ("achieved", "\(Figure.rate(shard.rate).text) sent"),
      (
        "send delay",
        "p99 \(Figure.latency(shard.lateness).text), at most \(Figure.latency(shard.latest).text)"
      ), ("longest pause of an event loop", Figure.latency(shard.longestStall).text),
      ("busiest core", Figure.percentage(shard.cpuPercent).text), ("event loops", "\(shard.loops)"),
      ("peak memory", Figure.bytes(shard.peakMemory).text),
    ])
  }

  private var clock: Block {
    .facts(
      [
        ("machine", shard.machine), ("started", shard.started),
        (
          "delay after the common start",
          shard.late < .milliseconds(1) ? "less than a millisecond" : Figure.time(shard.late).text
        ),
      ]
        + [
          shard.corrected.map {
            ("start corrected by", "\(Figure.latency($0).text), because the machine's clock is wrong")
          },
          shard.clockText.map { ("reference clock minus the machine's clock", "\($0) ms") },
        ].compactMap(\.self))
  }
}

extension RateCourse {
  /// The mean rate in requests per second, over courses with steps of one length.
  fileprivate static func mean(_ courses: [RateCourse]) -> [Double] {
    let step = Double(max(courses.first?.step ?? 1, 1))
    var sums = [Int](repeating: 0, count: courses.map(\.sent.count).max() ?? 0)
    for course in courses { for (index, sent) in course.sent.enumerated() { sums[index] += sent } }
    return sums.map { Double($0) / Double(courses.count) / step }
  }
}
