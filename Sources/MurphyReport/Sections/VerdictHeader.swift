import MurphyModel

/// The first screen: the word, what decided it, what to do, what was not tested, and the size of the run in numbers.
struct VerdictHeader {
  private let result: RunResult

  init(_ result: RunResult) { self.result = result }

  var page: ReportPage {
    let decision = Decision(result)
    return ReportPage(
      title: "\(result.verdict.word) · \(result.run.scenario)", style: result.verdict.rawValue,
      kicker: "\(result.run.target) · \(started)", word: result.verdict.word, name: result.run.scenario,
      answer: .text(result.answer), reasons: decision.lines.map(Self.line), next: next(decision),
      figures: KeyFigures(result: result).figures.map { .init($0, $1, $2) })
  }

  private func next(_ decision: Decision) -> [(name: String, value: Markup)] {
    let advice = decision.advice.map { advice in
      decision.beginning.map { element(.a, .anchor($0), text: advice) } ?? .text(advice)
    }
    let untested = decision.untested.isEmpty ? .text("Nothing was left out.") : Self.links(decision.untested, 0)
    return (advice.map { [("What to do", $0)] } ?? []) + [("Not tested", untested)]
  }

  private static func line(_ line: Decision.Line) -> Markup {
    if let section = line.section { return element(.a, .anchor(section), text: line.lead) }
    if line.links.isEmpty { return .text(line.lead) }
    return .group([element(.strong, text: line.lead), .text(" "), links(line.shown, line.more)])
  }

  private static func links(_ links: [Decision.Link], _ more: Int) -> Markup {
    let parts = links.enumerated().flatMap { index, link -> [Markup] in
      [.text(index == 0 ? "" : ", "), element(.a, .anchor(link.anchor), text: link.text)]
    }
    return .group(
      parts + (more == 0 ? [] : [.text(" and "), element(.a, .anchor(PromisesSection.id), text: "\(more) more")]))
  }

  /// `2026-11-21 02:14 UTC` of an RFC 3339 time; any other text as it is.
  private var started: String {
    let text = result.run.started
    guard text.count >= 16, text.dropFirst(10).first == "T" else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}

extension RunResult {
  /// The answer to "may this release go out?" in a sentence.
  package var answer: String {
    let promises = promises
    let broken = promises.count { $0.outcome == .broken }
    switch verdict {
    case .pass:
      let open = promises.count { $0.outcome == .unchecked }
      return "OK to release: \(counted(promises.count { $0.outcome == .kept }, "check")) passed, none failed"
        + (open == 0 ? "" : ", \(open) not checked in full") + (run.judgedScope.map { ", judged \($0)." } ?? ".")
    case .fail:
      return broken == 0
        ? "Do not release."
        : "Do not release: \(broken) of \(counted(promises.count { $0.outcome != .untested }, "check")) failed."
    case .shard:
      let name = run.shard.map { "Shard \($0.number) of \($0.of)" } ?? "One shard of a run"
      return "\(name) finished. Run `murphy merge` on all shards to get the verdict."
    case .invalid:
      return "No verdict on the API: "
        + (run.unreached != nil
          ? "the preflight check failed."
          : run.crashed != nil
            ? "murphy crashed."
            : run.lostCredentials.map { $0.sentence + "." }
              ?? (run.shards?.doubts.isEmpty == false
                ? "some shards are missing, late or incomplete."
                : run.cutShort
                  ? "the run was interrupted (Ctrl-C or a signal) after \(Figure.seconds(run.duration).text)."
                  : run.setup?.failed != nil
                    ? "the setup failed."
                    : ledger.contradictions.isEmpty
                      ? "murphy itself was the bottleneck." : "the ledger does not add up."))
    case .noData:
      if explored != nil { return "No verdict: the exploration covered too little of the API." }
      let open = promises.count { [.noData, .lacking].contains($0.outcome) }
      return "No verdict on the API: "
        + (open == 0 ? "too few samples." : "\(counted(open, "check")) could not be decided.")
    }
  }
}

/// The size of the run and its latency in a handful of numbers.
struct KeyFigures {
  let result: RunResult

  var figures: [(String, Figure, String?)] {
    let outcomes = result.allOutcomes
    let lost = outcomes.transport + result.ledger.inFlightAtEnd
    let failed = outcomes.clientError + outcomes.serverError + lost
    var figures: [(String, Figure, String?)] = [
      ("requests", .count(result.ledger.sent), "in \(Figure.seconds(result.run.duration).text)"),
      ("rate", .rate(result.generator.achieved), peak),
    ]
    if let all = result.allLatency {
      figures.append(("latency p50", figure(all.p50), openness(all.p50)))
      figures.append(("latency p95", figure(all.p95), "p99 \(Figure.interval(all.p99))"))
    }
    guard result.ledger.sent > 0 else { return figures + [("findings", .count(result.findings.count), severities)] }
    if result.explored != nil {
      // A request that is meant to be rejected has not failed.
      figures.append(("server errors", .count(outcomes.serverError), "responses 5xx"))
      if lost > 0 { figures.append(("unanswered", .count(lost), "lost or under way at the end")) }
    } else if let ends = result.allEnds {
      figures.append(("violating", .count(ends.violating), "of \(counted(ends.answers, "answer"))"))
      // As the table of operations counts them.
      figures.append(
        ("errors", .count(ends.errors), "4xx and 5xx without violating ones"))
      if ends.unanswered > 0 { figures.append(("unanswered", .count(ends.unanswered), "lost or under way at the end")) }
    } else {
      figures.append(
        (
          "failed", .count(failed),
          failed == 0
            ? "no error, none lost"
            : [(outcomes.clientError, "× 4xx"), (outcomes.serverError, "× 5xx"), (lost, "lost")]
              .filter { $0.0 > 0 }.map { "\(Figure.count($0.0).text) \($0.1)" }.joined(separator: ", ")
        ))
    }
    if outcomes.limited > 0 { figures.append(("limited", .count(outcomes.limited), "rejected by a rate limit")) }
    figures.append(("findings", .count(result.findings.count), severities))
    return figures
  }

  /// With its unit apart where it is one value.
  private func figure(_ interval: LatencyInterval) -> Figure {
    interval.isOpen ? Figure(Figure.interval(interval)) : .latency(interval.high ?? interval.low)
  }

  /// Why a latency is known between two ends only; nil where it is one value.
  private func openness(_ interval: LatencyInterval) -> String? {
    guard interval.isOpen else { return nil }
    return result.unanswered > 0
      ? "within, as \(Figure.count(result.unanswered).text) have no complete response"
      : "range: murphy sent some requests late"
  }

  /// The busiest second; nil where no whole second is above the mean, as in a run that ended within the next one.
  private var peak: String? {
    let most = Double(result.timeline.map(\.sent).max() ?? 0)
    return most > result.generator.achieved ? "peak \(Figure.rate(most).text)" : nil
  }

  private var severities: String? {
    if result.findings.isEmpty { return nil }
    let errors = result.findings.count { $0.severity == .error }
    if errors == 0 { return "0 errors" }
    return errors == result.findings.count ? counted(errors, "error") : "\(counted(errors, "error")) among them"
  }
}

extension LatencyInterval {
  /// Its ends are more than 5 % apart: then both are shown.
  fileprivate var isOpen: Bool { high.map { $0 > low * 1.05 } ?? true }
}

extension RunResult {
  package var allOutcomes: Outcomes {
    operations.reduce(into: Outcomes()) { $0 += $1.outcomes }
  }
}
