/// The search for a successful minimal request of one operation. Other explorers may change it between two requests.
final class PlainSearch {
  /// The first request with a response from the operation itself, otherwise nil.
  private(set) var best: (steps: [ExploreCall], status: Int)?
  /// Requests to the operation itself.
  private var sent: Set<[ExploreCall]> = []
  /// Requests that were not sent, because an earlier one failed.
  private var unsent: [[ExploreCall]] = []
  /// Requests that a rate limit rejected.
  var limited: Set<[ExploreCall]> = []
  /// The reason why the first of the requests was not sent.
  private(set) var reason: String?
  /// All operations of possible requests.
  var needs: Set<Int> = []
  /// True if a request was omitted because it would change, or attach to, an item that explore has not created.
  var needsOwnItem = false
  var isGood = false

  func isTried(_ steps: [ExploreCall]) -> Bool { sent.contains(steps) || unsent.contains(steps) }

  func failed(_ steps: [ExploreCall], status: Int) {
    sent.insert(steps)
    if best == nil || (best?.status == 0 && status > 0) { best = (steps, status) }
  }

  func unprepared(_ steps: [ExploreCall], because why: String?) {
    unsent.append(steps)
    reason = reason ?? why
  }

  /// Tries the requests again that failed before one of these operations succeeded.
  ///
  /// - Returns: false if there are none.
  func retry(_ operations: Set<Int>) -> Bool {
    let before = unsent.count
    unsent.removeAll { $0.contains { operations.contains($0.operation) } }
    if unsent.count < before { reason = nil }
    return unsent.count < before
  }
}
