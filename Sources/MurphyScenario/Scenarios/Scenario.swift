import MurphyModel
import MurphySchema

/// Scripted user sessions, the load with which they arrive, and the checks that decide the verdict of the run.
///
/// A value: reading one has checked every name, unit and type in it. The engine interprets it.
public struct Scenario: Sendable {
  /// The value of `name:`; the report uses it as the name of the run.
  public var name: String
  /// The purpose of the scenario, in the author's words.
  package var about: String?
  /// The file from which it was read, as the user named it.
  public var file: String
  /// The first of `contracts`.
  package var contract: String? {
    get { contracts.first }
    set { contracts = newValue.map { [$0] } ?? [] }
  }
  /// OpenAPI documents and overlays. Paths are relative to the scenario's own folder unless absolute. If there is no
  /// such file, it is a path of the target.
  package var contracts: [String] = []
  /// A URL or `embedded:SYSTEM`; `--target` replaces it.
  package var target: String?
  /// Used if the command line contains none.
  package var seed: UInt64?
  package var settings = ClientSettings()
  /// The files with data for sessions.
  package var feeds: [Feed] = []
  package var sessions: [SessionScript]
  /// The steps of one user before the load; nil for none.
  package var setup: SessionScript?
  /// The steps of one user after the load.
  package var teardown: SessionScript?
  package var load: LoadProfile
  package var expectations: Expectations
  /// The names under which statistics of steps are grouped; steps refer to them by index.
  package var tags: [String] = []
  /// Names of the variables, by slot: a `Scope` has one slot for each.
  package var variables: [String] = []
  /// The credential in the headers of all users that murphy renews; nil for none.
  package var credential: SharedCredential?
  /// Values that no output may show.
  package var secrets = Secrets()
  /// Questionable parts that are not mistakes.
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

/// The script of one kind of user, from arrival to end.
package struct SessionScript: Sendable {
  package var name: String
  /// Its weight relative to the other sessions' shares; positive.
  package var share: Double
  package var steps: [Step]
  /// The user's steps before its first session, the same for every session of the scenario.
  package var login: LoginScript? {
    didSet { keepsAnswers = calls.contains { $0.reuse != nil } }
  }
  /// The settings of its users: the scenario's `client:`, extended by the session's own.
  package var client: ClientProfile
  /// Indices into `Scenario.feeds`: the session takes one row of each when it begins.
  package var feeds: [Int] = []
  /// True if its expressions read the last response, except its status. Then each response is kept until the next.
  package var readsAnswers = false
  /// True if a client of its users keeps responses, because a step has `cache:` or `dedupe:`.
  package var keepsAnswers: Bool
  /// The position in the scenario.
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

  /// The operations that its steps name, in the order of the steps, each once. All branches are included.
  package var operations: [String] {
    var seen: Set<String> = []
    return calls.map(\.operation.id).filter { seen.insert($0).inserted }
  }

  /// The steps of its login, and its own.
  package var allSteps: [Step] { (login?.steps ?? []) + steps }

  /// Every call in its steps, in order. All branches are included.
  package var calls: [CallStep] { allSteps.flatMap(\.calls) }
}

/// `login:` as a session executes it.
package struct LoginScript: Sendable {
  package var steps: [Step]
  /// The names that its steps save or set, which a returning user still has.
  package var saved: [Variable]
  /// The parts of the client that are generated once for the user, not for each of its sessions.
  var drawn: UserDraws
}

/// The parts of the scenario's own client that a session's client does not override.
struct UserDraws: Sendable {
  var variables: Set<Variable>
  /// Names in lower case.
  var headers: Set<String>
  var hasAddress: Bool
}

extension Scenario {
  /// All scripts: of the setup, the sessions and the teardown.
  package var scripts: [SessionScript] { [setup].compactMap(\.self) + sessions + [teardown].compactMap(\.self) }
}

/// The settings for sending requests, equal for every virtual user. Nothing is retried unless a step specifies it.
package struct ClientSettings: Sendable, Hashable {
  /// The versions of HTTP that a scenario may require.
  package enum HTTPVersion: String, Sendable, CaseIterable {
    /// HTTP/2 if the server offers it under TLS, otherwise HTTP/1.1.
    case auto
    case http1 = "1.1"
    case http2 = "2"
  }

  /// The maximum time from send to last byte.
  package var timeout: Duration = .seconds(30)
  /// The maximum time for opening a connection.
  package var connectTimeout: Duration = .seconds(5)
  /// Longer responses are cut off after this number of bytes, and counted.
  package var maxBody = ByteCount(8_000_000)
  package var http: HTTPVersion = .auto
  /// The maximum number of redirects followed for one request, each counted; 0 follows none.
  package var redirects = 0
  /// The client certificate of the TLS handshake; nil for none.
  package var certificate: ClientCertificate?
  /// PEM file of certificate authorities, relative to the scenario's folder; nil for those of the system.
  package var certificateAuthorities: String?
  /// True if certificates are not checked. It is never the default.
  package var insecure = false
  /// Overrides `http_proxy` and similar environment variables; empty for no proxy.
  package var proxy: String?
  /// True sends `Accept-Encoding` and decodes responses.
  package var compression = true
  /// The share of the requests whose traces the target should record, from 0 to 1; nil sends no trace context.
  package var tracing: Double?
  /// The maximum time that sessions may continue after the last arrival.
  package var grace: Duration = .seconds(10)
  /// The time without a response, with requests in flight or failing, after which the load is ended; nil for no limit.
  package var abortAfter: Duration? = .seconds(10)
  /// The minimum duration of the load before a budget that is certain to fail ends it; nil for never.
  package var abortWhenLost: Duration?

  package init() {}
}

/// Values from the environment and credentials, to be masked in every output.
package struct Secrets: Sendable, Hashable {
  /// Shorter ones would mask text that is not secret; reading a scenario warns of them.
  package static let shortest = Secret.shortest

  package private(set) var all: [Secret] = []

  /// - Parameter environment: the variable from which it was read.
  package mutating func insert(_ value: String, environment: String? = nil) {
    insert(Secret(value, environment.flatMap { ShellVariable(environment: $0) } ?? ShellVariable("secret")))
  }

  package mutating func insert(_ secret: Secret) {
    guard secret.value.utf8.count >= Self.shortest, !all.contains(where: { $0.value == secret.value }) else { return }
    all.append(secret)
  }

  /// The text without these secrets.
  package func masked(_ text: String) -> String { SecretMask().adding(all).masked(text) }
}

extension Scenario {
  /// Slots of the variables whose values are in a header with credentials, directly or by `set:`. Values saved under
  /// their names are as secret as the header.
  ///
  /// - Parameter isSecret: true if a header of that name carries credentials.
  package func slots(readByHeaders isSecret: (String) -> Bool) -> Set<Int> {
    let calls = scripts.flatMap(\.calls)
    let sent = calls.flatMap(\.headers).map { ($0.name, $0.value) }
    let always = scripts.flatMap(\.client.headers).map { ($0.name, $0.value) }
    var slots = Set((sent + always).filter { isSecret($0.0) }.flatMap { $0.1.variables.map(\.slot) })
    let assignments = scripts.flatMap { $0.allSteps.flatMap(\.assignments) }
    var known = -1
    while known != slots.count {
      known = slots.count
      for assignment in assignments where slots.contains(assignment.variable.slot) {
        slots.formUnion(assignment.value.variables.map(\.slot))
      }
    }
    return slots
  }
}

extension JSONValue {
  /// The strings and numbers in it.
  package var leaves: [String] {
    switch self {
    case .string, .number: [interpolated]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let object): object.flatMap(\.value.leaves)
    case .null, .bool: []
    }
  }
}
