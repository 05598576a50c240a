import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// One user that tests the contract, case by case.
package final class Explorer {
  let runner: CaseRunner
  let setting: ExploreConfiguration
  let board: ExploreState
  private let client: Client

  package init(_ client: Client, _ setting: ExploreConfiguration, _ board: ExploreState) {
    self.client = client
    self.setting = setting
    self.board = board
    runner = CaseRunner(client, setting, board)
  }

  /// Runs until all cases are tested, or the load is over.
  package func run() async throws {
    if client.user == 0 {
      board.begin()
      do throws(CaseRunner.Stop) { try await prepare() } catch { board.end() }
      board.open()
    }
    while !board.isReady { try await client.think(.milliseconds(20)) }
    while true {
      switch board.takeNext() {
      case .nothing: return
      case .wait(let moment): try await client.think(max(.zero, ContinuousClock.now.duration(to: moment)))
      case .work(let work):
        do throws(CaseRunner.Stop) {
          switch work {
          case .trial(let one): try await attempt(one)
          case .life(let life): try await live(life)
          }
        } catch {
          if case .over = error { return board.end() }
          if case .limited = error { board.putBack(work) }
        }
      }
    }
  }

  /// One case; its suspicions are checked.
  private func attempt(_ one: ExploreCase) async throws(CaseRunner.Stop) {
    let steps: [CaseRunner.Performed]
    do throws(CaseRunner.Stop) {
      steps = try await runWithItems(one)
    } catch {
      if case .unprepared = error { board.undecided(one.call.operation, .unprepared) }
      throw error
    }
    guard let last = steps.last else { return }
    board.tried(one, undecided: Undecided(one, last, setting.contract))
    let suspicions = Suspicion.all(one, last, after: steps.dropLast()).filter { !setting.off.contains($0.kind) }
    if !suspicions.isEmpty, try await divide(one) { return }
    for suspicion in suspicions { try await look(into: suspicion, one) }
    if one.category == .positive, last.isSuccess, one.place.hasPrefix("body") { try await readBack(one, steps) }
  }

  /// Runs it again if the prepared item of an earlier case may have been removed.
  private func runWithItems(_ one: ExploreCase) async throws(CaseRunner.Stop) -> [CaseRunner.Performed] {
    let steps = try await run(one)
    let isMissing = [404, 409, 410, 412].contains(steps.last?.status ?? 0)
    guard isMissing, !one.place.hasPrefix("path "), one.steps.count > 1 else { return steps }
    runner.forget()
    return try await run(one)
  }

  /// Tests each pair of the changes in a request.
  /// - Returns: true if two of them show something, so that the request itself need not be checked.
  private func divide(_ one: ExploreCase) async throws(CaseRunner.Stop) -> Bool {
    guard !one.combined.isEmpty, let base = board.base(of: one.call.operation) else { return false }
    var isExplained = false
    for pair in CasePairs.divided(one, base: base) {
      guard let last = try await run(pair).last else { continue }
      for suspicion in Suspicion.all(pair, last) where !setting.off.contains(suspicion.kind) {
        isExplained = true
        try await look(into: suspicion, pair)
      }
    }
    return isExplained
  }

  /// - Throws: also if the case cannot be prepared any more, after a second attempt.
  private func run(_ one: ExploreCase) async throws(CaseRunner.Stop) -> [CaseRunner.Performed] {
    do throws(CaseRunner.Stop) {
      return try await runner.run(one.steps, isFresh: false)
    } catch {
      guard case .unprepared = error else { throw error }
    }
    return try await runner.run(one.steps, isFresh: true)
  }
}

extension ExploreCase {
  /// The base itself.
  static func plain(_ steps: [ExploreCall]) -> ExploreCase {
    ExploreCase(
      steps: steps, expectation: .anything, category: .positive, place: "", constraint: "",
      about: "the minimal valid request",
      value: nil)
  }
}

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
