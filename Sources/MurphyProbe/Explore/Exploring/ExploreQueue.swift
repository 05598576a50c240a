/// The work of an exploration, in the order in which rate limits allow it.
struct ExploreQueue: Sendable {
  enum Next {
    case work(ExploreState.Work)
    /// Rate limits reject all remaining work until then.
    case wait(ContinuousClock.Instant)
    case nothing
  }

  private var work: [ExploreState.Work] = []
  private var next = 0
  /// By operation: no request before this.
  private var blocked: [Int: ContinuousClock.Instant] = [:]
  /// By work: the number of interruptions by a rate limit.
  private var returns: [String: Int] = [:]
  private static let mostReturns = 3

  var left: (count: Int, of: Int) { (work.count - next, work.count) }

  mutating func add(_ more: [ExploreState.Work]) { work += more }

  /// - Parameter isDecided: true if another case has decided the same constraint. Such work comes last in an operation
  ///   that a rate limit rejected.
  mutating func takeNext(isDecided: (ExploreState.Work) -> Bool) -> Next {
    guard next < work.count else { return .nothing }
    var chosen: Int? = next
    if !blocked.isEmpty {
      let now = ContinuousClock.now
      let free = (next..<work.count).filter { (opening(of: work[$0]) ?? now) <= now }
      chosen = free.first { opening(of: work[$0]) == nil || !isDecided(work[$0]) } ?? free.first
    }
    guard let chosen else { return work[next...].compactMap(opening).min().map(Next.wait) ?? .nothing }
    let one = work.remove(at: chosen)
    work.insert(one, at: next)
    next += 1
    return .work(one)
  }

  /// Records that no request of the operation may be sent before this time.
  mutating func limit(_ operation: Int, until moment: ContinuousClock.Instant) { blocked[operation] = moment }
  func isLimited(_ operation: Int) -> Bool { blocked[operation] != nil }

  /// Schedules interrupted work again.
  ///
  /// - Returns: false if that was done often enough.
  mutating func putBack(_ one: ExploreState.Work) -> Bool {
    let name = "\(one.operation) \(one.name)"
    returns[name, default: 0] += 1
    guard returns[name, default: 0] <= Self.mostReturns, next > 0 else { return false }
    next -= 1
    work[next] = one
    return true
  }

  /// The time at which rate limits allow it; nil if none rejected any of its operations.
  private func opening(of one: ExploreState.Work) -> ContinuousClock.Instant? {
    one.operations.compactMap { blocked[$0] }.max()
  }
}

/// Source addresses 127.x.y.z of requests, in sequence.
///
/// If a test system on this machine counts by address, each of them has its own quota. The quota of addresses from
/// earlier explorations may still be exhausted, so the first one is random.
struct SourceAddresses {
  /// Operations that a new address did not help.
  var useless: Set<Int> = []
  private(set) var count = 0
  private let first = Int.random(in: 0..<60_000)

  private static let most = 5_000

  /// - Returns: `127.0.0.2` … `127.0.249.251`; nil for an operation that they do not help, and if all are used.
  mutating func next(for operation: Int) -> String? {
    guard !useless.contains(operation), count < Self.most else { return nil }
    let number = first + count
    count += 1
    return ProbeSubject.loopback(number)
  }
}
