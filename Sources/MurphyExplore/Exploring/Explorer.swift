import MurphyContract
import MurphyDraft
import MurphyEngine
import MurphyJSON
import MurphyModel

/// One user who tries what the contract says, case by case.
package final class Explorer {
  let runner: CaseRunner
  let setting: ExploreSetting
  let board: ExploreBoard
  private let client: Client
  /// Requests that try pairs of parameters, for each operation.
  private static let mostPairs = 200
  /// Drawn cases, for each operation.
  private static let mostDrawn = 25
  /// How much of the time that is left the first request of an operation may wait for a rate limit.
  private static let patience = 0.5

  /// Plain requests of an operation, before the other operations get theirs.
  private static let firstRequests = 1
  /// How much of the time and of the requests the search for plain requests may use.
  private static let searchShare = 0.4

  /// A user of the session that explores.
  package init(_ client: Client, _ setting: ExploreSetting, _ board: ExploreBoard) {
    self.client = client
    self.setting = setting
    self.board = board
    runner = CaseRunner(client, setting, board)
  }

  /// Tries until everything is tried, or the load is over.
  package func run() async throws {
    if client.user == 0 {
      board.begin()
      do throws(CaseRunner.Stop) { try await prepare() } catch { board.end() }
      board.open()
    }
    while !board.isReady { try await client.think(.milliseconds(20)) }
    while true {
      switch board.take() {
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

  /// Finds out how each operation can be called, and lists what can be tried of it.
  private func prepare() async throws(CaseRunner.Stop) {
    var planner = ChainPlanner(setting)
    let trials = SchemaTrials(setting.contract)
    do throws(CaseRunner.Stop) {
      try await logIn(&planner)
    } catch {
      guard case .limited = error else { throw error }
    }
    var bases: [Int: [ExploreCall]] = [:]
    var lists: [[ExploreBoard.Work]] = []
    var combined: [[ExploreBoard.Work]] = []
    // What is there before anything is created is known from reads.
    let isSafe = { [setting] (index: Int) in WriteRule.isSafe(setting.contract.operations[index].method) }
    var open = (setting.operations.filter(isSafe) + setting.operations.filter { !isSafe($0) })[...]
    var limited: Set<Int> = []
    var searches: [Int: PlainSearch] = [:]
    defer { runner.patience = 0 }
    while let index = open.popFirst() {
      let isReplayed = setting.replayed?.concerns(setting.contract.operations[index].id) ?? true
      let found: (steps: [ExploreCall], isGood: Bool)?
      // What a rate limit rejected comes again behind the others.
      runner.patience = limited.contains(index) ? Self.patience : 0
      var search = searches[index] ?? PlainSearch(most: Self.firstRequests)
      planner.fullest = board.fullest
      do throws(CaseRunner.Stop) {
        found = try await base(of: index, &planner, &search, isJudged: isReplayed)
        searches[index] = PlainSearch(search)
      } catch {
        searches[index] = PlainSearch(search)
        guard case .limited = error else { throw error }
        if limited.insert(index).inserted { open.append(index) } else { board.reached(index, status: 429) }
        continue
      }
      if search.isCut, !board.isUsed(Self.searchShare) {
        open.append(index)
        continue
      }
      guard let (base, isGood) = found else {
        if setting.rule.needsOwnItem(setting.contract.operations[index]) {
          board.skip(index, WriteRule.othersItem)
        } else if search.needsOwnItem, !isSafe(index) {
          board.skip(index, "its body names an item of another collection, and explore has created none")
        }
        continue
      }
      if isGood {
        bases[index] = base
        board.keep(base, reading: planner.reading(after: base), of: index)
      }
      var cases = OperationCases(setting, base: base, trials: trials, hasOtherUser: board.hasOtherUser)
      cases.chosenName = planner.index.chosenName(index)
      cases.isCollection = board.isCollection(index)
      let all = cases.all().filter { !planner.refersToOthers($0) }.map { isGood ? $0 : $0.unheld }
      board.planned(all)
      lists.append(all.map { .trial($0) })
      var pairs = CasePairs(all, base: base, seed: setting.seed &+ UInt64(index))
      var more = pairs.pairs(most: Self.mostPairs)
      more += (0..<Self.mostDrawn).compactMap { _ in pairs.drawn() }
      combined.append(more.filter { !planner.refersToOthers($0) }.map { .trial($0) })
    }
    runner.forget()
    let lives = ResourceLife.all(planner, bases, setting.contract).map { ExploreBoard.Work.life($0) }
    let work = lives + Self.interleaved(lists) + Self.interleaved(combined)
    guard let wanted = setting.replayed else { return board.add(work) }
    board.add(work.filter { wanted.holds(setting.contract.operations[$0.operation].id, $0.name) })
  }

  /// The first of each list, then the second of each.
  private static func interleaved(_ lists: [[ExploreBoard.Work]]) -> [ExploreBoard.Work] {
    (0..<(lists.map(\.count).max() ?? 0)).flatMap { index in lists.compactMap { index < $0.count ? $0[index] : nil } }
  }

  /// The chain of a call that the operation answers well; else the one that came furthest.
  private func base(
    of operation: Int, _ planner: inout ChainPlanner, _ search: inout PlainSearch, isJudged: Bool
  ) async throws(CaseRunner.Stop) -> (steps: [ExploreCall], isGood: Bool)? {
    for recipe in CallSample.Recipe.allCases {
      for policy in ChainPlanner.Policy.allCases {
        guard let steps = planner.chain(operation, policy, recipe) else { continue }
        guard !planner.changesOthers(steps) else {
          search.needsOwnItem = true
          continue
        }
        guard search.begins(steps, isLate: board.isUsed(Self.searchShare)) else { continue }
        do throws(CaseRunner.Stop) {
          guard let last = try await runner.run(steps, isFresh: true).last else { continue }
          let plain = ExploreCase.plain(steps)
          if isJudged, let suspicion = Suspicion.all(plain, last).first(where: { !setting.off.contains($0.kind) }) {
            try await look(into: suspicion, plain, isFresh: true)
          }
          if setting.isSuccess(last.status, of: operation) {
            board.reached(operation, status: last.status)
            search.isCut = false
            return (steps, true)
          }
          search.failed(steps, status: last.status)
        } catch {
          switch error {
          case .over: throw error
          case .limited:
            search.tried.remove(steps)
            throw error
          case .unwritable, .unprepared, .harmful: search.failed(steps, status: 0)
          }
        }
      }
    }
    if let best = search.best { board.reached(operation, status: best.status) }
    return search.best.map { ($0.steps, false) }
  }

  /// One case; what it seems to show is looked into.
  private func attempt(_ one: ExploreCase) async throws(CaseRunner.Stop) {
    var steps = try await run(one)
    // What was prepared for an earlier case may be gone.
    if !one.place.hasPrefix("path "), [404, 409, 410, 412].contains(steps.last?.status ?? 0), one.steps.count > 1 {
      runner.forget()
      steps = try await run(one)
    }
    guard let last = steps.last else { return }
    board.tried(one, undecided: undecided(one, last))
    let suspicions = Suspicion.all(one, last).filter { !setting.off.contains($0.kind) }
    if !suspicions.isEmpty, try await divide(one) { return }
    for suspicion in suspicions { try await look(into: suspicion, one, isFresh: false) }
    if one.category == .positive, last.isSuccess, one.place.hasPrefix("body") { try await readBack(one, steps) }
  }

  /// Why the response decides nothing of the case; nil where it does.
  func undecided(_ one: ExploreCase, _ performed: CaseRunner.Performed) -> Undecided? {
    Undecided(one, performed, setting.contract.operations[performed.call.operation])
  }

  /// Looks into every two of what a request tries at once.
  /// - Returns: whether two of them show something, so that the request itself need not be looked into.
  private func divide(_ one: ExploreCase) async throws(CaseRunner.Stop) -> Bool {
    guard !one.combined.isEmpty, let base = board.base(of: one.call.operation) else { return false }
    var isExplained = false
    for pair in CasePairs.divided(one, base: base) {
      guard let last = try await run(pair).last else { continue }
      for suspicion in Suspicion.all(pair, last) where !setting.off.contains(suspicion.kind) {
        isExplained = true
        try await look(into: suspicion, pair, isFresh: false)
      }
    }
    return isExplained
  }

  /// - Throws: also where the case cannot be prepared any more, after a second try.
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
      about: "the plainest request",
      value: nil)
  }

  /// Where even the base is refused, nothing says that a refusal is wrong.
  fileprivate var unheld: ExploreCase {
    guard expectation == .accepted else { return self }
    var copy = self
    copy.expectation = .anything
    return copy
  }
}
