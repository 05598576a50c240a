import MurphyModel

/// Scripted user sessions, the load they arrive with, and the promises that the run is judged by.
///
/// A value: reading one has checked every name, unit and type in it. The engine interprets it.
public struct Scenario: Sendable {
  /// As in `name:`; what the report calls the run.
  public var name: String
  /// What the scenario shows, in the author's words.
  package var about: String?
  /// The file it was read from, as the user named it.
  public var file: String
  /// The first of `contracts`.
  package var contract: String? {
    get { contracts.first }
    set { contracts = newValue.map { [$0] } ?? [] }
  }
  /// OpenAPI documents and overlays, relative to the scenario's own folder unless absolute; a path of the target where
  /// no such file is.
  package var contracts: [String] = []
  /// A URL or `embedded:SYSTEM`; `--target` replaces it.
  package var target: String?
  /// Used when the command line names none.
  package var seed: UInt64?
  package var settings = ClientSettings()
  package var feeds: [Feed] = []
  package var sessions: [SessionScript]
  /// What one user does before the load; nil for nothing.
  package var setup: SessionScript?
  /// What one user does after it.
  package var teardown: SessionScript?
  package var load: LoadProfile
  package var expectations: Expectations
  /// The names under which steps' figures stand together; steps name them by index.
  package var tags: [String] = []
  /// Names of the variables, by slot: a `Scope` has one place for each.
  package var variables: [String] = []
  /// Values that no output may show.
  package var secrets = Secrets()
  /// What is questionable, but no mistake.
  package var warnings: [Diagnostic] = []

  package init(
    name: String, file: String, sessions: [SessionScript], load: LoadProfile,
    expectations: Expectations = Expectations()
  ) {
    self.name = name
    self.file = file
    self.sessions = sessions
    self.load = load
    self.expectations = expectations
  }
}

/// What one kind of user does, from arrival to leaving.
package struct SessionScript: Sendable {
  package var name: String
  /// Its weight among the sessions' shares; positive.
  package var share: Double
  package var steps: [Step]
  /// What its user does before the first of its sessions, the same for every session of the scenario.
  package var login: LoginScript? {
    didSet { keepsAnswers = calls.contains { $0.reuse != nil } }
  }
  /// Who its users are: the scenario's `client:` with the session's own on top.
  package var client: ClientProfile
  /// Indices into `Scenario.feeds`: the session takes one row of each when it begins.
  package var feeds: [Int] = []
  /// Whether its expressions read the last answer beyond its status, so that each answer is kept until the next.
  package var readsAnswers = false
  /// Whether a client of its users keeps answers, as `cache:` and `dedupe:` of some step say.
  package var keepsAnswers: Bool
  package var mark: SourceMark

  package init(
    name: String, share: Double = 1, steps: [Step], client: ClientProfile = ClientProfile(), feeds: [Int] = [],
    mark: SourceMark
  ) {
    self.name = name
    self.share = share
    self.steps = steps
    self.client = client
    self.feeds = feeds
    self.mark = mark
    keepsAnswers = steps.flatMap(\.calls).contains { $0.reuse != nil }
  }
}

extension SessionScript {
  /// The operations that its steps name, in the order of the steps, each once; branches count whether taken or not.
  package var operations: [String] {
    var seen: Set<String> = []
    return calls.map(\.operation.id).filter { seen.insert($0).inserted }
  }

  /// Those of its login, and its own.
  package var allSteps: [Step] { (login?.steps ?? []) + steps }

  /// Every call that its steps hold, in their order; branches count whether taken or not.
  package var calls: [CallStep] { allSteps.flatMap(\.calls) }
}

/// `login:` as a session takes it.
package struct LoginScript: Sendable {
  package var steps: [Step]
  /// The names that its steps save or set: what a returning user still knows.
  package var saved: [Variable]
  /// What of the client is drawn once for the user, rather than for each of its sessions.
  var drawn: UserDraws
}

/// The parts of the scenario's own client that a session's client leaves as they are.
struct UserDraws: Sendable {
  var variables: Set<Variable>
  /// Names in lower case.
  var headers: Set<String>
  var hasAddress: Bool
}

extension Scenario {
  /// Everybody who does something: the user of the setup, those of the sessions, that of the teardown.
  package var scripts: [SessionScript] { [setup].compactMap(\.self) + sessions + [teardown].compactMap(\.self) }
}

/// How requests are sent, for every virtual user alike. Nothing is retried unless a step says so.
package struct ClientSettings: Sendable, Hashable {
  package enum HTTPVersion: String, Sendable, CaseIterable {
    /// HTTP/2 where the server offers it under TLS, else HTTP/1.1.
    case auto
    case http1 = "1.1"
    case http2 = "2"
  }

  /// From send to last byte.
  package var timeout: Duration = .seconds(30)
  package var connectTimeout: Duration = .seconds(5)
  /// Answers are cut off behind this many bytes, and counted.
  package var maxBody = ByteCount(8_000_000)
  package var http: HTTPVersion = .auto
  /// How many redirects of one request are followed, each counted; 0 follows none.
  package var redirects = 0
  /// What users show in a TLS handshake; nil for nothing.
  package var certificate: ClientCertificate?
  /// PEM file of certificate authorities, relative to the scenario's folder; nil for the system's.
  package var certificateAuthorities: String?
  /// Certificates are not checked. Never the default.
  package var insecure = false
  /// Overrides the environment's `http_proxy` and relatives; empty for none.
  package var proxy: String?
  package var compression = true
  /// How long sessions may run on after the last arrival.
  package var grace: Duration = .seconds(10)
  /// How long the target may be silent, with requests under way or failing, before the load is ended; nil for ever.
  package var abortAfter: Duration? = .seconds(10)
  /// How long the load must have lasted before a budget that is surely lost ends it; nil for never.
  package var abortWhenLost: Duration?

  package init() {}
}
