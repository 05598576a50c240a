/// The work of an exploration. Each operation gets turns in sequence. An operation whose latest turns brought nothing
/// new gets fewer of them.
///
/// The order depends only on responses, unless a rate limit rejects requests. So equal seeds give equal orders.
struct ExploreSchedule: Sendable {
  enum Next {
    /// One more request of the search for a successful minimal request of an operation.
    case search(Int)
    /// A case or lifecycle from the turn of an operation.
    case work(ExploreState.Work, of: Int)
    /// A random case of an operation, by its number.
    case invention(Int, number: Int)
    /// Rate limits reject all remaining work until then, or another user still prepares some.
    case wait(ContinuousClock.Instant)
    case nothing
  }

  private enum Search { case open, busy, ended }

  /// The work of one operation.
  private struct Lane {
    let operation: Int
    var search = Search.open
    /// Another operation made the search useful again while it was busy.
    var isReopened = false
    var work: [ExploreState.Work] = []
    var next = 0
    /// The operations of the base of its random cases; nil without a base.
    var base: [Int]?
    var inventions = 0
    /// The turns so far, each divided by its weight.
    var turns = 0.0
    /// The average news of its latest turns, 0 to 1.
    var news = 1.0
    /// A rate limit rejected the search.
    var heldUntil: ContinuousClock.Instant?
    var holds = 0

    /// An operation without news keeps this share of the turns.
    static let leastWeight = 0.1
  }

  private var lanes: [Lane] = []
  private var places: [Int: Int] = [:]
  /// By operation: no request before this.
  private var blocked: [Int: ContinuousClock.Instant] = [:]
  /// By work: the number of interruptions by a rate limit.
  private var returns: [String: Int] = [:]
  private let invents: Bool
  let creators: Set<Int>
  private static let mostReturns = 3
  /// The number of random cases of each operation that are planned in advance.
  static let plannedInventions = 25

  /// - Parameters:
  ///   - operations: in the order of their first turns.
  ///   - creators: the operations that may create items.
  ///   - invents: true for random cases after all planned work is done.
  init(_ operations: [Int], creators: Set<Int>, invents: Bool) {
    lanes = operations.map { Lane(operation: $0, inventions: Self.plannedInventions) }
    places = Dictionary(uniqueKeysWithValues: operations.enumerated().map { ($0.element, $0.offset) })
    (self.creators, self.invents) = (creators, invents)
  }

  /// The planned work that was not started, and the total.
  var left: (count: Int, of: Int) {
    lanes.reduce((0, 0)) { ($0.0 + $1.work.count - $1.next, $0.1 + $1.work.count) }
  }

  /// By operation: the work that was not started, and that a rate limit delays at this moment.
  var limited: [Int: Int] {
    lanes.reduce(into: [:]) { counts, lane in
      for work in lane.work[lane.next...] where opening(of: work.operations) != nil {
        counts[work.operation, default: 0] += 1
      }
    }
  }

  /// True if all planned work was started.
  var isComplete: Bool { lanes.allSatisfy { $0.search == .ended && $0.next == $0.work.count } }

  // MARK: turns

  /// - Parameters:
  ///   - creates: false if too many created items exist for random cases of creations.
  ///   - isDecided: true if another case has decided the same constraint. Such work comes last in an operation that a
  ///     rate limit rejected.
  mutating func takeNext(creates: Bool, isDecided: (ExploreState.Work) -> Bool) -> Next {
    var openings: [ContinuousClock.Instant] = []
    var isAwaited = false
    let order = lanes.indices.sorted { (lanes[$0].turns, $0) < (lanes[$1].turns, $1) }
    for index in order {
      let lane = lanes[index]
      if lane.search != .ended {
        if let opening = opening(lane.heldUntil) {
          openings.append(opening)
        } else if lane.search == .open {
          lanes[index].search = .busy
          return taking(index, .search(lane.operation))
        } else {
          isAwaited = true
        }
        continue
      }
      guard lane.next < lane.work.count else { continue }
      if let chosen = free(lane, isDecided, &openings) {
        let one = lanes[index].work.remove(at: chosen)
        lanes[index].work.insert(one, at: lane.next)
        lanes[index].next += 1
        return taking(index, .work(one, of: lane.operation))
      }
    }
    if invents, !isAwaited, let index = order.first(where: { canInvent(lanes[$0], creates) }) {
      lanes[index].inventions += 1
      return taking(index, .invention(lanes[index].operation, number: lanes[index].inventions - 1))
    }
    if isAwaited { return .wait(.now + .milliseconds(20)) }
    return openings.min().map(Next.wait) ?? .nothing
  }

  private mutating func taking(_ index: Int, _ next: Next) -> Next {
    lanes[index].turns += 1 / max(lanes[index].news, Lane.leastWeight)
    return next
  }

  /// The index of the lane's next work that no rate limit rejects.
  private func free(
    _ lane: Lane, _ isDecided: (ExploreState.Work) -> Bool, _ openings: inout [ContinuousClock.Instant]
  ) -> Int? {
    guard !blocked.isEmpty else { return lane.next }
    let free = (lane.next..<lane.work.count).filter { opening(of: lane.work[$0].operations) == nil }
    if free.isEmpty { openings += lane.work[lane.next...].compactMap { opening(of: $0.operations) } }
    return free.first { !isLimited(lane.work[$0]) || !isDecided(lane.work[$0]) } ?? free.first
  }

  private func canInvent(_ lane: Lane, _ creates: Bool) -> Bool {
    guard lane.search == .ended, let base = lane.base, creates || creators.isDisjoint(with: base) else { return false }
    return opening(of: base) == nil
  }

  /// Records the news of a turn.
  mutating func finish(_ operation: Int, news: Double) {
    guard let index = places[operation] else { return }
    lanes[index].news += (min(news, 1) - lanes[index].news) * 0.2
  }

  // MARK: work

  /// Ends the search of an operation with the work that it found. It replaces all work that was not started.
  ///
  /// - Parameter base: the operations of the base of its cases; nil if it has none.
  /// - Returns: the replaced work.
  mutating func list(_ work: [ExploreState.Work], base: [Int]?, of operation: Int) -> [ExploreState.Work] {
    guard let index = places[operation] else { return [] }
    let replaced = Array(lanes[index].work[lanes[index].next...])
    lanes[index].work.removeLast(replaced.count)
    lanes[index].work += work
    (lanes[index].search, lanes[index].isReopened, lanes[index].base) = (.ended, false, base)
    return replaced
  }

  /// Distributes more work over the next turns of its operation.
  mutating func insert(_ work: ExploreState.Work) {
    guard let index = places[work.operation] else { return }
    let lane = lanes[index]
    let lives = lane.work[lane.next...].count { if case .life = $0 { true } else { false } }
    lanes[index].work.insert(work, at: min(lane.next + 2 + lives * 3, lane.work.count))
  }

  mutating func endSearch(_ operation: Int) {
    if let index = places[operation] { lanes[index].search = .ended }
  }

  /// Continues the search of an operation, in its next turn.
  mutating func openSearch(_ operation: Int) {
    guard let index = places[operation] else { return }
    (lanes[index].search, lanes[index].isReopened) = (.open, false)
    let active = lanes.filter { $0.search == .open || $0.next < $0.work.count }.map(\.turns).min() ?? 0
    lanes[index].turns = max(lanes[index].turns, active)
  }

  /// As `openSearch`. A search that another user conducts at the moment is continued afterwards.
  mutating func reopenSearch(_ operation: Int) {
    guard let index = places[operation] else { return }
    if lanes[index].search == .busy { lanes[index].isReopened = true } else { openSearch(operation) }
  }

  func isReopened(_ operation: Int) -> Bool { places[operation].map { lanes[$0].isReopened } ?? false }

  // MARK: rate limits

  /// Records that no request of the operation may be sent before this time.
  mutating func limit(_ operation: Int, until moment: ContinuousClock.Instant) { blocked[operation] = moment }
  func isLimited(_ operation: Int) -> Bool { blocked[operation] != nil }
  private func isLimited(_ work: ExploreState.Work) -> Bool { work.operations.contains(where: isLimited) }

  /// Schedules interrupted work again.
  ///
  /// - Returns: false if that was done often enough.
  mutating func putBack(_ one: ExploreState.Work, of operation: Int) -> Bool {
    let name = "\(operation) \(one.name)"
    returns[name, default: 0] += 1
    guard let index = places[operation], returns[name, default: 0] <= Self.mostReturns, lanes[index].next > 0
    else { return false }
    lanes[index].next -= 1
    lanes[index].work[lanes[index].next] = one
    return true
  }

  /// Continues an interrupted search as soon as the limits of these operations allow it.
  ///
  /// - Returns: false if that was done often enough.
  mutating func putBackSearch(_ operation: Int, waitingFor operations: [Int]) -> Bool {
    guard let index = places[operation], lanes[index].holds < Self.mostReturns else { return false }
    lanes[index].holds += 1
    lanes[index].search = .open
    lanes[index].heldUntil = operations.compactMap { blocked[$0] }.max()
    return true
  }

  /// The time at which rate limits allow requests of these operations; nil if that is now.
  private func opening(of operations: [Int]) -> ContinuousClock.Instant? {
    blocked.isEmpty ? nil : opening(operations.compactMap { blocked[$0] }.max())
  }

  private func opening(_ moment: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    moment.flatMap { $0 > .now ? $0 : nil }
  }
}
