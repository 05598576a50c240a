import MurphyModel

/// One part of the page, generated only from the result.
protocol ReportSection: Sendable {
  /// The anchor, unique in the page.
  static var id: String { get }
  static var title: String { get }
  /// The title's short form, for the contents.
  static var entry: String { get }

  init(result: RunResult)

  /// The number of elements in the section, for the contents; nil if nothing is counted.
  var count: Int? { get }

  /// True if nothing in it needs attention: its content is folded then.
  var isFolded: Bool { get }

  /// Empty if the run has no data for it; the section and its entry in the contents are then omitted.
  @BlockBuilder var blocks: [Block] { get }
}

extension ReportSection {
  static var entry: String { title }
  var count: Int? { nil }
  var isFolded: Bool { false }

  /// The section with its entry in the contents.
  var section: ReportDocument.Section {
    .init(
      Self.id, Self.title, entry: Self.entry + (count.map { " \($0.text)" } ?? ""), isFolded: isFolded
    ) { blocks }
  }
}

extension Collection<String> {
  /// The first ones, and a line with the number of the others.
  func first(_ most: Int, rest: (Int) -> String = { "and \($0) more" }) -> [String] {
    prefix(most) + (count > most ? [rest(count - most)] : [])
  }
}

/// `report.html`: one file that needs no network and no script, generated only from the result.
package struct HTMLReport: Sendable {
  let result: RunResult
  /// True if there are pages of single shards (`ShardPage`) next to it.
  private let hasShardPages: Bool

  package init(_ result: RunResult, hasShardPages: Bool = false) {
    (self.result, self.hasShardPages) = (result, hasShardPages)
  }

  /// The whole document. Its size is bounded: long lists are cut, and the page states the omitted parts.
  package var text: String {
    var document = VerdictHeader(result).document
    document.sections = Self.sections.filter { result.explored == nil || !Self.ofLoad.contains($0.id) }
      .map { section($0).section }
    document.footer =
      "murphy \(result.run.murphy) · seed \(result.run.seed) · the same numbers are in result.json (\(result.format))"
    return document.html
  }

  private func section(_ kind: any ReportSection.Type) -> any ReportSection {
    guard kind == ShardsSection.self else { return kind.init(result: result) }
    var shards = ShardsSection(result: result)
    shards.hasPages = hasShardPages
    return shards
  }

  private static let sections: [any ReportSection.Type] = [
    FindingsSection.self, ExploredSection.self, ChecksSection.self, OperationsSection.self, SpansSection.self,
    SessionsSection.self, TimeSection.self,
    DistributionSection.self, LimitsSection.self, StateSection.self, RelationsSection.self,
    CoverageSection.self, LedgerSection.self, ShardsSection.self, GeneratorSection.self, RunSection.self,
  ]

  /// Sections that do not apply to an exploration.
  private static let ofLoad = [SessionsSection.id, TimeSection.id, DistributionSection.id]
}

/// The page of a running test, with the parts of the finished report that can be generated before its end.
package struct LivePage: Sendable {
  /// The data so far: its timeline, run, request accounting and findings without evidence.
  let result: RunResult
  /// The time since the load began, and the duration of the load.
  let elapsed: Duration
  let planned: Duration

  package init(_ result: RunResult, elapsed: Duration, planned: Duration) {
    (self.result, self.elapsed, self.planned) = (result, elapsed, planned)
  }

  /// The document into which the server's events write the parts; without a script it keeps its first state.
  package var text: String {
    Page(
      title: "Running · \(result.run.scenario)",
      body: element(.div, .id("live")) { body }, script: .live
    ).text
  }

  /// The part that an event replaces.
  package var fragment: String { body.html }

  private var body: Markup {
    let sum = result.timeline.reduce(into: Outcomes()) { $0 += $1.outcomes }
    let last = result.timeline.last
    func latency(_ value: Duration?) -> String? { value.map { Figure.latency($0).text } }
    let state =
      elapsed > planned
      ? "Load finished. Waiting for outstanding responses…"
      : "Running: \(Figure.time(.saturating(seconds: Double(elapsed.components.seconds))).text) of \(Figure.time(planned).text)."
    let gauge = element(.span, .class("gauge plain live")) {
      element(.i, .width(percent: elapsed / max(planned, .nanoseconds(1)) * 100))
    }
    return ReportDocument(
      title: "Running · \(result.run.scenario)", kicker: result.run.target, name: result.run.scenario,
      answer: Phrase(state, markup: .group([.text(state), gauge])),
      tiles: [
        .init("requests/s", last.map { $0.sent.text }),
        .init("users", last.map { $0.users.text }),
        .init("p50", latency(last?.p50)), .init("p95", latency(last?.p95)), .init("p99", latency(last?.p99)),
        .init("ok", .count(sum.ok)), .init("limited", .count(sum.limited)),
        .init("errors", .count(sum.clientError + sum.serverError + sum.transport)),
      ],
      sections: [
        TimeSection(result: result).section, .init("findings", "Findings so far") { findings },
        .init("latency", "Latency over time") { LatencyHeat(result: result).blocks },
      ],
      hasContents: false
    ).body
  }

  @BlockBuilder private var findings: [Block] {
    if result.findings.isEmpty {
      Block.text("None.")
    } else {
      ReportTable(
        "Findings so far",
        [.text("kind"), .text("operation"), .number("times"), .number("first at"), .text("problem")],
        result.findings.map { finding in
          [
            .init("", markup: .group([Badge.of(finding.severity), .text(" \(finding.kind.rawValue)")])),
            .text(finding.operation ?? ""), .count(finding.count), .text(Figure.time(finding.firstSeen).text),
            .text(finding.kind.rule.sentence),
          ]
        })
    }
  }
}
