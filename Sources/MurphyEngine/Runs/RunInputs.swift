import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The inputs of a run, before the zero of its load is set.
struct RunInputs: Sendable {
  var scenario: Scenario
  let contract: Contract
  let origin: Origin
  let resolved: ResolvedHost
  var options: EngineOptions
  let loops: Int
  /// From the scenario's settings and the options.
  let transport: TransportOptions
  var tokens: TokenService?

  init(
    _ scenario: Scenario, _ contract: Contract, _ target: String, _ options: EngineOptions
  ) throws(EngineError) {
    _ = LibcurlVersion.prepare
    ProcessFigures.raiseFileLimit()
    self.scenario = scenario
    self.contract = contract.adding(undocumentedOf: scenario)
    self.options = options
    loops = options.clock == .skipping ? 1 : max(options.loops ?? ProcessInfo.processInfo.activeProcessorCount, 1)
    do throws(OriginError) { origin = try Origin(target) } catch { throw .target(error.description) }
    transport = TransportOptions(
      scenario.settings, authorities: options.authorities, certificate: options.certificate)
    if let mistake = LibcurlVersion.mistake(transport, to: origin) { throw .target(mistake) }
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, transport)
    } catch {
      throw .unreachable(error.sentence)
    }
    if let unknown = options.only.first(where: { name in !scenario.sessions.contains { $0.name == name } }) {
      let names = scenario.sessions.map(\.name)
      let near = didYouMean(unknown, among: names)
      throw .sessions("no session has the name \"\(unknown)\".\(near) Known: \(names.joined(separator: ", "))")
    }
    guard !scenario.sessions.isEmpty || !options.sessions.isEmpty else {
      throw .sessions("the scenario has no session to run")
    }
  }

  /// The run whose load begins at `start`.
  func context(start: Instant, setup: SetupState? = nil) -> RunContext { RunContext(self, start: start, setup: setup) }

  /// The context of a run with one user who executes only the setup or the teardown, beginning now.
  func context(fixture script: SessionScript) -> RunContext {
    var inputs = self
    inputs.scenario.sessions = [script]
    inputs.scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 1, to: 1, duration: .seconds(1))]))
    (inputs.options.only, inputs.options.sessions, inputs.options.settling) = ([], [], .zero)
    return inputs.context(start: .now)
  }
}

/// The number of the shard that a process runs.
package struct ShardNumber: Sendable, Hashable {
  /// From 0.
  package var index: Int
  /// The number of shards of the run.
  package var count: Int

  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// A run of a single process.
  package static let whole = ShardNumber(index: 0, count: 1)

  /// The number of items of this shard, of all items numbered from 0.
  package func size(of all: Int) -> Int { all > index ? (all - index + count - 1) / count : 0 }
}

/// The options of a run that are not part of the scenario.
package struct EngineOptions: Sendable {
  /// The same seed and scenario give the same plan.
  package var seed: UInt64
  /// Changes only the values that must be unique (`UniqueValues`); nil leaves them as the seed generates them.
  package var salt: UInt64?
  /// True if the salt was generated for this run alone. Keys made of such values then have no history at the target.
  package var isSaltNew = false
  /// The number of loops, each a thread with its own users; nil for one per core.
  package var loops: Int?
  /// The shard of the run that this process executes: shard K of N takes sessions K, K + N, K + 2N … of the plan.
  package var shard = ShardNumber.whole
  /// The description of the shard in the record; nil for a run of one process.
  package var shardInfo: RunShard?
  /// The time at which the load should begin, nanoseconds since 1970; nil for immediately.
  package var startAt: Int64?
  /// Only sessions of these names, with their shares; empty for all.
  package var only: [String] = []
  /// Sessions written in Swift, in addition to the scenario's.
  package var sessions: [SwiftSession] = []
  /// Users with a session running at the same time; arrivals beyond are dropped and counted.
  package var userLimit = 20_000
  /// PEM file of trusted authorities; nil for the scenario's or the system's.
  package var authorities: String?
  /// The certificate that users send in a TLS handshake; nil for the scenario's.
  package var certificate: ClientCertificate?
  /// The process's environment, for credentials.
  package var environment: [String: String] = [:]
  /// Requests that are due earlier than this after the load's zero are counted, but their latency is not. Used for
  /// comparisons, whose slices begin with the target still warm from another load.
  package var settling: Duration = .zero
  /// True if a load ends when its first responses show that the target is wrong, or that credentials are missing.
  package var checksOpening = false
  /// True if snapshots contain each of the last seconds, the operations and the findings.
  package var isWatched = false
  /// True if the latency of every response is kept separately, 32 bytes each: to check the histograms.
  package var keepsSamples = false
  /// The observer of the sessions while they run; nil for none.
  package var trace: SessionTrace?
  /// Recognises the requests of the load by their trace ids. Every request then asks the target to record its trace.
  package var tracedRuns: TracedRuns?
  /// The part of a comparison to which the load belongs.
  package var tracedPart: TracedPart?
  /// True if users skip think times, as for a user that is only observed.
  package var skipsThinking = false
  /// True if users wait after a rejection by a rate limit, and send the request again, unless the scenario has a reaction.
  package var waitsAtLimits = false
  /// The clock of the sessions. A clock that skips waits belongs to one loop: `loops` then counts as 1.
  package var clock = LoopClock.system
  /// Bytes of a body that a finding's evidence shows.
  package var evidenceLimit = ByteCount(4096)
  /// The maximum of different findings that are kept separately; further ones are counted together.
  package var findingLimit = 500
  /// The bound on the limit log of the run.
  package var limitBound = LimitLog.Bound.usual
  /// The bound on the log of the invariants of the run.
  package var stateBound = StateLog.Bound.usual

  /// The default options with a seed.
  package init(seed: UInt64) { self.seed = seed }
}

extension TransportOptions {
  /// Creates the options from a scenario's settings.
  ///
  /// - Parameters:
  ///   - authorities: PEM file of trusted authorities, which replaces that of the settings.
  ///   - certificate: the certificate that users send, which replaces that of the settings.
  package init(_ settings: ClientSettings, authorities: String?, certificate: ClientCertificate? = nil) {
    self.init()
    self.certificate = certificate ?? settings.certificate
    self.authorities = authorities ?? settings.certificateAuthorities
    checksCertificates = !settings.insecure
    connectTimeout = settings.connectTimeout
    timeout = settings.timeout
    bodyLimit = settings.maxBody
    proxy = settings.proxy
    compression = settings.compression
    userAgent = ProductVersion.userAgent
    version =
      switch settings.http {
      case .auto: .auto
      case .http1: .http1
      case .http2: .http2
      }
  }
}
