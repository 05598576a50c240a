import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyReport
import MurphyScenario
import MurphyServer

/// One side of a live comparison: its current address, and its measurements.
struct ComparedArm: Sendable {
  let target: Target
  let reference: ReferenceOptions
  /// Starts the target; nil for one that murphy starts itself, or that is already running.
  let command: String?
  /// For messages.
  let option: String
  var running: RunningTarget?
  /// With the token for this target; nil before its start.
  private(set) var scenario: Scenario?
  private var server: CommandServer?
  /// By group, the measurements of each operation.
  var samples: [[String: ArmSample]] = []
  /// By group.
  var findings: [[Finding]] = []
  var coverage: [[CoverageItem]] = []
  var side: CompareSide
  var errors = 0
  var due = 0
  /// Names of the operations that were called, in the contract's order.
  var operations: [String] = []
  /// For each slice in which the load generator prevents a verdict: the reason.
  var doubts: [String] = []
  var slices = 0

  init(_ arm: CompareArm, _ target: Target, _ reference: ReferenceOptions, command: String?) {
    self.target = target
    self.command = command
    option = "--\(arm.rawValue)-command"
    self.reference = reference
    side = CompareSide(sources: target.serveCommand(reference).map { [$0] } ?? [])
  }

  var isEmbedded: Bool { if case .embedded = target { true } else { false } }
  var isRestartable: Bool { isEmbedded || command != nil }

  /// - Parameter authorise: returns the scenario with the token for the target at a URL.
  mutating func start(_ authorise: (String) async throws(GateError) -> Scenario) async throws(GateError) {
    if let command {
      server = try await CommandServer.start(
        command, at: target, option: option, spanEndpoint: reference.spanEndpoint)
    }
    let running = try await RunningTarget.start(target, reference: reference)
    self.running = running
    scenario = try await authorise(running.url)
  }

  mutating func stop() async {
    await running?.stop()
    await server?.stop()
    (running, server) = (nil, nil)
  }

  mutating func beginGroup() {
    samples.append([:])
    findings.append([])
    coverage.append([])
  }

  mutating func dropGroup() {
    samples.removeLast()
    findings.removeLast()
    coverage.removeLast()
  }

  mutating func add(_ record: RunRecord, over length: Duration) {
    let group = samples.count - 1
    let sessions = record.sessions.reduce(0) { $0 + $1.started }
    for operation in record.operations where operation.planned > 0 {
      samples[group][operation.operation, default: ArmSample()].merge(
        ArmSample(operation, sessions: sessions, over: length))
      if !operations.contains(operation.operation) { operations.append(operation.operation) }
      errors += operation.errors
      due += operation.due
    }
    findings[group] += Self.masked(record)
    coverage[group] += record.coverage.items
    side.requests += record.ledger.sent
    side.sessions += sessions
    side.machine = record.info.machine
    if side.sources.isEmpty { side.sources = [record.info.target] }
    slices += 1
    if let doubt = record.generator.doubts.first { doubts.append(doubt) }
  }

  /// The findings without secrets that were learnt during the slice; if they cannot be masked, only their rules.
  private static func masked(_ record: RunRecord) -> [Finding] {
    do {
      return try record.mask.masked(record.findings)
    } catch {
      return record.findings.map { finding in
        Finding(
          kind: finding.kind, severity: finding.severity, operation: finding.operation,
          message: finding.kind.rule.sentence, count: finding.count)
      }
    }
  }
}

/// The options of a live comparison.
package struct CompareOptions: Sendable {
  /// The version that is known to be good.
  package var base: Target
  /// The version that may be slower.
  package var candidate: Target
  /// Seed, size of the load, sessions, threads and credentials, equal for both. Its target and duration are not used.
  package var run = RunOptions()
  package var baseReference = ReferenceOptions()
  package var candidateReference = ReferenceOptions()
  /// Starts the base at its URL for each group, in a shell; nil for a running one.
  package var baseCommand: String?
  /// The same for the candidate.
  package var candidateCommand: String?
  /// The metrics that decide.
  package var metrics = CompareMetric.usual
  /// The load duration of one slice; its sessions end after it.
  package var slice: Duration = .seconds(2)
  /// Pairs of slices in a group; an even number.
  package var blocks = 4
  /// All groups begin within this time.
  package var limit: Duration = .seconds(900)
  /// The seed of the coins; nil generates one.
  package var coins: UInt64?

  /// For a comparison of responses: the number of sessions of each run.
  package var sessions = 40
  /// For a comparison of responses: places that are not compared.
  package var ignored: [String] = []

  package init(base: Target, candidate: Target) {
    self.base = base
    self.candidate = candidate
  }

  /// Both sides, before their start.
  func arms() throws(GateError) -> [CompareArm: ComparedArm] {
    func reporting(_ reference: ReferenceOptions) -> ReferenceOptions {
      var reference = reference
      reference.spanEndpoint = run.spans?.endpoint
      return reference
    }
    let base = ComparedArm(.base, base, reporting(baseReference), command: baseCommand)
    let candidate = ComparedArm(.candidate, candidate, reporting(candidateReference), command: candidateCommand)
    for arm in [base, candidate] where arm.isEmbedded && arm.command != nil {
      throw .usage("\(arm.option) requires a target that is a URL, because murphy starts embedded targets itself.")
    }
    return [.base: base, .candidate: candidate]
  }

  /// Targets that a command starts are not reachable yet.
  func checkReachability(_ transport: TransportOptions) throws(GateError) {
    if baseCommand == nil { try base.checkReachability(transport) }
    if candidateCommand == nil { try candidate.checkReachability(transport) }
  }
}

/// The progress of a comparison.
package struct CompareProgress: Sendable {
  /// The current group, from 1.
  package var group: Int
  /// The number of finished slices in the group.
  package var slice: Int
  /// Slices of the group, including those for warming up.
  package var slices: Int
  /// Groups at the next look.
  package var lookAt: Int
  /// The time since the start.
  package var elapsed: Duration
}
