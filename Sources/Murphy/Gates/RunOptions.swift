import MurphyEngine
import MurphyModel
import MurphyServer

/// The options of a run, which override the scenario.
public struct RunOptions: Sendable {
  /// Replaces the scenario's target.
  public var target: Target?
  /// Replaces the scenario's seed; without either a new random one is used and recorded.
  public var seed: UInt64?
  /// Changes the values of `uuid()`, `email()` and long `string()`; nil generates one for each run. The salt of another
  /// run gives exactly its values, so keys made of them are not new to the target.
  package var salt: UInt64?
  /// Multiplies arrival rates and users.
  public var load = 1.0
  /// Stretches or shortens all stages equally to this length.
  public var duration: Duration?
  /// Replaces the load by this many concurrent users.
  public var users: Int?
  /// Only sessions of these names; empty for all.
  public var only: [String] = []
  /// Threads that generate load; nil for one per core.
  package var loops: Int?
  /// Options of the embedded reference API: faults, limiter, time scale.
  public var reference = ReferenceOptions()
  /// PEM file of trusted authorities.
  package var authorities: String?
  /// The client certificate in a TLS handshake, which replaces the scenario's.
  package var certificate: ClientCertificate?
  /// Headers of every request, in addition to those of the scenario.
  package var headers: [HeaderField] = []
  /// The source of a token that every request carries; nil for none.
  package var tokens: TokenSource?
  /// Environment variables that the scenario and the contract's security schemes may read.
  public var environment: [String: String] = [:]
  /// Fails the run if any response could not be checked.
  public var failOnUnchecked = false
  /// True if murphy reads collections page by page after the load, to test the relations between responses.
  package var walksCollections = true
  /// True if snapshots contain seconds, operations and findings, for a live page.
  package var isWatched = false
  /// The maximum number of sessions of one user, for a load of users. Nil for as many as the time allows.
  package var iterations: Int?
  /// True if a run ends when all of its first responses have the same unexpected status.
  package var checksOpening = true
  /// The shard of a run; nil for the whole run.
  package var shard: ShardChoice?
  /// Receives the exchanges while sessions run.
  package var trace: SessionTrace?
  /// Receives the spans of the target; nil for none.
  package var spans: SpanReceiver?
  /// The options of an exploration, for the command that repeats `murphy explore`; nil for a run of a scenario.
  package var exploration: ExploreOptions?
  /// True if users have no think times.
  package var skipsThinking = false

  /// The options of the scenario without changes.
  public init() {}
}

extension RunOptions {
  /// `murphy run` or `murphy explore` with the options that determined the load.
  func command(repeating run: RunInfo) -> ShellScript {
    let verb = exploration == nil ? "run" : "explore"
    var words = ["murphy", verb, ShellWord(run.scenarioFile).quoted, "--seed", String(run.seed)]
    func add(_ name: String, _ value: String) { words += [name, ShellWord(value).quoted] }
    if case .url? = target { add("--target", run.target) }
    if exploration != nil, case .embedded(let name, _)? = target { add("--target", "embedded:\(name)") }
    for option in reference.given { add("--" + (option.name == "seed" ? "data-seed" : option.name), option.value) }
    if let users { add("--users", String(users)) }
    if load != 1 { add("--load", String(load)) }
    if let duration { add("--duration", duration.notation) }
    for name in only { add("--only", name) }
    for option in exploration?.given ?? [] { add(option.name, option.value) }
    if exploration?.mayTestTarget == true { words.append("--i-may-test-this-target") }
    for header in headers { add("--header", "\(header.name): \(header.value)") }
    for option in (tokens ?? exploration?.tokens)?.given ?? [] { add(option.name, option.value) }
    if let authorities { add("--cacert", authorities) }
    if let certificate {
      add("--cert", certificate.file)
      if let key = certificate.key { add("--key", key) }
    }
    return ShellScript(words.joined(separator: " "))
  }
}
