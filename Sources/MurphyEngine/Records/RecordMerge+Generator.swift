import MurphyModel
import MurphyTransport

extension RecordMerge {
  var generator: GeneratorReport {
    var lateness = LatencyHistogram()
    for shard in shards { lateness.merge(shard.lateness) }
    let seconds = max(duration, 0.001)
    let planned = shards.reduce(0) { $0 + $1.ledger.planned }
    let sent = shards.reduce(0) { $0 + $1.ledger.sent }
    let cpu = shards.map { Double($0.figures.cpu) / 1e7 / seconds }.max() ?? 0
    var report = GeneratorReport(
      loops: shards.count, lateness: LatencySummary(lateness), loopStalls: shards.reduce(0) { $0 + $1.figures.stalls },
      longestStall: Double(shards.map(\.figures.longestAway).max() ?? 0) / 1000,
      cpuPercent: (cpu * 10).rounded() / 10, offered: Double(planned) / seconds, achieved: Double(sent) / seconds,
      peakUsers: shards.reduce(0) { $0 + $1.peakUsers }, peakMemory: ProcessFigures.peakMemory, doubts: [])
    report.perLoop = loops(seconds)
    report.resources = resources
    let missed = shards.reduce(0) { $0 + ($1.dropped[.loadOver] ?? 0) }
    let lacking = shards.reduce(into: [:]) { $0.merge($1.lacking) { $0 + $1 } }
    let unsent = missed + droppedForWantOfRoom + lacking.values.reduce(0, +)
    report.achievedPercent = planned > 0 ? Double(max(planned - unsent, 0)) * 100 / Double(planned) : nil
    report.add(
      GeneratorDoubts(
        report: report, latency: latency, dropped: droppedForWantOfRoom, planned: planned, missed: missed,
        lacking: lacking
      ).reservations + stuckLoops.map(stuck))
    return report
  }

  private func loops(_ seconds: Double) -> [GeneratorLoop] {
    func percent(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6 / seconds).rounded() / 10 }
    return shards.map { shard in
      let figures = shard.figures
      return GeneratorLoop(
        loop: shard.loop, cpuPercent: percent(figures.cpu), waitingPercent: figures.waited.map(percent),
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

  private var droppedForWantOfRoom: Int {
    shards.reduce(0) { sum, shard in
      sum + shard.dropped.reduce(0) { $0 + ($1.key.isForWantOfRoom ? $1.value : 0) }
    }
  }

  /// Of all operations together.
  private var latency: LatencyHistogram {
    var whole = LatencyHistogram()
    for operation in shards.flatMap(\.operations) { if let operation { whole.merge(operation.latency) } }
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
