import MurphyModel

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
