import MurphyModel

/// The state of the load generator: it shows how reliable the numbers are.
struct GeneratorSection: ReportSection {
  static let id = "generator"
  static let title = "Generator health"
  static let entry = "Generator"

  let result: RunResult

  private var report: GeneratorReport { result.generator }

  var isFolded: Bool { result.generator.shownDoubts.isEmpty }

  var blocks: [Block] {
    let doubts = report.shownDoubts
    if !doubts.isEmpty {
      Block.lines(doubts, style: "doubts")
    } else if result.ledger.planned == 0 {
      Block.lead("No request was scheduled.")
    } else {
      Block.lead("Murphy sent the requests on time, so its own delays did not affect these numbers.")
    }
    Block.facts(facts + loops + resources)
  }

  private var facts: [(String, String)] {
    let late = report.lateness
    return [
      ("offered", "\(Figure.rate(report.offered).text) planned"),
      (
        "achieved",
        "\(Figure.rate(report.achieved).text) sent"
          + (report.achievedPercent.map { ", \(percent($0)) of the target rate" } ?? "")
      ),
      (
        "send delay",
        late.count == 0
          ? "no request sent"
          : "p50 \(Figure.latency(late.p50).text), p99 \(Figure.latency(late.p99).text), at most \(Figure.latency(late.max).text)"
      ),
      (
        "event loop stalls over 50 ms",
        report.loopStalls == 0
          ? "none; the longest pause was \(Figure.latency(report.longestStall).text)"
          : "\(report.loopStalls), the longest \(Figure.latency(report.longestStall).text)"
      ),
      ("busiest core", Figure.percentage(report.cpuPercent).text),
      ("event loops", "\(report.loops)"), ("most concurrent users", report.peakUsers.text),
      ("peak memory", Figure.bytes(report.peakMemory).text),
    ]
  }

  private var loops: [(String, String)] {
    (report.perLoop ?? []).map { loop in
      var parts = ["\(percent(loop.cpuPercent)) of a core"]
      if let waiting = loop.waitingPercent { parts.append("CPU wait \(percent(waiting))") }
      if loop.stalls > 0 { parts.append("stalled \(percent(loop.stalledPercent)) of the time") }
      return ("event loop \(loop.loop)", parts.joined(separator: ", "))
    }
  }

  private var resources: [(String, String)] {
    guard let resources = report.resources else { return [] }
    return [
      (
        "stolen by the hypervisor", resources.stealPercent.map { "\(percent($0)) of the CPU time" } ?? "unknown"
      ),
      (
        "open files and connections",
        "\(resources.peakDescriptors.text) of \(resources.descriptorLimit.text)"
      ),
      (
        "ports in TIME_WAIT",
        resources.peakTimeWait.text
          + (resources.ports > 0 ? " of \(resources.ports.text)" : "")
      ),
    ]
  }

  private func percent(_ percent: Double) -> String { Figure.percentage(percent).text }
}

/// The scenario and the target of the run, and the command that repeats it.
struct RunSection: ReportSection {
  static let id = "run"
  static let title = "Run"

  let result: RunResult

  var isFolded: Bool { true }

  var blocks: [Block] { Block.facts(facts.map { ($0, Phrase("", markup: $1)) }) }

  private var facts: [(String, Markup)] {
    let run = result.run
    return [
      ("scenario", element(.code, text: run.scenarioFile)),
      (
        "contract",
        .group((run.contractFiles ?? [run.contractFile]).map { file in element(.div) { element(.code, text: file) } })
      ),
      (
        "target",
        .group([
          element(.code, text: run.target),
          run.lookup.map { .text(", host name resolved once, in \(Figure.latency($0).text)") } ?? .nothing,
          run.faults.map { .text(", with faults: \($0.joined(separator: ", "))") } ?? .nothing,
        ])
      ), ("started", .text(run.started)),
      (
        "duration",
        .text(
          Figure.time(run.duration).text
            + (run.cutShort
              ? ", cut short"
              : run.lost != nil
                ? ", ended early because a budget could no longer pass"
                : run.lostCredentials.map { ", \($0.sentence)" }
                  ?? (run.aborted == nil ? "" : ", ended early because the target sent no response")))
      ),
      ("load", .group(run.load.map { element(.div, text: $0.text) })), ("seed", element(.code, text: String(run.seed))),
      ("salt", run.salt.map { element(.code, text: String($0)) } ?? .text("none")),
      ("murphy", .text(run.murphy)), ("libcurl", .text(run.libcurl)), ("machine", .text(run.machine)),
    ]
  }
}
