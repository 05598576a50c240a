import MurphyContract
import MurphyModel
import MurphyScenario

/// The data of one loop on requests with credentials. Instants are nanoseconds since the load began.
package struct CredentialStanding: Sendable {
  /// The time at which the loop published this, nanoseconds since the load began.
  package var published: Int64 = 0
  /// The operations that succeeded with credentials.
  package var works: Set<Int> = []
  /// The time at which the last request was sent that succeeded with credentials.
  package var lastSuccess: Int64?
  /// Responses 401 since then.
  package var rejected = Streak()
  /// Responses 401 and 403 since then.
  package var denied = Streak()
  /// The time at which the last response 403 to a request without required credentials was received.
  package var lastOpenDenial = Int64.min

  /// Rejections without a success between them, of operations that had succeeded before.
  package struct Streak: Sendable {
    /// Nanoseconds since the load began; nil without a rejection.
    package var first: Int64?
    /// Nanoseconds since the load began.
    package var last: Int64 = 0
    /// The number of rejections.
    package var count = 0
    /// The number of those with status 403.
    package var forbidden = 0
    /// The operations that rejected, by index.
    package var operations: Set<Int> = []
    /// The latest beginning of a session that was rejected.
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

/// Records on one loop if credentials that worked still work. It counts responses 401 and 403 that no step expects, of
/// operations that had succeeded with credentials.
package struct CredentialRecorder {
  /// The data so far.
  package private(set) var standing = CredentialStanding()
  /// By operation: true for one that the contract leaves open, so that its success proves nothing about credentials.
  private let isOpen: [Bool]
  /// By operation: true if its response gives credentials.
  private let isLogin: [Bool]
  /// By operation: true if the contract documents a 403 with headers of a rate limit.
  private let isLimitedBy403: [Bool]

  package init(isOpen: [Bool], isLogin: [Bool], isLimitedBy403: [Bool]) {
    (self.isOpen, self.isLogin, self.isLimitedBy403) = (isOpen, isLogin, isLimitedBy403)
  }

  /// Records a response that no rate limit rejected.
  ///
  /// - Parameters:
  ///   - sent: the time at which the request was sent. A request that was sent before a rejection does not contradict
  ///     it.
  ///   - isHandled: true if the step expects this status, or handles it with `on:`.
  ///   - session: the time at which the session of the request began.
  ///   - hasLimitFields: true if the response has a header of a limiter.
  ///   - hasCredentials: evaluated only where it matters.
  package mutating func recordResponse(
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
    // Failures of the server prove nothing about credentials.
    case 500...: return
    default: accept(operation, status, sent, hasCredentials)
    }
  }

  private mutating func accept(_ operation: Int, _ status: Int, _ sent: Int64, _ hasCredentials: () -> Bool) {
    if !standing.works.contains(operation) {
      guard (200..<300).contains(status), isLogin[operation] || hasCredentials() else { return }
      standing.works.insert(operation)
    }
    // A successful login does not prove that the credentials are accepted.
    if isLogin[operation] { return }
    standing.lastSuccess = max(standing.lastSuccess ?? sent, sent)
    if let first = standing.rejected.first, sent > first { standing.rejected = CredentialStanding.Streak() }
    if let first = standing.denied.first, sent > first { standing.denied = CredentialStanding.Streak() }
  }
}

/// Decides over all loops if credentials that worked no longer work, so that the load should end.
///
/// The condition: from the last success with credentials on, every response to operations that had succeeded is 401.
/// There are at least 20 of them, over at least five seconds and two operations, or over all that had succeeded. A
/// status that a step expects or handles with `on:` does not count, nor does an operation that never succeeded. Where
/// sessions may get their own credentials, a session that began later must also have been rejected.
///
/// A response 403 may also mean that this user lacks a permission, or come from a limiter or a firewall. It counts like
/// a 401 only under four conditions. All sessions have the same credentials, so that each operation had succeeded with
/// those which are now rejected. No limit is declared to reject with 403, and the response has no header of a limiter.
/// No operation that needs no credentials gets a 403 meanwhile. The rejections last for 30 seconds, or for the last ten
/// of the load.
package struct CredentialWatch: Sendable {
  let isRenewed: Bool
  /// True if all sessions have the same credentials.
  let isShared: Bool

  private static let fewest = 20
  private static let shortest: Int64 = 5_000_000_000
  private static let shortestDenial: Int64 = 30_000_000_000
  private static let shortestLastDenial: Int64 = 10_000_000_000

  /// - Parameter isRenewed: true if sessions may get their own credentials.
  package init(isRenewed: Bool, isShared: Bool = false) { (self.isRenewed, self.isShared) = (isRenewed, isShared) }

  /// - Parameters:
  ///   - loops: the last publication of each loop; none may be missing.
  ///   - isOver: true if the load has ended.
  package func lost(_ loops: [CredentialStanding], isOver: Bool = false) -> LostCredentials? {
    if let lost = lost(loops, \.rejected, for: Self.shortest) { return lost }
    guard isShared else { return nil }
    return lost(loops, \.denied, for: isOver ? Self.shortestLastDenial : Self.shortestDenial)
  }

  private func lost(
    _ loops: [CredentialStanding], _ streak: KeyPath<CredentialStanding, CredentialStanding.Streak>,
    for shortest: Int64
  ) -> LostCredentials? {
    guard let lastSuccess = loops.compactMap(\.lastSuccess).max() else { return nil }
    // A loop whose rejections began earlier has users of whom others succeeded afterwards.
    let rejecting = loops.map { $0[keyPath: streak] }.filter { $0.first ?? .min > lastSuccess }
    guard let first = rejecting.compactMap(\.first).min(), let last = rejecting.map(\.last).max(),
      last - first >= shortest, loops.allSatisfy({ $0.published - first >= shortest })
    else { return nil }
    let rejections = rejecting.reduce(0) { $0 + $1.count }
    let rejected = rejecting.reduce(into: Set<Int>()) { $0.formUnion($1.operations) }
    let works = loops.reduce(into: Set<Int>()) { $0.formUnion($1.works) }
    guard rejections >= Self.fewest, rejected.count > 1 || rejected == works else { return nil }
    if isRenewed, !rejecting.contains(where: { $0.latestSession > first }) { return nil }
    let forbidden = rejecting.reduce(0) { $0 + $1.forbidden }
    if forbidden > 0, loops.contains(where: { $0.lastOpenDenial >= first }) { return nil }
    // Whole milliseconds, not after the first of them.
    return LostCredentials(
      at: .milliseconds(max(first, 0) / 1_000_000), rejections: rejections, forbidden: forbidden > 0 ? forbidden : nil)
  }
}

/// The properties of a scenario's credentials that are determined before the load.
struct CredentialInterest: Sendable {
  /// By operation: true for one that the contract leaves open although it secures others.
  let isOpen: [Bool]
  /// By operation: true if a step saves credentials from its response.
  let isLogin: [Bool]
  /// True if a request may carry credentials other than cookies that the API set. Such cookies belong to one session,
  /// and anonymous users get some, too: their end proves nothing about the others.
  let isSent: Bool
  /// True if sessions may get their own credentials, so that older ones may expire: they log in, request tokens, send
  /// the value of a variable, or are written in Swift.
  let isRenewed: Bool
  /// True if all sessions send the same credentials with all requests.
  let isShared: Bool
  /// By operation: true if the contract documents a 403 with headers of a rate limit.
  let isLimitedBy403: [Bool]

  /// - Parameters:
  ///   - isGiven: true if the environment gives credentials.
  ///   - isWritten: true if a session is written in Swift. Its headers and its handling of responses are not known in
  ///     advance.
  ///   - isSecret: true if the field of this name is a credential.
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
    let isSentByStep = scenario.sessions.flatMap(\.calls).contains {
      !$0.cookies.isEmpty || $0.headers.contains { isSecret($0.name) }
    }
    isSent =
      isGiven || isWritten || isSentByStep
      || clients.contains { $0.authentication != nil || $0.headers.contains { isSecret($0.name) } }
    let always = clients.flatMap(\.headers).map { ($0.name, $0.value) }
    let sent = scenario.sessions.flatMap(\.calls).flatMap(\.headers).map { ($0.name, $0.value) }
    let isPersonal = (always + sent).contains { isSecret($0.0) && !$0.1.variables.isEmpty }
    isRenewed =
      isWritten || isPersonal || !logins.isEmpty
      || scenario.sessions.contains { $0.client.authentication?.oauth2 != nil }
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
