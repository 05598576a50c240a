import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// Determines how each operation can be called, and with which credentials.
extension Explorer {
  /// Requests that test pairs of parameters, for each operation.
  private static let mostPairs = 200
  /// Random cases, for each operation.
  private static let mostDrawn = 25
  /// The share of the remaining time that the first request of an operation may wait for a rate limit.
  private static let patience = 0.5

  /// Minimal requests of an operation, before the other operations get theirs.
  private static let firstRequests = 1
  /// The maximum share of the time and of the requests for the search for minimal requests.
  private static let searchShare = 0.4

  /// Determines how each operation can be called, and lists its cases.
  func prepare() async throws(CaseRunner.Stop) {
    var planner = ChainPlanner(setting)
    let trials = SchemaTrials(setting.contract)
    do throws(CaseRunner.Stop) {
      try await logIn(&planner)
    } catch {
      guard case .limited = error else { throw error }
    }
    var bases: [Int: [ExploreCall]] = [:]
    var lists: [[ExploreState.Work]] = []
    var combined: [[ExploreState.Work]] = []
    // Reads show which items exist before any are created.
    let isSafe = { [setting] (index: Int) in WriteRule.isSafe(setting.contract.operations[index].method) }
    var open = (setting.operations.filter(isSafe) + setting.operations.filter { !isSafe($0) })[...]
    var limited: Set<Int> = []
    var searches: [Int: PlainSearch] = [:]
    defer { runner.patience = 0 }
    while let index = open.popFirst() {
      let isReplayed = setting.replayed?.concerns(setting.contract.operations[index].id) ?? true
      let found: (steps: [ExploreCall], isGood: Bool)?
      // Operations that a rate limit rejected are repeated after the others.
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
      cases.isCollection = board.things.isCollection(index)
      let all = cases.all().filter { !planner.refersToOthers($0) }.map { isGood ? $0 : $0.unheld }
      board.planned(all)
      lists.append(all.map { .trial($0) })
      var pairs = CasePairs(all, base: base, seed: setting.seed &+ UInt64(index))
      var more = pairs.pairs(most: Self.mostPairs)
      more += (0..<Self.mostDrawn).compactMap { _ in pairs.drawn() }
      combined.append(more.filter { !planner.refersToOthers($0) }.map { .trial($0) })
    }
    runner.forget()
    let lives = ResourceLifecycle.all(planner, bases, setting.contract).map { ExploreState.Work.life($0) }
    let work = lives + Self.interleaved(lists) + Self.interleaved(combined)
    guard let wanted = setting.replayed else { return board.add(work) }
    board.add(work.filter { wanted.holds(setting.contract.operations[$0.operation].id, $0.name) })
  }

  /// The first of each list, then the second of each.
  private static func interleaved(_ lists: [[ExploreState.Work]]) -> [ExploreState.Work] {
    (0..<(lists.map(\.count).max() ?? 0)).flatMap { index in lists.compactMap { index < $0.count ? $0[index] : nil } }
  }

  /// The chain of a successful call of the operation; otherwise the one with the most progress.
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
            try await look(into: suspicion, plain)
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

  /// Requests missing credentials from the API itself, if a public operation provides some. It requests those of a
  /// second user too, if the operation creates users.
  func logIn(_ planner: inout ChainPlanner) async throws(CaseRunner.Stop) {
    let lacks = !setting.missingCredentials.isEmpty
    guard lacks || !board.hasOtherUser && !setting.credentialVariables.isEmpty else { return }
    for login in setting.contract.logins where planner.mayCall(login.operation) {
      for recipe in CallSample.Recipe.allCases {
        guard let steps = planner.chain(login.operation, .made, recipe),
          let token = try await token(steps, login.token)
        else { continue }
        // Only a new registration creates another user.
        let other = steps.count > 1 ? try await self.token(steps, login.token) : nil
        guard lacks || other != nil else { return }
        board.addToken(
          token, other: other == token ? nil : other, from: setting.contract.operations[login.operation].id)
        return
      }
    }
  }

  private func token(_ steps: [ExploreCall], _ place: [String]) async throws(CaseRunner.Stop) -> String? {
    do throws(CaseRunner.Stop) {
      let last = try await runner.run(steps, isFresh: true).last
      guard let last, last.isSuccess else { return nil }
      return last.json.flatMap { JSONPointer(tokens: place).resolve(in: $0)?.string }
    } catch {
      if case .over = error { throw error }
      return nil
    }
  }
}

extension ExploreCase {
  /// If even the base is rejected, a rejection is not evidence of an error.
  fileprivate var unheld: ExploreCase {
    guard expectation == .accepted else { return self }
    var copy = self
    copy.expectation = .anything
    return copy
  }
}

/// The search for a successful minimal request of one operation. It stops after some requests, so that the other
/// operations get theirs first.
struct PlainSearch {
  private(set) var best: (steps: [ExploreCall], status: Int)?
  var tried: Set<[ExploreCall]> = []
  /// True if it stopped before all candidates were tested.
  var isCut = false
  /// True if a request was omitted because it would change, or attach to, an item that explore has not created.
  var needsOwnItem = false
  private var sent = 0
  private let most: Int

  init(most: Int) { self.most = most }

  /// Continues an earlier search.
  init(_ earlier: PlainSearch) {
    (best, tried, most) = (earlier.best, earlier.tried, .max)
  }

  /// - Parameter isLate: true if the time for searches is used: each operation gets one request.
  /// - Returns: true if the request may be sent, and was not sent before.
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
