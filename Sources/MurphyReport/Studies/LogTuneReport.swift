import MurphyJudge
import MurphyModel

/// The result of `murphy tune --log`: the clients of a log that each policy would have rejected.
package struct LogTuneReport: Sendable {
  let result: LogTuneResult

  package init(_ result: LogTuneResult) { self.result = result }

  private static let rowsShown = 40

  package var document: ReportDocument {
    let log = result.log
    let counts = [
      ("requests", log.requests), ("clients", log.keys), ("abusive clients", log.abusiveKeys),
      ("abusive requests", log.abusiveRequests), ("unreadable lines", log.unreadable),
      ("policies tested", result.rows.count),
    ]
    return ReportDocument(
      title: "Rate limits · \(log.file)", kicker: "rate-limit tuning", name: log.file,
      reasons: result.sentences.map { Phrase($0) }, tiles: counts.map { .init($0.0, .count($0.1)) },
      sections: [
        .init("policies", "Legitimate clients rejected and abuse stopped", entry: "Policies") { chart },
        .init("rejected", "Rejected clients", entry: "Clients", in: [.page, .terminal]) { clients },
        .init("best", "The best policies", entry: "Best") { front },
      ],
      footer: "murphy tune · \(result.format)")
  }

  @BlockBuilder private var chart: [Block] {
    if !result.rows.isEmpty {
      Block.lead(
        "Each point is a policy. A policy further right stops more abusive requests. A lower policy rejects fewer "
          + "legitimate clients. Large point: recommended policy. Ring: requested policy. The line connects the "
          + "Pareto-optimal policies.")
      Block.panels([(policies, 320)], style: "")
    }
  }

  /// The plotted share for none: half of one client.
  private var floor: Double { 0.5 / Double(max(result.log.keys - result.log.abusiveKeys, 1)) }

  private var policies: Chart {
    let ticks = [floor, 0.0001, 0.001, 0.01, 0.1, 1].filter { $0 == floor || $0 > floor * 2 }
    func points(_ rows: some Sequence<LogTuneResult.Row>) -> [Point] {
      rows.map { Point($0.stoppedShare * 100, max($0.legitimateShare, floor)) }
    }
    let front = result.rows.filter(\.isOnFront).sorted { $0.stoppedShare < $1.stoppedShare }
    return Chart(
      id: "log-policies", title: "Rejected legitimate clients by stopped abuse",
      description: result.sentences.suffix(result.chosen.count).joined(separator: " "),
      x: Axis(0...100, title: "abusive requests stopped") { Figure.percentage($0).text },
      y: Axis(floor * 0.8...1, .log, title: "legitimate clients rejected", ticks: ticks) { [floor] in
        $0 == floor ? "none" : TuneText.share($0)
      },
      marks: [
        Mark.scatter(points(result.rows.filter { !$0.isOnFront }), style: "p50 faint", radius: 1.8),
        Mark.line(points(front), style: "p50"), Mark.scatter(points(front), style: "p50", radius: 2.4),
        Mark.scatter(points(result.rows.filter(\.isAsked)), style: "p99", radius: 7, ring: true),
        Mark.scatter(points(result.rows.filter(\.isRecommended)), style: "p50", radius: 6),
      ])
  }

  @BlockBuilder private var clients: [Block] {
    for row in result.chosen {
      Block.heading(row.policy.text)
      if row.clients.isEmpty { Block.lead("This policy would have rejected no client.") } else { table(row) }
    }
  }

  private func table(_ row: LogTuneResult.Row) -> ReportTable {
    ReportTable(
      "Clients that \(row.policy.text) would have rejected",
      [.text("client"), .number("requests"), .number("rejected"), .text("first rejection"), .text("counts as")],
      row.clients.map { client in
        [
          .name(client.key), .text(client.requests.text), .text(client.rejected.text), .text(client.first),
          .text(client.isAbusive ? "abuse" : "legitimate"),
        ]
      }, noun: "client")
  }

  @BlockBuilder private var front: [Block] {
    let front = result.rows.filter(\.isOnFront)
    if !front.isEmpty {
      let table = ReportTable(
        "Pareto-optimal policies",
        [
          .text("policy"), .number("legitimate clients rejected"), .number("share"), .number("abuse stopped"),
          .text("largest client"), .text("first rejection"),
        ],
        front.map { row in
          [
            .name(row.policy.text), .text(row.legitimateKeys.text), .text(TuneText.share(row.legitimateShare)),
            .text(Figure.percent(row.stoppedShare, 1).text), .text(row.clients.first?.key ?? "–"),
            .text(row.clients.first?.first ?? "–"),
          ]
        }, noun: "policy")
      Block.table(table, most: Self.rowsShown)
    }
  }
}
