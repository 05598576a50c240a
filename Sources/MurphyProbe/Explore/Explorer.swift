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
  let plan: ExplorePlan

  package init(_ client: Client, _ setting: ExploreConfiguration, _ board: ExploreState) {
    self.client = client
    self.setting = setting
    self.board = board
    plan = board.plan(setting)
    runner = CaseRunner(client, setting, board)
  }

  /// Runs until all cases are tested, or the load is over.
  package func run() async throws {
    if client.user == 0 {
      board.begin()
      do throws(CaseRunner.Stop) { try await logIn() } catch { if case .over = error { board.end() } }
      board.open()
    }
    while !board.isReady { try await client.think(.milliseconds(20)) }
    while true {
      while !board.needs(client.user) { try await client.think(.milliseconds(50)) }
      let next = board.takeNext()
      do throws(CaseRunner.Stop) {
        switch next {
        case .nothing: return
        case .wait(let moment):
          do { try await client.think(max(.zero, ContinuousClock.now.duration(to: moment))) } catch { throw .over }
        case .search(let operation):
          try await search(operation)
          board.finish(operation)
        case .work(.trial(let one), let operation):
          try await attempt(one)
          board.finish(operation)
        case .work(.life(let life), let operation):
          try await live(life)
          board.finish(operation)
        case .invention(let operation, let number):
          if let one = invention(operation, number) {
            board.invented(operation)
            try await attempt(one)
          }
          board.finish(operation)
        }
      } catch {
        if case .over = error { return board.end() }
        if case .limited = error, case .work(let work, let operation) = next { board.putBack(work, of: operation) }
      }
    }
  }

  /// One case; its suspicions are checked.
  private func attempt(_ one: ExploreCase) async throws(CaseRunner.Stop) {
    let steps: [CaseRunner.Performed]
    do throws(CaseRunner.Stop) {
      steps = try await runWithItems(one)
    } catch {
      switch error {
      case .unprepared: board.undecided(one.call.operation, .unprepared)
      case .unwritable: board.undecided(one.call.operation, .unwritable)
      case .harmful: board.withdraw(one)
      case .full: board.undecided(one.call.operation, .full)
      case .over, .limited: break
      }
      throw error
    }
    guard let last = steps.last else { return }
    board.tried(one, undecided: Undecided(one, last, setting.contract))
    adopt(one, last)
    let suspicions = Suspicion.all(one, last, after: steps.dropLast()).filter { !setting.off.contains($0.kind) }
    if !suspicions.isEmpty, try await divide(one) { return }
    for suspicion in suspicions { try await look(into: suspicion, one) }
    if one.category == .positive, last.isSuccess, one.place.hasPrefix("body") { try await readBack(one, steps) }
    try await readLinks(one, steps)
  }

  /// Runs it again if the prepared item of an earlier case may have been removed.
  func runWithItems(_ one: ExploreCase) async throws(CaseRunner.Stop) -> [CaseRunner.Performed] {
    let steps = try await run(one)
    let isMissing = [404, 409, 410, 412].contains(steps.last?.status ?? 0)
    guard isMissing, runner.isReused, !one.place.hasPrefix("path ") else { return steps }
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
