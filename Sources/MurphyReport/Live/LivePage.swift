import MurphyModel

/// A run while it runs, drawn by the parts of the finished report that can be drawn before its end.
package struct LivePage: Sendable {
  /// What is known by now: its timeline, run, ledger and findings without evidence.
  package let result: RunResult
  /// Seconds since the load began, and those that it lasts.
  package var elapsed: Double
  package var planned: Double

  package init(_ result: RunResult, elapsed: Double, planned: Double) {
    self.result = result
    self.elapsed = elapsed
    self.planned = planned
  }

  /// The document into which the server's events write the parts; without a script it stays at its first state.
  package var text: String {
    Page(
      title: "Running · \(result.run.scenario)",
      body: element(.div, .id("live")) { body }, script: .live
    ).text
  }

  /// What an event replaces.
  package var fragment: String { body.html }

  private var body: Markup {
    .group([
      header,
      element(.main) {
        TimeSection(result: result).markup
        findings
        LatencyHeat(result: result).markup
      },
    ])
  }

  private var header: Markup {
    let sum = result.timeline.reduce(into: Outcomes()) { $0 += $1.outcomes }
    let last = result.timeline.last
    return element(.header, .class("verdict tuning")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · \(result.run.target)"
      }
      element(.h1) { element(.span, .class("scenario"), text: result.run.scenario) }
      element(
        .p, .class("answer"),
        text: elapsed > planned
          ? "The load is over; the last answers are awaited."
          : "Running: \(Figure.seconds(elapsed.rounded(.down)).text) of \(Figure.seconds(planned).text).")
      element(.p) {
        element(.span, .class("gauge plain live")) {
          element(.i, .width(percent: elapsed / max(planned, 1e-9) * 100))
        }
      }
      element(.dl, .class("figures")) {
        figure("requests/s", last.map { Figure.count($0.sent).text } ?? "–")
        figure("users", last.map { Figure.count($0.users).text } ?? "–")
        figure("p50", last?.p50.map { Figure.latency($0).text } ?? "–")
        figure("p95", last?.p95.map { Figure.latency($0).text } ?? "–")
        figure("p99", last?.p99.map { Figure.latency($0).text } ?? "–")
        figure("ok", Figure.count(sum.ok).text)
        figure("limited", Figure.count(sum.limited).text)
        figure("errors", Figure.count(sum.clientError + sum.serverError + sum.transport).text)
      }
    }
  }

  private func figure(_ name: String, _ value: String) -> Markup {
    element(.div) {
      element(.dt, text: name)
      element(.dd, text: value)
    }
  }

  private var findings: Markup {
    element(.section, .id("findings"), Attribute("aria-labelledby", "findings-heading")) {
      element(.h2, .id("findings-heading"), text: "Findings so far")
      if result.findings.isEmpty {
        element(.p, text: "None.")
      } else {
        Table(
          caption: "Findings so far",
          columns: [.text("kind"), .text("operation"), .number("times"), .number("first at"), .text("what is wrong")],
          rows: result.findings.map { finding in
            [
              .group([Badge.of(finding.severity), .text(" \(finding.kind.rawValue)")]), .text(finding.operation ?? ""),
              .text(Figure.count(finding.count).text), .text(Figure.seconds(finding.firstSeen).text),
              .text(finding.kind.rule.sentence),
            ]
          }
        ).markup
      }
    }
  }
}
