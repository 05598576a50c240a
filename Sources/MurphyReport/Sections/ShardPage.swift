import MurphyModel

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
    let state = shard.troubles.isEmpty ? "It sent its part of the plan on time. " : "It has problems. "
    let link = element(.a, Attribute("href", "../report.html"), text: "The verdict covers all shards.")
    return ReportDocument(
      title: "Shard \(shard.number) of \(shards.of) · \(result.run.scenario)",
      verdict: shard.troubles.isEmpty ? .shard : .invalid, word: "SHARD \(shard.number) of \(shards.of)",
      kicker: result.run.target, name: result.run.scenario,
      answer: Phrase(state, markup: .group([.text(state), link])), reasons: shard.troubles.map { Phrase($0) },
      sections: [
        .init("rate", "Requests over time") {
          Block.lead("Compared with the mean of all merged shards.")
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
      description: "At most \(Figure.digits(own.map(\.y).max() ?? 0)) requests a second.",
      x: .time(to: max(result.run.duration, Double(own.count) * step)),
      y: .quantity(to: highest, title: "requests/s"),
      marks: [
        Mark.steps(own, width: step, style: "sent", label: "sent"),
        Mark.line(mean.map { $0 }, style: "planned", label: "mean"),
      ])
  }

  private var generator: Block {
    .facts([
      ("requests", Figure.count(shard.requests).text), ("sessions of the plan", Figure.count(shard.sessions).text),
      ("offered", "\(Figure.rate(shard.offered).text) planned"), ("achieved", "\(Figure.rate(shard.rate).text) sent"),
      (
        "lateness of sends",
        "p99 \(Figure.latency(shard.lateness).text), at most \(Figure.latency(shard.latest).text)"
      ), ("longest pause of a loop", Figure.latency(shard.longestStall).text),
      ("busiest core", Figure(Figure.decimals(shard.cpuPercent, 1), "%").text), ("loops", "\(shard.loops)"),
      ("peak memory", Figure.bytes(shard.peakMemory).text),
    ])
  }

  private var clock: Block {
    .facts(
      [
        ("machine", shard.machine), ("started", shard.started),
        ("after the common start", shard.late < 0.001 ? "less than a millisecond" : Figure.seconds(shard.late).text),
      ]
        + [
          shard.corrected.map {
            ("start corrected by", "\(Figure.decimals($0 * 1000, 0)) ms, because its clock is off")
          },
          shard.clockText.map { ("reference clock minus its own", "\($0) ms") },
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
