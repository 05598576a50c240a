import MurphyModel
import MurphyTransport

extension ProcessPart {
  func generator(_ sums: RunSums) -> GeneratorReport {
    let seconds = max(duration, 0.001)
    let (planned, sent) = (sums.ledger.planned, sums.ledger.sent)
    // Loops work on what was under way at the end of the load.
    let lifetime = max(seconds, loops.map { context.seconds($0.ended) }.max() ?? 0)
    let cpu = loops.map { Double($0.figures.cpu) / 1e7 / lifetime }.max() ?? 0
    var report = GeneratorReport(
      loops: loops.count, lateness: LatencySummary(sums.lateness),
      loopStalls: loops.reduce(0) { $0 + $1.figures.stalls },
      longestStall: Double(loops.map(\.figures.longestAway).max() ?? 0) / 1000,
      cpuPercent: (cpu * 10).rounded() / 10, offered: Double(planned) / seconds, achieved: Double(sent) / seconds,
      peakUsers: sums.peakUsers, peakMemory: ProcessFigures.peakMemory, doubts: [])
    report.perLoop = loops(lifetime)
    report.resources = resources
    let missed = sums.dropped[.loadOver] ?? 0
    let dropped = sums.dropped.reduce(0) { $0 + ($1.key.isForWantOfRoom ? $1.value : 0) }
    let unsent = missed + dropped + sums.lacking.values.reduce(0, +)
    report.achievedPercent = planned > 0 ? Double(max(planned - unsent, 0)) * 100 / Double(planned) : nil
    report.add(
      GeneratorDoubts(
        report: report, latency: sums.latency, dropped: dropped, planned: planned, missed: missed,
        lacking: sums.lacking
      ).reservations + stuckLoops.map(stuck))
    return report
  }

  private func loops(_ seconds: Double) -> [GeneratorLoop] {
    func percent(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6 / seconds).rounded() / 10 }
    return loops.map { loop in
      let figures = loop.figures
      return GeneratorLoop(
        loop: loop.loop, cpuPercent: percent(figures.cpu), waitingPercent: figures.waited.map(percent),
        stalls: figures.stalls, longestStall: Double(figures.longestAway) / 1000,
        stalledPercent: percent(figures.stalledTime))
    }
  }

  /// What is not known of a loop that did not end.
  private func stuck(_ loop: Int) -> GeneratorReservation {
    let last = context.board.all[loop]
    return GeneratorReservation(
      .stuckLoop,
      "loop \(loop) of murphy did not end when the run was over: its requests (\(last.sent) by its last report) are "
        + "missing here. "
        + (slowLoops.contains(loop)
          ? "It was still at work: this machine is too busy for the load, or a session goes on after its end"
          : "It was idle: look for a session written in Swift that blocks its thread")
    )
  }

}

extension RunSums {
  /// Of all operations together.
  var latency: LatencyHistogram {
    var whole = LatencyHistogram()
    for operation in operations { if let operation { whole.merge(operation.latency) } }
    return whole
  }
}

extension GeneratorResources {
  init(_ figures: MachineFigures) {
    self.init(
      stealPercent: nil, peakDescriptors: figures.descriptors, descriptorLimit: MachineFigures.descriptorLimit,
      peakTimeWait: figures.timeWait, ports: MachineFigures.ports)
  }

  /// Another look, some time after the first one.
  mutating func note(_ figures: MachineFigures, since first: MachineFigures) {
    stealPercent = MachineFigures.steal(from: first, to: figures).map { ($0 * 10).rounded() / 10 }
    peakDescriptors = max(peakDescriptors, figures.descriptors)
    peakTimeWait = max(peakTimeWait, figures.timeWait)
  }
}
