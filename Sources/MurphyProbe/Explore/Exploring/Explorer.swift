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
    var steps: [CaseRunner.Performed]
    do throws(CaseRunner.Stop) {
      steps = try await run(one)
    } catch {
      if case .unprepared = error { board.undecided(one.call.operation, .unprepared) }
      throw error
    }
    // The prepared item of an earlier case may have been removed.
    if !one.place.hasPrefix("path "), [404, 409, 410, 412].contains(steps.last?.status ?? 0), one.steps.count > 1 {
      runner.forget()
      steps = try await run(one)
    }
    guard let last = steps.last else { return }
    board.tried(one, undecided: Undecided(one, last, setting.contract))
    let suspicions = Suspicion.all(one, last).filter { !setting.off.contains($0.kind) }
    if !suspicions.isEmpty, try await divide(one) { return }
    for suspicion in suspicions { try await look(into: suspicion, one) }
    if one.category == .positive, last.isSuccess, one.place.hasPrefix("body") { try await readBack(one, steps) }
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
