import MurphyModel

/// What one loop knows of requests with credentials. Instants are nanoseconds since the load began.
package struct CredentialStanding: Sendable {
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

/// Decides over all loops whether credentials that worked have stopped working, so that the load should end.
///
/// From the last success with credentials on, every response to operations that had succeeded is 401: at least 20 of
/// them, over at least five seconds and two operations, or over all that had succeeded. What a step expects or handles
/// with `on:` does not count, nor does an operation that never succeeded. Where sessions may get credentials by themselves,
/// one that began later must have been rejected, too.
///
/// A response 403 may also say that this user may not do this, or come from a limiter or a firewall. It counts like a 401
/// only where all sessions have the same credentials, so that each operation had succeeded with those which are now
/// rejected; where no limit is declared to reject with 403 and the response has no header of a limiter; where no operation
/// that needs no credentials is answered 403 meanwhile; and where it lasts for 30 seconds, or for the last ten of the load.
package struct CredentialWatch: Sendable {
  let isRenewed: Bool
  /// All sessions have the same credentials.
  let isShared: Bool

  private static let fewest = 20
  private static let shortest: Int64 = 5_000_000_000
  private static let shortestDenial: Int64 = 30_000_000_000
  private static let shortestLastDenial: Int64 = 10_000_000_000

  package init(isRenewed: Bool, isShared: Bool = false) { (self.isRenewed, self.isShared) = (isRenewed, isShared) }

  /// - Parameters:
  ///   - loops: what each loop published last; none may be missing.
  ///   - isOver: the load has ended.
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
    // A loop whose rejections began earlier has users of whom others were let in afterwards.
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
      at: Double(max(first, 0) / 1_000_000) / 1e3, rejections: rejections, forbidden: forbidden > 0 ? forbidden : nil)
  }
}
