import MurphyModel

extension GeneratorReport {
  /// All effects of murphy itself on the run, including those that do not change the verdict.
  var shownDoubts: [String] {
    doubts + (reservations ?? []).map(\.sentence).filter { !doubts.contains($0) }
  }

  /// `sent 100 % of the planned load, p99 0.2 ms late; busiest loop 41 % of a core, …`; values that earlier versions did not
  /// record are omitted.
  var figures: String {
    func percent(_ share: Double) -> String { Figure(Figure.decimals(share, 1), "%").text }
    var sending = lateness.count == 0 ? "no request sent" : "p99 of sends \(Figure.latency(lateness.p99).text) late"
    if let achievedPercent, lateness.count > 0 {
      sending = "sent \(percent(achievedPercent)) of the planned load, " + sending
    }
    var running = "busiest loop \(percent(cpuPercent)) of a core"
    if let waiting = perLoop?.compactMap(\.waitingPercent).max() {
      running += ", CPU wait \(percent(waiting))"
    }
    if let steal = resources?.stealPercent { running += ", \(percent(steal)) stolen by the hypervisor" }
    let standing =
      loopStalls == 0
      ? "no stall over 50 ms"
      : "\(counted(loopStalls, "stall")) over 50 ms, the longest \(Figure.latency(longestStall).text)"
    let used = resources.map { resources in
      "\(Figure.count(resources.peakDescriptors).text) of \(Figure.count(resources.descriptorLimit).text) files open, "
        + "\(Figure.count(resources.peakTimeWait).text) of \(Figure.count(resources.ports).text) ports in TIME_WAIT"
    }
    return ([sending, running, standing] + [used].compactMap { $0 }).joined(separator: "; ")
  }
}

extension BudgetRow {
  /// If only the load generator prevents a decision, the check is doubtful, not short of data.
  var outcome: Check.State { undecided?.cause == .generator ? .doubtful : Check.State(state) }
}
