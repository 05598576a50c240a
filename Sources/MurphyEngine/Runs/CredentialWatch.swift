import MurphyModel

/// Decides over all loops whether credentials that worked have stopped working, so that the load should end.
///
/// From the last success with credentials on, every response to operations that had succeeded is 401: at least 20 of
/// them, over at least five seconds and two operations, or over all that had succeeded. What a step expects or handles
/// with `on:` does not count, nor does an operation that never succeeded. A response 403 says that this user may not do
/// this, or comes from a limiter, so it counts for neither side. Where sessions may get credentials by themselves, one that
/// began later must have been rejected, too.
package struct CredentialWatch: Sendable {
  let isRenewed: Bool

  private static let fewest = 20
  private static let shortest: Int64 = 5_000_000_000

  package init(isRenewed: Bool) { self.isRenewed = isRenewed }

  /// - Parameter loops: what each loop published last; none may be missing.
  package func lost(_ loops: [CredentialStanding]) -> LostCredentials? {
    guard let lastSuccess = loops.compactMap(\.lastSuccess).max() else { return nil }
    // A loop whose rejections began earlier has users of whom others were let in afterwards.
    let rejecting = loops.filter { $0.first ?? .min > lastSuccess }
    guard let first = rejecting.compactMap(\.first).min(), let last = rejecting.map(\.last).max(),
      last - first >= Self.shortest, loops.allSatisfy({ $0.published - first >= Self.shortest })
    else { return nil }
    let rejections = rejecting.reduce(0) { $0 + $1.rejections }
    let rejected = rejecting.reduce(into: Set<Int>()) { $0.formUnion($1.rejected) }
    let works = loops.reduce(into: Set<Int>()) { $0.formUnion($1.works) }
    guard rejections >= Self.fewest, rejected.count > 1 || rejected == works else { return nil }
    if isRenewed, !rejecting.contains(where: { $0.latestSession > first }) { return nil }
    // Whole milliseconds, not after the first of them.
    return LostCredentials(at: Double(max(first, 0) / 1_000_000) / 1e3, rejections: rejections)
  }
}
