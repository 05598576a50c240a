import MurphyModel

/// Whether murphy itself kept up, and so whether its numbers can be believed.
struct GeneratorSection: ReportSection {
  static let id = "generator"
  static let title = "Generator health"
  static let entry = "Generator"

  let result: RunResult

  private var report: GeneratorReport { result.generator }

  var isFolded: Bool { result.generator.shownDoubts.isEmpty }

  var content: Markup? { .group([doubts, MurphyReport.facts(facts + loops + resources)]) }

  private var doubts: Markup {
    let doubts = report.shownDoubts
    if doubts.isEmpty, result.ledger.planned == 0 { return lead("No request came due.") }
    if doubts.isEmpty {
      return lead("Murphy kept up with the load, so its own delays did not affect these numbers.")
    }
    return list(doubts, "doubts")
  }

  private var facts: [(String, String)] {
    let late = report.lateness
    return [
      ("offered", "\(Figure.rate(report.offered).text) planned"),
      (
        "achieved",
        "\(Figure.rate(report.achieved).text) sent"
          + (report.achievedPercent.map { ", \(percent($0)) of what murphy was to send" } ?? "")
      ),
      (
        "lateness of sends",
        late.count == 0
          ? "no send"
          : "p50 \(Figure.latency(late.p50).text), p99 \(Figure.latency(late.p99).text), at most \(Figure.latency(late.max).text)"
      ),
      (
        "loop stalls over 50 ms",
        report.loopStalls == 0
          ? "none; the longest pause was \(Figure.latency(report.longestStall).text)"
          : "\(report.loopStalls), the longest \(Figure.latency(report.longestStall).text)"
      ),
      ("busiest core", Figure(Figure.decimals(report.cpuPercent, 1), "%").text),
      ("loops", "\(report.loops)"), ("most users at once", Figure.count(report.peakUsers).text),
      ("most memory", Figure.bytes(report.peakMemory).text),
    ]
  }

  private var loops: [(String, String)] {
    (report.perLoop ?? []).map { loop in
      var parts = ["\(percent(loop.cpuPercent)) of a core"]
      if let waiting = loop.waitingPercent { parts.append("waited for it \(percent(waiting)) of the time") }
      if loop.stalls > 0 { parts.append("stood still \(percent(loop.stalledPercent)) of the time") }
      return ("loop \(loop.loop)", parts.joined(separator: ", "))
    }
  }

  private var resources: [(String, String)] {
    guard let resources = report.resources else { return [] }
    return [
      (
        "stolen by the hypervisor", resources.stealPercent.map { "\(percent($0)) of the machine's time" } ?? "not known"
      ),
      (
        "open files and connections",
        "\(Figure.count(resources.peakDescriptors).text) of \(Figure.count(resources.descriptorLimit).text)"
      ),
      (
        "ports in TIME_WAIT",
        Figure.count(resources.peakTimeWait).text
          + (resources.ports > 0 ? " of \(Figure.count(resources.ports).text)" : "")
      ),
    ]
  }

  private func percent(_ share: Double) -> String { Figure(Figure.decimals(share, 1), "%").text }
}
