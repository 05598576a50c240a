import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// What a run is made of, before the zero of its load is known.
struct RunInputs: Sendable {
  var scenario: Scenario
  let contract: Contract
  let origin: Origin
  let resolved: ResolvedHost
  var options: EngineOptions
  let loops: Int
  /// As the scenario's settings and the options say.
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
    if let mistake = LibcurlVersion.mistake(transport.version, to: origin) { throw .target(mistake) }
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, transport)
    } catch {
      throw .unreachable(error.sentence)
    }
    if let unknown = options.only.first(where: { name in !scenario.sessions.contains { $0.name == name } }) {
      let names = scenario.sessions.map(\.name)
      let near = nearestName(to: unknown, among: names).map { ". Did you mean \"\($0)\"?" } ?? ""
      throw .sessions("no session is named \"\(unknown)\"\(near) There are: \(names.joined(separator: ", "))")
    }
    guard !scenario.sessions.isEmpty || !options.sessions.isEmpty else {
      throw .sessions("there is no session to run")
    }
  }

  /// The run whose load begins at `start`.
  func context(start: Instant, setup: SetupState? = nil) -> RunContext { RunContext(self, start: start, setup: setup) }

  /// A run of one user who does nothing but the setup or the teardown, from now on.
  func context(fixture script: SessionScript) -> RunContext {
    var inputs = self
    inputs.scenario.sessions = [script]
    inputs.scenario.load = .closed(ClosedLoad(stages: [UserStage(from: 1, to: 1, duration: .seconds(1))]))
    (inputs.options.only, inputs.options.sessions, inputs.options.settling) = ([], [], .zero)
    return inputs.context(start: .now)
  }
}

/// Which of the shards of a run a process makes.
package struct ShardNumber: Sendable, Hashable {
  /// From 0.
  package var index: Int
  package var count: Int

  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  package static let whole = ShardNumber(index: 0, count: 1)

  /// How many of the things numbered from 0 are this shard's.
  package func size(of all: Int) -> Int { all > index ? (all - index + count - 1) / count : 0 }
}

/// How a run is made, beyond what the scenario says.
package struct EngineOptions: Sendable {
  package var seed: UInt64
  /// Changes the values that are meant to be unique and nothing else (`UniqueValues`); nil leaves them as
  /// the seed gives them.
  package var salt: UInt64?
  /// Whether the salt was drawn for this run alone: then keys made of such values have no history at the target.
  package var isSaltNew = false
  /// Loops, each a thread with users of its own; nil for one per core.
  package var loops: Int?
  /// Which shard of the run this process makes: shard K of N takes sessions K, K + N, K + 2N … of the plan.
  package var shard = ShardNumber.whole
  /// What the record says of it; nil for a run of one process.
  package var shardInfo: RunShard?
  /// When the load is to begin, nanoseconds since 1970; nil for at once.
  package var startAt: Int64?
  /// Only sessions of these names, with their shares; empty for all.
  package var only: [String] = []
  /// Sessions written in Swift, beside the scenario's.
  package var sessions: [SwiftSession] = []
  /// Users with a session running at the same time; arrivals beyond are dropped and counted.
  package var userLimit = 20_000
  /// PEM file of trusted authorities; nil for the scenario's or the system's.
  package var authorities: String?
  /// What users show in a TLS handshake; nil for what the scenario says.
  package var certificate: ClientCertificate?
  /// The process's environment, for credentials.
  package var environment: [String: String] = [:]
  /// Requests that come due earlier than this after the load's zero are counted like all others, and their latency is
  /// not: for comparisons, whose slices begin with the target still warm from another load.
  package var settling: Duration = .zero
  /// Whether a load is ended whose first responses show that the target is wrong, or that credentials are missing.
  package var checksOpening = false
  /// Whether snapshots tell of each of the last seconds, of operations and of findings.
  package var isWatched = false
  /// Whether every answer's latency is kept by itself, 32 bytes each: to check the histograms.
  package var keepsSamples = false
  /// Who looks on while sessions run; nil for nobody.
  package var trace: SessionTrace?
  /// Whether users do without think times, as one who is only looked at.
  package var skipsThinking = false
  /// What time is for the sessions. A clock that skips waits is one loop's: `loops` is taken for 1.
  package var clock = LoopClock.system
  /// Bytes of a body that a finding's evidence shows.
  package var evidenceLimit = ByteCount(4096)
  /// Different findings that are kept apart; further ones are counted together.
  package var findingLimit = 500
  /// What the limit log keeps of the run.
  package var limitBound = LimitLog.Bound.usual
  /// What the log of the invariants keeps of the run.
  package var stateBound = StateLog.Bound.usual

  package init(seed: UInt64) { self.seed = seed }
}

extension TransportOptions {
  /// As a scenario's settings say.
  ///
  /// - Parameters:
  ///   - authorities: PEM file of trusted authorities, which replaces that of the settings.
  ///   - certificate: what users show, which replaces that of the settings.
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
