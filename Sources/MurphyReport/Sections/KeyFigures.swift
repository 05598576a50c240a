import MurphyModel

/// The size of the run and its latency in a handful of numbers.
struct KeyFigures {
  let result: RunResult

  var markup: Markup {
    element(.dl, .class("figures")) {
      for (name, figure, note) in figures {
        element(.div) {
          element(.dt, text: name)
          element(.dd) {
            figure.markup
            if let note { element(.small, text: note) }
          }
        }
      }
    }
  }

  private var figures: [(String, Figure, String?)] {
    let all = result.allLatency
    let outcomes = result.allOutcomes
    let failed = outcomes.serverError + outcomes.transport
    var figures: [(String, Figure, String?)] = [
      ("requests", .count(result.ledger.sent), "in \(Figure.seconds(result.run.duration).text)"),
      ("rate", .rate(result.generator.achieved), "peak \(Figure.rate(peakRate).text)"),
    ]
    if all.count > 0 {
      figures.append(("latency p50", .latency(all.p50), nil))
      figures.append(("latency p95", .latency(all.p95), "p99 \(Figure.latency(all.p99).text)"))
    }
    figures.append(
      (
        "failed", .count(failed),
        failed == 0 ? "no 5xx, none lost" : "\(outcomes.serverError) × 5xx, \(outcomes.transport) lost"
      ))
    if outcomes.limited > 0 { figures.append(("limited", .count(outcomes.limited), "429 by a rate limit")) }
    figures.append(("findings", .count(result.findings.count), severities))
    return figures
  }

  private var peakRate: Double { Double(result.timeline.map(\.sent).max() ?? 0) }

  private var severities: String? {
    if result.findings.isEmpty { return nil }
    let errors = result.findings.count { $0.severity == .error }
    return errors == result.findings.count ? counted(errors, "error") : "\(counted(errors, "error")) among them"
  }
}

extension RunResult {
  /// Latency of all operations together.
  package var allLatency: LatencySummary {
    var sum = LatencyHistogram()
    for operation in operations { sum.merge(operation.latency.histogram) }
    return LatencySummary(sum)
  }

  package var allOutcomes: Outcomes {
    operations.reduce(into: Outcomes()) { $0 += $1.outcomes }
  }
}
