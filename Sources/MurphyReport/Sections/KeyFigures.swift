import MurphyModel

/// The size of the run and its latency in a handful of numbers.
struct KeyFigures {
  let result: RunResult

  var markup: Markup {
    element(.dl, .class("figures")) {
      for (name, figure, note) in figures {
        element(.div) {
          element(.dt, text: name)
          element(.dd, .class(figure.text.count > 9 ? "long" : "")) {
            figure.markup
            if let note { element(.small, text: note) }
          }
        }
      }
    }
  }

  private var figures: [(String, Figure, String?)] {
    let outcomes = result.allOutcomes
    let lost = outcomes.transport + result.ledger.inFlightAtEnd
    let failed = outcomes.clientError + outcomes.serverError + lost
    var figures: [(String, Figure, String?)] = [
      ("requests", .count(result.ledger.sent), "in \(Figure.seconds(result.run.duration).text)"),
      ("rate", .rate(result.generator.achieved), "peak \(Figure.rate(peakRate).text)"),
    ]
    if let all = result.allLatency {
      figures.append(("latency p50", figure(all.p50), nil))
      figures.append(("latency p95", figure(all.p95), "p99 \(Figure.interval(all.p99))"))
    }
    guard result.ledger.sent > 0 else { return figures + [("findings", .count(result.findings.count), severities)] }
    if let ends = result.allEnds {
      figures.append(("violating", .count(ends.violating), "of \(counted(ends.answers, "answer"))"))
    }
    figures.append(
      (
        "failed", .count(failed),
        failed == 0
          ? "no 4xx or 5xx, none lost"
          : [(outcomes.clientError, "× 4xx"), (outcomes.serverError, "× 5xx"), (lost, "lost")]
            .filter { $0.0 > 0 }.map { "\(Figure.count($0.0).text) \($0.1)" }.joined(separator: ", ")
      ))
    if outcomes.limited > 0 { figures.append(("limited", .count(outcomes.limited), "429 by a rate limit")) }
    figures.append(("findings", .count(result.findings.count), severities))
    return figures
  }

  /// With its unit apart where it is one value.
  private func figure(_ interval: LatencyInterval) -> Figure {
    guard let high = interval.high, high <= interval.low * 1.05 else { return Figure(Figure.interval(interval)) }
    return .latency(high)
  }

  private var peakRate: Double { Double(result.timeline.map(\.sent).max() ?? 0) }

  private var severities: String? {
    if result.findings.isEmpty { return nil }
    let errors = result.findings.count { $0.severity == .error }
    return errors == result.findings.count ? counted(errors, "error") : "\(counted(errors, "error")) among them"
  }
}

extension RunResult {
  package var allOutcomes: Outcomes {
    operations.reduce(into: Outcomes()) { $0 += $1.outcomes }
  }
}
