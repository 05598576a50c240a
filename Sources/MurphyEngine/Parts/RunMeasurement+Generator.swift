import MurphyHTTP
import MurphyModel

extension RunMeasurement {
  /// The report on how well a process kept up. The report has no histogram of lateness: the histogram is ``lateness``.
  func generator(
    _ log: EventLog, _ resources: GeneratorResources?, _ stuck: [GeneratorReservation]
  ) -> GeneratorReport {
    var report = GeneratorReport.idle
    let seconds = max(log.info.duration, 0.001)
    // After the end of the load, loops continue with the open requests.
    let lifetime = max(seconds, log.ends.map { Double($0.ended) / 1e9 }.max() ?? 0)
    let figures = log.ends.map(\.figures)
    let cpu = figures.map { Double($0.cpu) / 1e7 / lifetime }.max() ?? 0
    report.loops = log.ends.count
    report.loopStalls = figures.reduce(0) { $0 + $1.stalls }
    report.longestStall = Double(figures.map(\.longestAway).max() ?? 0) / 1000
    report.cpuPercent = (cpu * 10).rounded() / 10
    report.peakMemory = ProcessFigures.peakMemory
    report.perLoop = log.ends.map { GeneratorLoop($0, lifetime) }
    report.resources = resources
    fill(&report, seconds)
    report.add(
      GeneratorWarnings(
        report: report, latency: latency, dropped: sessionsWithoutRoom, planned: ledger.planned, missed: missed,
        lacking: lacking
      ).reservations + stuck)
    report.lateness.histogram = LatencyHistogram()
    return report
  }

  /// The report on how well all processes kept up. For a figure of a loop or a machine it is the worst value; otherwise
  /// it is the sum. A reservation on one process is kept, with the number of its shard.
  var generatorOfAll: GeneratorReport {
    let reports = logs.map(\.generator)
    guard var whole = reports.first else { preconditionFailure("a run has at least one process") }
    whole.lateness = LatencySummary(lateness)
    guard reports.count > 1 else { return whole }
    whole.loops = reports.reduce(0) { $0 + $1.loops }
    whole.loopStalls = reports.reduce(0) { $0 + $1.loopStalls }
    whole.longestStall = reports.map(\.longestStall).max() ?? 0
    whole.cpuPercent = reports.map(\.cpuPercent).max() ?? 0
    whole.peakMemory = reports.map(\.peakMemory).max() ?? 0
    whole.perLoop = logs.flatMap { log in
      (log.generator.perLoop ?? []).map { loop in
        var loop = loop
        loop.shard = log.shard
        return loop
      }
    }
    whole.resources = GeneratorResources(worstOf: reports.compactMap(\.resources))
    fill(&whole, max(duration, 0.001))
    (whole.doubts, whole.reservations) = ([], nil)
    whole.add(
      logs.flatMap { log in
        (log.generator.reservations ?? []).map {
          GeneratorReservation($0.kind, "shard \(log.shard): \($0.sentence)")
        }
      })
    return whole
  }

  /// Sets the figures that can be summed.
  private func fill(_ report: inout GeneratorReport, _ seconds: Double) {
    let planned = ledger.planned
    report.lateness = LatencySummary(lateness)
    (report.offered, report.achieved) = (Double(planned) / seconds, Double(ledger.sent) / seconds)
    report.peakUsers = peakUsers
    let unsent = missed + sessionsWithoutRoom + lacking.values.reduce(0, +)
    report.achievedPercent = planned > 0 ? Double(max(planned - unsent, 0)) * 100 / Double(planned) : nil
  }

  /// The number of planned requests that were due when the load was over.
  private var missed: Int { dropped[.loadOver] ?? 0 }

  /// The number of sessions that did not begin because murphy had no capacity.
  private var sessionsWithoutRoom: Int { dropped.reduce(0) { $0 + ($1.key.isForWantOfRoom ? $1.value : 0) } }

  private var latency: LatencyHistogram {
    var whole = LatencyHistogram()
    for operation in operations { if let operation { whole.merge(operation.latency) } }
    return whole
  }

  /// The reservation for a loop that did not end.
  static func stuck(_ loop: Int, isSlow: Bool, _ context: RunContext) -> GeneratorReservation {
    let last = context.board.all[loop]
    return GeneratorReservation(
      .stuckLoop,
      "loop \(loop) of murphy did not end when the run was over: its requests (\(last.sent) by its last report) are "
        + "missing here. "
        + (isSlow
          ? "It was still running: this machine is too busy for the load, or a session continues after its end"
          : "It was idle: look for a session written in Swift that blocks its thread")
    )
  }
}

extension GeneratorLoop {
  /// - Parameter seconds: the lifetime of the loops.
  fileprivate init(_ end: LoopEnd, _ seconds: Double) {
    func percent(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6 / seconds).rounded() / 10 }
    let figures = end.figures
    self.init(
      loop: end.loop, cpuPercent: percent(figures.cpu), waitingPercent: figures.waited.map(percent),
      stalls: figures.stalls, longestStall: Double(figures.longestAway) / 1000,
      stalledPercent: percent(figures.stalledTime))
  }
}

extension GeneratorResources {
  init(_ figures: MachineFigures) {
    self.init(
      stealPercent: nil, peakDescriptors: figures.descriptors, descriptorLimit: MachineFigures.descriptorLimit,
      peakTimeWait: figures.timeWait, ports: MachineFigures.ports)
  }

  /// The worst values of all machines; nil for none.
  fileprivate init?(worstOf all: [GeneratorResources]) {
    guard var worst = all.first else { return nil }
    for other in all.dropFirst() {
      worst.stealPercent = [worst.stealPercent, other.stealPercent].compactMap(\.self).max()
      worst.peakDescriptors = max(worst.peakDescriptors, other.peakDescriptors)
      worst.descriptorLimit = min(worst.descriptorLimit, other.descriptorLimit)
      worst.peakTimeWait = max(worst.peakTimeWait, other.peakTimeWait)
      worst.ports = min(worst.ports, other.ports)
    }
    self = worst
  }

  /// Adds a later reading.
  mutating func recordUsage(_ figures: MachineFigures, since first: MachineFigures) {
    stealPercent = MachineFigures.steal(from: first, to: figures).map { ($0 * 10).rounded() / 10 }
    peakDescriptors = max(peakDescriptors, figures.descriptors)
    peakTimeWait = max(peakTimeWait, figures.timeWait)
  }
}
