import MurphyEngine
import MurphyModel
import MurphyServer

/// What a run is asked for, beyond the scenario's own words.
public struct RunOptions: Sendable {
  /// Replaces the scenario's target.
  public var target: Target?
  /// Replaces the scenario's seed; without either a fresh one is drawn, and recorded.
  public var seed: UInt64?
  /// Changes the values of `uuid()`, `email()` and long `string()`; nil draws one for each run. With the salt of another
  /// run its very values come again, so keys made of them are not new to the target.
  package var salt: UInt64?
  /// Multiplies arrival rates and users.
  public var load = 1.0
  /// Stretches or shortens all stages alike to this length.
  public var duration: Duration?
  /// Replaces the load by this many users at once.
  public var users: Int?
  /// Only sessions of these names; empty for all.
  public var only: [String] = []
  /// Threads that make load; nil for one per core.
  package var loops: Int?
  /// Options of the embedded reference API: faults, limiter, time scale.
  public var reference = ReferenceOptions()
  /// PEM file of trusted authorities.
  package var authorities: String?
  /// What users show in a TLS handshake, instead of what the scenario says.
  package var certificate: ClientCertificate?
  /// Environment variables that the scenario and the contract's security schemes may read.
  public var environment: [String: String] = [:]
  /// Fails the run when any answer could not be checked.
  public var failOnUnchecked = false
  /// Whether murphy reads collections page by page when the load is over, to test what holds between answers.
  package var walksCollections = true
  /// Whether snapshots tell of seconds, operations and findings, for a live page.
  package var isWatched = false
  /// Sessions of one user at most, for a load of users; nil for as many as the time allows.
  package var iterations: Int?
  /// Which shard of a run this is; nil for the whole run.
  package var shard: ShardChoice?
  /// Who looks on while sessions run.
  package var trace: SessionTrace?
  /// Of the exploration that is run: what is repeated is `murphy explore`; nil for a run of a scenario.
  package var exploration: ExploreOptions?
  /// Whether users do without think times.
  package var skipsThinking = false

  /// Nothing but the scenario's own words.
  public init() {}
}

extension RunOptions {
  /// `murphy run` or `murphy explore` with the options that made a load what it was.
  func command(repeating run: RunInfo) -> ShellScript {
    let verb = exploration == nil ? "run" : "explore"
    var words = ["murphy", verb, ShellWord(run.scenarioFile).quoted, "--seed", String(run.seed)]
    func add(_ name: String, _ value: String) { words += [name, ShellWord(value).quoted] }
    if case .url? = target { add("--target", run.target) }
    if exploration != nil, case .embedded(let name, _)? = target { add("--target", "embedded:\(name)") }
    for option in reference.given { add("--" + (option.name == "seed" ? "data-seed" : option.name), option.value) }
    if let users { add("--users", String(users)) }
    if load != 1 { add("--load", String(load)) }
    if let duration { add("--duration", duration.text) }
    for name in only { add("--only", name) }
    for option in exploration?.given ?? [] { add(option.name, option.value) }
    if exploration?.mayTestTarget == true { words.append("--i-may-test-this-target") }
    if let authorities { add("--cacert", authorities) }
    if let certificate {
      add("--cert", certificate.file)
      if let key = certificate.key { add("--key", key) }
    }
    return ShellScript(words.joined(separator: " "))
  }
}
