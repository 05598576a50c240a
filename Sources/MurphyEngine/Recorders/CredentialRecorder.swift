import MurphyContract
import MurphyModel
import MurphyScenario

/// What one loop knows of requests with credentials. Instants are nanoseconds since the load began.
package struct CredentialStanding: Sendable {
  /// When it was published.
  package var published: Int64 = 0
  /// Operations that succeeded with credentials.
  package var works: Set<Int> = []
  /// When the last request was sent that succeeded with credentials.
  package var lastSuccess: Int64?
  /// The first and the last rejection since then, and how many there were.
  package var first: Int64?
  package var last: Int64 = 0
  package var rejections = 0
  /// Operations that were rejected since then, all of which had succeeded before.
  package var rejected: Set<Int> = []
  /// The latest begin of a session that was rejected.
  package var latestSession = Int64.min

  package init() {}
}

/// Keeps on one loop whether credentials that worked still do: responses 401 that no step expects, of operations that
/// had succeeded with credentials.
package struct CredentialRecorder {
  package private(set) var standing = CredentialStanding()
  /// By operation: one that the contract leaves open, so that its success says nothing of credentials.
  private let isOpen: [Bool]
  /// By operation: its response gives credentials.
  private let isLogin: [Bool]

  package init(isOpen: [Bool], isLogin: [Bool]) { (self.isOpen, self.isLogin) = (isOpen, isLogin) }

  /// A response.
  ///
  /// - Parameters:
  ///   - sent: when the request was sent; one that was sent before a rejection does not contradict it.
  ///   - isHandled: the step expects this status, or says with `on:` what to do about it.
  ///   - session: when the session of the request began.
  ///   - hasCredentials: asked where it matters.
  package mutating func note(
    _ operation: Int, status: Int, sent: Int64, at now: Int64, session: Int64, isHandled: @autoclosure () -> Bool,
    hasCredentials: @autoclosure () -> Bool
  ) {
    guard !isOpen[operation] || isLogin[operation] else { return }
    switch status {
    case 401:
      guard standing.works.contains(operation), !isHandled(), isLogin[operation] || hasCredentials() else { return }
      reject(operation, now, session)
    // What this user may not do, too many requests, and failures of the server: they say nothing of credentials.
    case 403, 429, 500...: return
    default: accept(operation, status, sent, hasCredentials)
    }
  }

  private mutating func accept(_ operation: Int, _ status: Int, _ sent: Int64, _ hasCredentials: () -> Bool) {
    if !standing.works.contains(operation) {
      guard (200..<300).contains(status), isLogin[operation] || hasCredentials() else { return }
      standing.works.insert(operation)
    }
    // Who may log in is not known to be let in.
    if isLogin[operation] { return }
    standing.lastSuccess = max(standing.lastSuccess ?? sent, sent)
    guard let first = standing.first, sent > first else { return }
    (standing.first, standing.rejections, standing.rejected) = (nil, 0, [])
    standing.latestSession = .min
  }

  private mutating func reject(_ operation: Int, _ now: Int64, _ session: Int64) {
    if standing.first == nil { standing.first = now }
    standing.last = now
    standing.rejections += 1
    standing.rejected.insert(operation)
    standing.latestSession = max(standing.latestSession, session)
  }
}

/// What is to be known of a scenario's credentials before the load.
struct CredentialInterest: Sendable {
  /// By operation: one that the contract leaves open although it secures others.
  let isOpen: [Bool]
  /// By operation: a step saves credentials from its response.
  let isLogin: [Bool]
  /// Whether a request may carry credentials other than cookies that the API set. Such cookies are a session's own, and
  /// anonymous users get some, too: that they end says nothing of the others.
  let isSent: Bool
  /// Sessions may get credentials of their own, so that older ones may end: they log in, ask for tokens, send what a
  /// variable holds, or are written in Swift.
  let isRenewed: Bool

  /// - Parameters:
  ///   - isGiven: the environment gives credentials.
  ///   - isWritten: a session is written in Swift, whose headers and handling of responses nobody knows before.
  ///   - isSecret: whether the field of this name is a credential.
  init(
    _ scenario: Scenario, _ contract: Contract, isGiven: Bool, isWritten: Bool, isSecret: (String) -> Bool,
    isCredential: (Variable) -> Bool
  ) {
    func isOpen(_ operation: Contract.Operation) -> Bool {
      operation.security.isEmpty || operation.security.contains { $0.schemes.isEmpty }
    }
    let isSecured = contract.operations.contains { !isOpen($0) }
    self.isOpen = contract.operations.map { isSecured && isOpen($0) && $0.isDocumented }
    let logins = Set(
      scenario.sessions.flatMap(\.calls).filter { call in call.saves.contains { isCredential($0.variable) } }
        .compactMap { contract.index(of: $0.operation.id) })
    isLogin = contract.operations.indices.map(logins.contains)
    let clients = scenario.sessions.map(\.client)
    isSent =
      isGiven || isWritten || clients.contains { $0.authentication != nil || $0.headers.contains { isSecret($0.name) } }
      || scenario.sessions.flatMap(\.calls).contains {
        !$0.cookies.isEmpty || $0.headers.contains { isSecret($0.name) }
      }
    let always = clients.flatMap(\.headers).map { ($0.name, $0.value) }
    let sent = scenario.sessions.flatMap(\.calls).flatMap(\.headers).map { ($0.name, $0.value) }
    let isPersonal = (always + sent).contains { isSecret($0.0) && !$0.1.variables.isEmpty }
    isRenewed =
      isWritten || isPersonal || !logins.isEmpty
      || scenario.sessions.contains { $0.client.authentication?.oauth2 != nil }
  }
}
