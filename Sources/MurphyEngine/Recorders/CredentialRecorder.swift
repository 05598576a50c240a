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
  /// Responses 401 since then.
  package var rejected = Streak()
  /// Responses 401 and 403 since then.
  package var denied = Streak()
  /// When the last response 403 came to a request that needs no credentials.
  package var lastOpenDenial = Int64.min

  /// Rejections without a success between them, of operations that had succeeded before.
  package struct Streak: Sendable {
    package var first: Int64?
    package var last: Int64 = 0
    package var count = 0
    /// Those with status 403.
    package var forbidden = 0
    package var operations: Set<Int> = []
    /// The latest begin of a session that was rejected.
    package var latestSession = Int64.min

    mutating func add(_ operation: Int, _ now: Int64, _ session: Int64, isForbidden: Bool) {
      if first == nil { first = now }
      last = now
      count += 1
      if isForbidden { forbidden += 1 }
      operations.insert(operation)
      latestSession = max(latestSession, session)
    }
  }

  package init() {}
}

/// Keeps on one loop whether credentials that worked still do: responses 401 and 403 that no step expects, of operations
/// that had succeeded with credentials.
package struct CredentialRecorder {
  package private(set) var standing = CredentialStanding()
  /// By operation: one that the contract leaves open, so that its success says nothing of credentials.
  private let isOpen: [Bool]
  /// By operation: its response gives credentials.
  private let isLogin: [Bool]
  /// By operation: the contract documents a 403 with header fields of a rate limit.
  private let isLimitedBy403: [Bool]

  package init(isOpen: [Bool], isLogin: [Bool], isLimitedBy403: [Bool]) {
    (self.isOpen, self.isLogin, self.isLimitedBy403) = (isOpen, isLogin, isLimitedBy403)
  }

  /// A response that no rate limit rejected.
  ///
  /// - Parameters:
  ///   - sent: when the request was sent; one that was sent before a rejection does not contradict it.
  ///   - isHandled: the step expects this status, or says with `on:` what to do about it.
  ///   - session: when the session of the request began.
  ///   - hasLimitFields: the response has a header of a limiter.
  ///   - hasCredentials: asked where it matters.
  package mutating func note(
    _ operation: Int, status: Int, sent: Int64, at now: Int64, session: Int64, isHandled: @autoclosure () -> Bool,
    hasLimitFields: Bool = false, hasCredentials: @autoclosure () -> Bool
  ) {
    guard !isOpen[operation] || isLogin[operation] else {
      if status == 403 { standing.lastOpenDenial = now }
      return
    }
    switch status {
    case 401, 403:
      let isForbidden = status == 403
      if isForbidden, hasLimitFields || isLimitedBy403[operation] { return }
      guard standing.works.contains(operation), !isHandled(), isLogin[operation] || hasCredentials() else { return }
      standing.denied.add(operation, now, session, isForbidden: isForbidden)
      if !isForbidden { standing.rejected.add(operation, now, session, isForbidden: false) }
    // Failures of the server say nothing of credentials.
    case 500...: return
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
    if let first = standing.rejected.first, sent > first { standing.rejected = CredentialStanding.Streak() }
    if let first = standing.denied.first, sent > first { standing.denied = CredentialStanding.Streak() }
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
  /// All sessions send the same credentials with all requests.
  let isShared: Bool
  /// By operation: the contract documents a 403 with header fields of a rate limit.
  let isLimitedBy403: [Bool]

  /// - Parameters:
  ///   - isGiven: the environment gives credentials.
  ///   - isWritten: a session is written in Swift, whose headers and handling of responses nobody knows before.
  ///   - isSecret: whether the field of this name is a credential.
  init(
    _ scenario: Scenario, _ contract: Contract, isGiven: Bool, isWritten: Bool, isSecret: (String) -> Bool,
    isCredential: (Variable) -> Bool
  ) {
    let isSecured = contract.operations.contains { !$0.isOpen }
    isOpen = contract.operations.map { isSecured && $0.isOpen && $0.isDocumented }
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
    let isSentByStep = scenario.sessions.flatMap(\.calls).contains {
      !$0.cookies.isEmpty || $0.headers.contains { isSecret($0.name) }
    }
    let sets = clients.map { client in
      (client.authentication?.templates ?? [])
        + client.headers.filter { isSecret($0.name) }.map(\.value)
    }
    isShared =
      !isRenewed && !isSentByStep && sets.joined().allSatisfy(\.isConstant)
      && Set(sets.map { $0.map(\.source) }).count == 1
    isLimitedBy403 = contract.operations.map { operation in
      operation.responses.contains { $0.status == .exactly(403) && $0.headers.contains(where: \.concernsLimits) }
    }
  }
}

extension Authentication {
  /// What it sends.
  fileprivate var templates: [Template] {
    switch self {
    case .bearer(let token): [token]
    case .basic(let user, let password): [user, password]
    case .apiKey(_, _, let value): [value]
    case .oauth2: []
    }
  }
}

extension HeaderPromise {
  fileprivate var concernsLimits: Bool {
    let name = name.lowercased()
    return ["ratelimit", "rate-limit", "retry-after"].contains { name.contains($0) }
  }
}
