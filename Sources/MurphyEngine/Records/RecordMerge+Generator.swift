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
    let operations = shards.flatMap(\.operations)
    report.add(
      GeneratorDoubts(
        report: report, latency: latency, dropped: droppedForWantOfRoom, planned: planned,
        exhausted: operations.reduce(0) { $0 + ($1?.exhausted ?? 0) }
      ).reservations + stuckLoops.map(stuck))
    return report
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
