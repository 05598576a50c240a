import Foundation
import MurphyModel

/// The first screen: the verdict, its reason, the advice, the untested checks, and the size of the run in numbers.
struct VerdictHeader {
  private let result: RunResult

  init(_ result: RunResult) { self.result = result }

  var document: ReportDocument {
    let decision = VerdictSummary(result)
    return ReportDocument(
      title: "\(result.verdict.word) · \(result.run.scenario)", verdict: result.verdict,
      kicker: "\(result.run.target) · \(started)", name: result.run.scenario,
      answer: Phrase(result.answer, markdown: result.answer), reasons: decision.lines.map(Self.line),
      next: next(decision), tiles: tiles)
  }

  private func next(_ decision: VerdictSummary) -> [(name: String, value: Phrase)] {
    let advice = decision.advice.map { advice in
      Phrase(advice, markup: decision.beginning.map { element(.a, .anchor($0), text: advice) })
    }
    let untested =
      decision.untested.isEmpty
      ? Phrase("", markup: .text("Nothing."))
      : Phrase(decision.untested.map(\.text).joined(separator: ", "), markup: Self.links(decision.untested, 0))
    return (advice.map { [("What to do", $0)] } ?? []) + [("Not tested", untested)]
  }

  private static func line(_ line: VerdictSummary.Line) -> Phrase {
    if let section = line.section { return Phrase(line.text, markup: element(.a, .anchor(section), text: line.lead)) }
    if line.links.isEmpty { return Phrase(line.text) }
    return Phrase(
      line.text, markup: .group([element(.strong, text: line.lead), .text(" "), links(line.shown, line.more)]))
  }

  private static func links(_ links: [VerdictSummary.Link], _ more: Int) -> Markup {
    let parts = links.enumerated().flatMap { index, link -> [Markup] in
      [.text(index == 0 ? "" : ", "), element(.a, .anchor(link.anchor), text: link.text)]
    }
    return .group(
      parts + (more == 0 ? [] : [.text(" and "), element(.a, .anchor(ChecksSection.id), text: "\(more) more")]))
  }

  /// `2026-11-21 02:14 UTC` of an RFC 3339 time; any other text as it is.
  private var started: String {
    let text = result.run.started
    guard text.count >= 16, text.dropFirst(10).first == "T" else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}

extension RunResult {
  /// The response to "may this release go out?" in a sentence.
  package var answer: String {
    let checks = checks
    let broken = checks.count { $0.outcome == .failed }
    switch verdict {
    case .pass:
      let open = checks.count { $0.outcome == .unchecked }
      return "OK to release: \(counted(checks.count { $0.outcome == .passed }, "check")) passed, none failed"
        + (open == 0 ? "" : ", \(open) checked only partly") + (run.judgedScope.map { ", evaluated \($0)." } ?? ".")
    case .fail:
      return broken == 0
        ? "Do not release."
        : "Do not release: \(broken) of \(counted(checks.count { $0.outcome != .notRequired }, "check")) failed."
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
                  ? "the run was interrupted (Ctrl-C or another signal) after \(Figure.time(run.duration).text)."
                  : run.setup?.failed != nil
                    ? "the setup failed."
                    : ledger.contradictions.isEmpty
                      ? "murphy itself was the bottleneck." : "the request totals are inconsistent."))
    case .noData:
      if explored != nil { return "No verdict: the exploration covered too little of the API." }
      let open = checks.count { [.noData, .notTested, .doubtful].contains($0.outcome) }
      return "No verdict on the API: "
        + (open == 0 ? "too few samples." : "\(counted(open, "check")) could not be decided.")
    }
  }
}

extension VerdictHeader {
  /// The size of the run and its latency in a handful of numbers.
  private var tiles: [ReportDocument.Tile] {
    let outcomes = result.allOutcomes
    let lost = outcomes.transport + result.ledger.inFlightAtEnd
    var tiles: [ReportDocument.Tile] = [
      .init("requests", .count(result.ledger.sent), "in \(Figure.time(result.run.duration).text)"),
      .init("rate", .rate(result.generator.achieved), peak),
    ]
    if let all = result.allLatency {
      tiles.append(.init("latency p50", figure(all.p50), openness(all.p50)))
      tiles.append(.init("latency p95", figure(all.p95), "p99 \(Figure.interval(all.p99))"))
    }
    let findings = ReportDocument.Tile("findings", .count(result.findings.count), severities)
    guard result.ledger.sent > 0 else { return tiles + [findings] }
    func unanswered(_ count: Int) -> [ReportDocument.Tile] {
      count > 0 ? [.init("unanswered", .count(count), "no response, or in flight at the end")] : []
    }
    if result.explored != nil {
      // A request that is meant to be rejected has not failed.
      tiles.append(.init("server errors", .count(outcomes.serverError), "5xx responses"))
      tiles += unanswered(lost)
    } else if let ends = result.allEnds {
      tiles.append(.init("violating", .count(ends.violating), "of \(counted(ends.responses, "response"))"))
      // As in the table of operations.
      tiles.append(.init("errors", .count(ends.errors), "4xx and 5xx, without violating responses"))
      tiles += unanswered(ends.unanswered)
    } else {
      let parts = [(outcomes.clientError, "× 4xx"), (outcomes.serverError, "× 5xx"), (lost, "lost")]
        .filter { $0.0 > 0 }.map { "\($0.0.text) \($0.1)" }
      tiles.append(
        .init(
          "failed", .count(outcomes.clientError + outcomes.serverError + lost),
          parts.isEmpty ? "0 errors, 0 lost" : parts.joined(separator: ", ")))
    }
    if outcomes.limited > 0 { tiles.append(.init("limited", .count(outcomes.limited), "rejected by a rate limit")) }
    return tiles + [findings]
  }

  /// With a separate unit if it is one value.
  private func figure(_ interval: LatencyInterval) -> Figure {
    interval.isOpen ? Figure(Figure.interval(interval)) : .latency(interval.high ?? interval.low)
  }

  /// The reason why a latency is only known as an interval; nil if it is one value.
  private func openness(_ interval: LatencyInterval) -> String? {
    guard interval.isOpen else { return nil }
    return "range: \(result.reasonOfRanges)"
  }

  /// The busiest second. Nil if no whole second is above the mean, as in a run that ended within the next one.
  private var peak: String? {
    let most = Double(result.timeline.map(\.sent).max() ?? 0)
    return most > result.generator.achieved ? "peak \(Figure.rate(most).text)" : nil
  }

  private var severities: String? {
    if result.findings.isEmpty { return nil }
    let errors = result.findings.count { $0.severity == .error }
    if errors == 0 { return "0 errors" }
    return errors == result.findings.count ? counted(errors, "error") : "including \(counted(errors, "error"))"
  }
}

extension LatencyInterval {
  /// True if its ends are more than 5 % apart: then both are shown.
  var isOpen: Bool { high.map { $0 > low * 1.05 } ?? true }
}

extension RunResult {
  var allOutcomes: Outcomes {
    operations.reduce(into: Outcomes()) { $0 += $1.outcomes }
  }
}

extension RunResult {
  /// The reason why some latencies are known only as an interval.
  var reasonOfRanges: String {
    guard unanswered > 0 else { return "murphy sent some requests late" }
    let waits = operations.compactMap { operation in operation.censored.map { (operation.operation, $0) } }
      .filter { $0.1.unanswered > 0 }
    let place = waits.count > 2 ? "\(waits.count) operations" : waits.map(\.0).joined(separator: " and ")
    let ways = waits.dropFirst().reduce(waits[0].1) { $0 + $1.1 }.words
    return "\(counted(unanswered, "request")) of \(place) got no complete response (\(ways))"
  }
}

extension RunInfo {
  /// `14:03:21 UTC`, so long after the run's start; nil if the start is not an RFC 3339 time.
  func clockTime(_ moment: Duration) -> String? {
    let start =
      (try? Date(started, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(started, strategy: Date.ISO8601FormatStyle()))
    return start.map {
      $0.addingTimeInterval(moment.inSeconds).formatted(
        Date.ISO8601FormatStyle().time(includingFractionalSeconds: false)) + " UTC"
    }
  }
}
