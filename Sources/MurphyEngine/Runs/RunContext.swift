import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import Synchronization

/// The data that all loops of a run share: immutable.
final class RunContext: Sendable {
  let scenario: Scenario
  let plan: Plan
  let contract: Contract
  let origin: Origin
  let resolved: ResolvedHost
  let options: EngineOptions
  let transport: TransportOptions
  /// The load's zero.
  let start: Instant
  /// Nanoseconds to add to the monotonic clock to get the time of day.
  private let dayOffset: Int64
  /// The latency of requests that are due earlier is not recorded.
  let settled: Instant
  let stages: [LoadStage]
  /// The end of each stage, nanoseconds since the load began.
  private let stageEnds: [Int64]
  let credentials: [Credentials]
  /// Masks the secrets that all sessions share.
  let mask: SecretMask
  /// By operation: the fields of bodies whose values are secret.
  let secretMembers: [Set<String>]
  /// Names that identify items in paths.
  let identifiers: Set<String>
  /// The same of all operations.
  let secretNames: Set<String>
  /// By operation: true if values saved from its responses are secret.
  let savesSecrets: [Bool]
  /// The variables that headers with credentials use: a bit for each slot below 64, and the others.
  private let secretSlots: (first: UInt64, others: Set<Int>)
  /// By session: the headers and delays that its client adds to requests.
  let clients: [ClientHeaders]
  let limits: LimitInterest
  let rejections: RejectionRules
  /// The values that the invariants over sessions take from each operation.
  let state: StateInterest
  let relations: RelationInterest
  let credentialInterest: CredentialInterest
  /// By operation: the limits of its latency budgets, for which the loops count request by request.
  let bounds: [[BoundCount]]
  /// By operation: empty counts by second and latency for the same limits.
  let ladders: [[LatencyLadder]]
  /// By operation: the highest latency that counts as goodput, in nanoseconds; nil if no check reads goodput.
  let goodput: [Int64]?
  /// The outages of the load, in nanoseconds since its start.
  let outages: [Range<Int64>]
  /// By session index; nil for a scripted one.
  let written: [SwiftSession?]
  let loops: Int
  /// The state after the setup, for the sessions; nil without a setup.
  let setup: SetupState?
  /// The service that gives users access tokens; nil where none needs one.
  let tokens: TokenService?
  /// The credential in the headers of all users that murphy renews; nil for none.
  let credential: SharedCredential?
  /// Makes the trace ids of the requests.
  let traceKey: TraceKey
  let board: SnapshotBoard
  /// Signals the loops to end now.
  let cutting = StopSignal()
  let aborting = StopSignal()

  init(_ inputs: RunInputs, start: Instant, setup: SetupState?) {
    let (contract, options) = (inputs.contract, inputs.options)
    self.contract = contract
    self.options = options
    self.start = start
    self.setup = setup
    tokens = inputs.tokens
    credential = inputs.scenario.credential
    origin = inputs.origin
    resolved = inputs.resolved
    loops = inputs.loops
    dayOffset = WallClock.nanoseconds() - Instant.now.nanoseconds
    traceKey = TraceKey(seed: options.seed, salt: options.salt ?? 0, start: start.nanoseconds &+ dayOffset)
    settled = options.settling > .zero ? start + options.settling.nanoseconds : Instant(nanoseconds: .min)
    var scenario = inputs.scenario
    if !options.only.isEmpty { scenario.sessions.removeAll { !options.only.contains($0.name) } }
    let scripted = scenario.sessions.count
    for session in options.sessions {
      let mark = SourceMark(file: "Swift", line: 1, column: 1)
      var script = SessionScript(name: session.name, share: session.share, steps: [], mark: mark)
      script.client.cookies = session.keepsCookies
      scenario.sessions.append(script)
    }
    written = Array(repeating: nil, count: scripted) + options.sessions
    self.scenario = scenario
    plan = Plan(
      scenario: scenario, seed: options.seed, unique: UniqueValues(salt: options.salt, isSaltNew: options.isSaltNew))
    stages = scenario.load.stages
    stageEnds = stages.map(\.end.nanoseconds)
    let credentials = contract.operations.indices.map {
      contract.credentials(operation: $0, environment: options.environment)
    }
    self.credentials = credentials
    clients = scenario.sessions.map { ClientHeaders($0.client) }
    limits = LimitInterest(scenario: scenario, contract: contract)
    rejections = RejectionRules(scenario, contract)
    state = StateInterest(scenario: scenario, contract: contract)
    relations = RelationInterest(scenario: scenario, contract: contract)
    bounds = contract.operations.map { operation in
      BoundCount.bounds(of: scenario.expectations.budgets.filter { ["*", operation.id].contains($0.operation) })
    }
    let scale = LatencyLadder.Scale(limits: bounds.joined().map(\.limit))
    ladders = bounds.map { bounds in
      Set(bounds.map(\.isService)).compactMap { isService in
        scale.map { LatencyLadder(scale: $0, isService: isService) }
      }
    }
    goodput =
      scenario.expectations.recovery == nil
      ? nil : bounds.map { $0.filter { !$0.isService }.map(\.limit).max() ?? .max }
    outages = scenario.load.disturbances.filter { $0.kind == .outage }.map {
      $0.from.nanoseconds..<$0.until.nanoseconds
    }
    let password = origin.credentials.map { [$0, $0.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""] }
    mask = SecretMask(scenario, contract, environment: options.environment, password: password ?? [])
    let secrets = contract.secretMembers
    secretMembers = secrets.map(\.names)
    savesSecrets = secrets.map(\.isInResponse)
    identifiers = SecretName.identifiers(in: contract.operations.map(\.path))
    secretNames = secretMembers.reduce(into: []) { $0.formUnion($1) }
    let slots = scenario.slots(readByHeaders: mask.isSecret(headerNamed:))
    secretSlots = (slots.reduce(0) { $1 < 64 ? $0 | 1 << UInt64($1) : $0 }, slots.filter { $0 >= 64 })
    credentialInterest = CredentialInterest(
      scenario, contract, isGiven: credentials.contains(where: \.isGiven), isWritten: !options.sessions.isEmpty,
      isSecret: mask.isSecret(headerNamed:)
    ) { slots.contains($0.slot) }
    var transport = inputs.transport
    transport.fieldNames = contract.fieldNames
    self.transport = transport
    board = SnapshotBoard(loops: loops)
  }

  /// The strictness of the judge of responses.
  var judging: JudgeOptions {
    let strictness = scenario.expectations.strictness
    return JudgeOptions(
      undocumentedFields: strictness.rules.contains(.undocumentedFields), allowedFields: strictness.allow)
  }

  /// True if the value of a variable is sent as a credential.
  func isCredential(_ variable: Variable) -> Bool {
    variable.slot < 64
      ? secretSlots.first & (1 &<< UInt64(variable.slot)) != 0 : secretSlots.others.contains(variable.slot)
  }

  /// True if murphy sends no request now.
  var isOut: Bool {
    guard !outages.isEmpty else { return false }
    let now = elapsed(.now)
    return outages.contains { $0.contains(now) }
  }

  var loadEnd: Instant { start + scenario.load.duration.nanoseconds }

  func elapsed(_ instant: Instant) -> Int64 { instant - start }

  /// The numbers that belong to one loop, of items numbered from 0: every n-th, for all loops of all processes.
  func numbers(of loop: Int, below all: Int) -> StrideTo<Int> {
    let shard = options.shard
    return stride(from: shard.index + shard.count * loop, to: all, by: shard.count * loops)
  }

  func stage(at instant: Instant) -> Int { LoadStage.index(at: elapsed(instant), ends: stageEnds) }

  /// The second of the run that contains an instant, from 0.
  func second(_ instant: Instant) -> Int { Int(max(elapsed(instant), 0) / 1_000_000_000) }

  func seconds(_ instant: Instant) -> Double { instant.seconds(since: start) }

  /// The time since the load began, outside the path of a request.
  func time(_ instant: Instant) -> Duration { .nanoseconds(elapsed(instant)) }

  /// The load's zero by this machine's clock at the time when the run was created, nanoseconds since 1970.
  var startTimeOfDay: Int64 { start.nanoseconds &+ dayOffset }

  /// Seconds since 1970 by this machine's clock at the time when the run was created.
  func timeOfDay(_ instant: Instant) -> Double { Double(instant.nanoseconds &+ dayOffset) / 1e9 }
}

extension RejectionRules {
  /// The rules of a scenario, by the index of an operation in the contract.
  init(_ scenario: Scenario, _ contract: Contract) {
    self.init(
      operations: contract.operations.map { $0.countsAs ?? $0.id },
      policies: scenario.expectations.limits.map(\.policy))
  }
}

extension RunContext {
  /// The maximum of concurrent requests of one user: six connections as in browsers, or the streams of one connection.
  var requestsPerUser: Int { transport.version == .http2 ? 100 : 6 }
}

/// Ends a run early, as Ctrl-C does. `request` may be called from a signal handler: it only sets a flag.
public final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Another signal whose request also counts for this one, and the instant at which this signal counts as requested.
  private let bound: (outer: StopSignal, end: Instant)?

  /// A signal that is not requested.
  public init() { bound = nil }

  /// A signal that is requested when another signal is, or when an instant is reached.
  package init(within outer: StopSignal, until end: Instant) { bound = (outer, end) }

  /// True if the end was requested.
  public var isRequested: Bool {
    if flag.load(ordering: .relaxed) { return true }
    guard let bound else { return false }
    return bound.outer.isRequested || .now >= bound.end
  }

  /// Requests the end. May be called from any thread; further calls have no effect.
  public func request() { flag.store(true, ordering: .relaxed) }
}
