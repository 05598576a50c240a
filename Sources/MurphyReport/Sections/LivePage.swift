import MurphyModel

/// The page of a running test, with the parts of the finished report that can be generated before its end.
package struct LivePage: Sendable {
  /// The data so far: its timeline, run, request accounting and findings without evidence.
  let result: RunResult
  /// Seconds since the load began, and the duration of the load.
  let elapsed: Double
  let planned: Double

  package init(_ result: RunResult, elapsed: Double, planned: Double) {
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
    func latency(_ value: Double?) -> String? { value.map { Figure.latency($0).text } }
    let state =
      elapsed > planned
      ? "Load finished. Waiting for outstanding responses…"
      : "Running: \(Figure.seconds(elapsed.rounded(.down)).text) of \(Figure.seconds(planned).text)."
    let gauge = element(.span, .class("gauge plain live")) {
      element(.i, .width(percent: elapsed / max(planned, 1e-9) * 100))
    }
    return ReportDocument(
      title: "Running · \(result.run.scenario)", kicker: result.run.target, name: result.run.scenario,
      answer: Phrase(state, markup: .group([.text(state), gauge])),
      tiles: [
        .init("requests/s", last.map { Figure.count($0.sent).text }),
        .init("users", last.map { Figure.count($0.users).text }),
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
            .text(finding.operation ?? ""), .count(finding.count), .text(Figure.seconds(finding.firstSeen).text),
            .text(finding.kind.rule.sentence),
          ]
        })
    }
  }
}
