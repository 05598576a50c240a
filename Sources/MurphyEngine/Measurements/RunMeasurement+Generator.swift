import MurphyContract
import MurphyHTTP
import MurphyModel

extension RunMeasurement {
  /// The report on how well a process kept up. The report has no histogram of lateness: the histogram is ``lateness``.
  func generator(
    _ log: EventLog, _ resources: GeneratorResources?, _ stuck: [GeneratorReservation]
  ) -> GeneratorReport {
    var report = GeneratorReport.idle
    let seconds = max(log.info.duration.inSeconds, 0.001)
    // After the end of the load, loops continue with the open requests.
    let lifetime = max(seconds, log.ends.map { Double($0.ended) / 1e9 }.max() ?? 0)
    let figures = log.ends.map(\.figures)
    let cpu = figures.map { Double($0.cpu) / 1e7 / lifetime }.max() ?? 0
    report.loops = log.ends.count
    report.loopStalls = figures.reduce(0) { $0 + $1.stalls }
    report.longestStall = .nanoseconds(figures.map(\.longestAway).max() ?? 0)
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
    whole.longestStall = reports.map(\.longestStall).max() ?? .zero
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
    fill(&whole, max(duration.inSeconds, 0.001))
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
      "event loop \(loop) of murphy did not stop at the end of the run. Its requests (at least \(last.sent)) are "
        + "missing from this result. "
        + (isSlow
          ? "The event loop was still running: this machine is too busy for the load, or a session continues after its "
            + "end"
          : "The event loop was idle: a session written in Swift may block its thread")
    )
  }
}

extension GeneratorLoop {
  /// - Parameter seconds: the lifetime of the loops.
  fileprivate init(_ end: LoopEnd, _ seconds: Double) {
    func percent(_ nanoseconds: Nanoseconds) -> Double { (Double(nanoseconds) / 1e6 / seconds).rounded() / 10 }
    let figures = end.figures
    self.init(
      loop: end.loop, cpuPercent: percent(figures.cpu), waitingPercent: figures.waited.map(percent),
      stalls: figures.stalls, longestStall: .nanoseconds(figures.longestAway),
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

extension RunMeasurement {
  /// The findings of all loops. Equal ones share one row; the worst and most frequent are first.
  func findings(_ frame: RunFrame, _ mask: SecretMask) -> [Finding] {
    let scripted = Dictionary(grouping: frame.scenario.scripts.flatMap(\.calls), by: \.operation.id)
    var findings = rows.map { row in
      var finding = row.reported
      finding.load = load(row, frame)
      if row.places > finding.count { finding.places = row.places }
      // Sessions written in Swift send arbitrary requests: other requests of the operation prove nothing about this
      // one.
      if let script = finding.evidence?.curl, let operation = finding.operation, let calls = scripted[operation] {
        let repeated = repeated(script, finding, frame, isConstant: calls.allSatisfy(\.isConstant))
        finding.evidence?.curl = repeated
      }
      return finding
    }
    findings += undocumented(frame)
    // The findings on the responses of all loops together.
    findings += traffic.findings(frame.contract).map { note in
      var note = note
      note.message = mask.masked(sentence: note.message)
      note.details = note.details.map(mask.masked(sentence:))
      return note
    }
    if let reason = logs.compactMap(\.info.teardown?.failed).min() {
      findings.append(
        Finding(
          kind: .generatorTeardown, operation: nil,
          message: "the teardown failed: \(mask.masked(sentence: reason)); test data may not have been cleaned up",
          count: 1,
          discriminator: "teardown"))
    }
    findings.sort { ($1.severity, $1.count, $0.fingerprint) < ($0.severity, $0.count, $1.fingerprint) }
    if beyond > 0 {
      findings.append(
        Finding(
          kind: .generatorFindings, operation: nil,
          message: "murphy stored \(frame.findingLimit) different findings, and only counted \(beyond) others",
          count: beyond, discriminator: "overflow"))
    }
    return findings
  }

  /// Statuses that depend on the request: the same request gets the same status again.
  private static let requestErrors: Set<Int> = [400, 404, 405, 406, 413, 414, 415, 422]

  /// A script that repeats its request until it finds a problem that only some responses have.
  ///
  /// Where every response with the finding's status has the problem, the first such response ends the repetition. Where
  /// other responses with that status do not have it, it may depend on the request. Different requests are not taken
  /// for repetitions of this one.
  private func repeated(
    _ script: ShellScript, _ finding: Finding, _ frame: RunFrame, isConstant: Bool
  ) -> ShellScript {
    let all = finding.load.reduce(0) { $0 + $1.requests }
    func times(_ responses: Int) -> Int {
      CurlScript.repetitions(toSee: responses == 0 ? 1 : Double(finding.count) / Double(responses))
    }
    guard let status = finding.evidence?.exchange?.status,
      let index = frame.contract.operations.firstIndex(where: { $0.id == finding.operation }),
      let same = operations[index]?.statuses.first(where: { $0.status == status })?.count
    else { return script.repeated(times(all), until: .failure) }
    if same <= finding.count {
      return Self.requestErrors.contains(status) ? script : script.repeated(times(all), until: .status(status))
    }
    let most = times(same)
    if most < 2 || isConstant { return script.repeated(most) }
    return script.noting(
      "\(finding.count) of \(same) responses with status \(status) had this problem; this request received one of them")
  }

  /// The requests of the scenario that the contract does not document.
  private func undocumented(_ frame: RunFrame) -> [Finding] {
    zip(frame.contract.operations, operations).compactMap { operation, record in
      guard let record, !operation.isDocumented, record.sent > 0 else { return nil }
      let statuses = record.statuses.map { "\($0.count) with status \($0.status)" }.joined(separator: ", ")
      let outcome =
        record.statuses.isEmpty ? "no response was received" : "murphy did not check its responses (\(statuses))"
      return Finding(
        kind: .contractUndocumentedOperation, severity: .warning, operation: operation.id,
        message: "the operation is not in the contract; \(outcome)", count: record.sent,
        lastSeen: duration, discriminator: "undocumented")
    }
  }

  /// Occurrences by stage, with the responses and the rate of that stage. Empty for occurrences before or after the
  /// load.
  private func load(_ row: FindingTable.Row, _ frame: RunFrame) -> [LoadOccurrence] {
    guard row.byStage.contains(where: { $0 > 0 }) else { return [] }
    let operation = frame.contract.operations.firstIndex { $0.id == row.finding.operation }
    return frame.stages.enumerated().map { index, stage in
      let answers = stages.compactMap { $0?[index] }.reduce(0, +)
      let own = operation.map { operation in stages[operation]?[index] ?? 0 }
      let seconds = (stage.end - stage.start).inSeconds
      return LoadOccurrence(
        stage: index, requests: own ?? answers, occurrences: row.byStage[index],
        rate: seconds > 0 ? (Double(answers) / seconds * 10).rounded() / 10 : 0)
    }
  }
}
