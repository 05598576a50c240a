/// The search for a plain request of one operation that succeeds. It stops after some requests, so that the other operations
/// get theirs first.
struct PlainSearch {
  private(set) var best: (steps: [ExploreCall], status: Int)?
  var tried: Set<[ExploreCall]> = []
  /// Whether it stopped before everything was tried.
  var isCut = false
  /// Whether a request was left out because it would change, or attach to, an item that explore has not created.
  var needsOwnItem = false
  private var sent = 0
  private let most: Int

  init(most: Int) { self.most = most }

  /// Goes on with what an earlier search left.
  init(_ earlier: PlainSearch) {
    (best, tried, most) = (earlier.best, earlier.tried, .max)
  }

  /// - Parameter isLate: the time for searches is used: each operation gets one request.
  /// - Returns: whether the request may be sent, and was not sent before.
  mutating func begins(_ steps: [ExploreCall], isLate: Bool) -> Bool {
    guard !tried.contains(steps) else { return false }
    guard sent < most, !isLate || tried.isEmpty else {
      isCut = true
      return false
    }
    tried.insert(steps)
    sent += 1
    return true
  }

  mutating func failed(_ steps: [ExploreCall], status: Int) {
    if best == nil || (best?.status == 0 && status > 0) { best = (steps, status) }
  }
}
