import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// Determines how each operation can be called, and with which credentials.
extension Explorer {
  /// Requests that test pairs of parameters, for each operation.
  private static let mostPairs = 200

  /// Sends one more request of the search for a successful minimal request of the operation. At its end, it lists the
  /// cases of the operation.
  func search(_ index: Int) async throws(CaseRunner.Stop) {
    let search = plan.search(of: index)
    plan.planner.fullest = board.fullest
    plan.planner.learn(board.learned)
    var open = candidates(index, search)[...]
    var isSent = false
    while !isSent, let steps = open.popFirst() {
      if let failure = board.failure(of: steps) {
        search.unprepared(steps, because: describe(failure))
        continue
      }
      do throws(CaseRunner.Stop) {
        isSent = try await reaches(steps, search)
      } catch {
        guard case .limited = error else { throw error }
        search.limited.insert(steps)
        guard !open.contains(where: { !search.limited.contains($0) }) else { continue }
        if board.putBackSearch(index, waitingFor: steps.map(\.operation)) { return }
        search.failed(steps, status: 429)
      }
      // Another user may have found a successful request meanwhile.
      if search.isGood { return plan.bases[index] == nil ? found(index, steps) : board.endSearch(index) }
    }
    if let best = search.best { board.reached(index, status: best.status) }
    board.endIfNowhere()
    if open.isEmpty, !board.isReopened(index) { exhausted(index, search) } else { board.openSearch(index) }
  }

  /// Different requests of the operation that were not sent yet, the most promising first.
  private func candidates(_ index: Int, _ search: PlainSearch) -> [[ExploreCall]] {
    var found: [[ExploreCall]] = []
    func add(_ policy: ChainPlanner.Policy, _ recipe: CallSample.Recipe) {
      guard let steps = plan.planner.chain(index, policy, recipe) else { return }
      search.needs.formUnion(steps.map(\.operation))
      if plan.planner.changesOthers(steps) {
        search.needsOwnItem = true
      } else if !search.isTried(steps), !found.contains(steps) {
        found.append(steps)
      }
    }
    // Another field of an own item may be the name of another client's item.
    let isRenamed =
      plan.planner.takesItem(index) && !setting.rule.needsOwnItem(setting.contract.operations[index])
    for recipe in CallSample.Recipe.allCases {
      for policy in ChainPlanner.Policy.allCases where policy != .unknown && (policy != .renamed || isRenamed) {
        add(policy, recipe)
      }
    }
    if search.needsOwnItem { add(.unknown, .new) }
    return found.filter { !search.limited.contains($0) } + found.filter { search.limited.contains($0) }
  }

  /// Sends the requests; the search contains their outcome.
  ///
  /// - Returns: true if one of them was a request of the operation itself.
  private func reaches(_ steps: [ExploreCall], _ search: PlainSearch) async throws(CaseRunner.Stop) -> Bool {
    let plain = ExploreCase.plain(steps)
    let index = plain.call.operation
    do throws(CaseRunner.Stop) {
      let performed = try await runWithItems(plain)
      guard let last = performed.last else { return false }
      if setting.replayed?.concerns(setting.contract.operations[index].id) ?? true {
        for suspicion in Suspicion.all(plain, last) where !setting.off.contains(suspicion.kind) {
          try await look(into: suspicion, plain)
        }
      }
      guard !search.isGood else { return true }
      // The success of a write without an item does not show how the API treats items.
      let isEmpty =
        plain.call.takesNewName && last.request.method != "PUT"
        && setting.rule.needsOwnItem(setting.contract.operations[index])
      search.isGood = setting.isSuccess(last.status, of: index) && !isEmpty
      if search.isGood {
        board.reached(index, status: last.status)
        try await readLinks(plain, performed)
      } else {
        search.failed(steps, status: last.status)
      }
      return true
    } catch {
      switch error {
      case .over, .limited: throw error
      case .unwritable(let why): search.unprepared(steps, because: why)
      case .full: search.unprepared(steps, because: Undecided.full.rawValue)
      case .harmful: search.unprepared(steps, because: "the request might change data that explore has not created")
      case .unprepared(let failure): search.unprepared(steps, because: failure.map(describe))
      }
    }
    return false
  }

  private func describe(_ failure: PreparationMemory.Failure) -> String {
    let name = setting.contract.operations[failure.operation].id
    guard failure.missing.isEmpty else { return "\(name) returned no item" }
    return failure.status == 0 ? "\(name) did not respond" : "\(name) returned \(failure.status)"
  }

  /// A minimal request of the operation succeeded.
  private func found(_ index: Int, _ base: [ExploreCall]) {
    plan.bases[index] = base
    plan.planner.proven[index] = base.last?.independent
    board.keep(base, reading: plan.planner.reading(after: base), of: index)
    list(index, base, isGood: true)
    addLives(of: index)
    reopen(after: index)
  }

  /// Uses a case as the minimal request of its operation, if no minimal request succeeded but the case did.
  func adopt(_ one: ExploreCase, _ performed: CaseRunner.Performed) {
    let index = one.call.operation
    guard performed.isSuccess, one.call.isPlain, one.call.caller == .own, !one.call.isOffContract,
      [.accepted, .anything].contains(one.expectation), one.category == .positive,
      plan.searches[index]?.isGood == false,
      board.trialBase(of: index)?.dropLast() == one.steps.dropLast()
    else { return }
    plan.search(of: index).isGood = true
    board.reached(index, status: performed.status)
    found(index, one.steps)
  }

  private func exhausted(_ index: Int, _ search: PlainSearch) {
    let operation = setting.contract.operations[index]
    board.missed(index, reason(of: search, operation))
    if let best = search.best, best.status != 429 {
      if board.trialBase(of: index) == best.steps { return board.endSearch(index) }
      return list(index, best.steps, isGood: false)
    }
    board.list([], base: nil, of: index)
    if setting.rule.needsOwnItem(operation) {
      board.skip(index, WriteRule.othersItem)
    } else if search.needsOwnItem, !WriteRule.isSafe(operation.method) {
      board.skip(index, "its body names an item of another collection, but explore has created no such item")
    }
  }

  /// The reason why the operation was not called, or why it did not succeed if that follows from a rule of explore.
  private func reason(of search: PlainSearch, _ operation: Contract.Operation) -> String? {
    if let best = search.best {
      let isUnknown = best.steps.last?.takesNewName == true
      guard setting.rule.needsOwnItem(operation), isUnknown || [403, 404, 409].contains(best.status) else { return nil }
      let item = isUnknown ? "does not exist" : "explore created"
      return "status \(best.status) for an item that \(item); --operation also permits items that explore did not "
        + "create"
    }
    return search.reason ?? operation.parameters.first { $0.location == .path }.map {
      "no other operation returns a value for {\($0.name)}"
    }
      ?? "the OpenAPI document does not describe the required values of the operation well enough"
  }

  /// Lists the cases around a base.
  private func list(_ index: Int, _ base: [ExploreCall], isGood: Bool) {
    let (cases, all) = cases(index, base, isGood: isGood)
    board.planned(all)
    var pairs = CasePairs(all, base: base, seed: setting.seed &+ UInt64(index))
    let inventor = CaseInventor(cases, all, seed: setting.seed)
    let drawn = (0..<ExploreSchedule.plannedInventions).compactMap(inventor.invention)
    let more = (pairs.pairs(most: Self.mostPairs) + drawn).filter { !plan.planner.refersToOthers($0) }
    let work = (CaseOrder.ordered(all, seed: setting.seed &+ UInt64(index)) + more).map(ExploreState.Work.trial)
    board.list(replayed(work, index, inventor), base: base, of: index)
  }

  /// The work that a replay repeats; all of it without a replay.
  private func replayed(
    _ work: [ExploreState.Work], _ index: Int, _ inventor: CaseInventor
  ) -> [ExploreState.Work] {
    guard let wanted = setting.replayed else { return work }
    let operation = setting.contract.operations[index].id
    let known = work.filter { wanted.holds(operation, $0.name) }
    var missing = wanted.names(of: operation, .random).subtracting(known.map(\.name))
    var found: [ExploreState.Work] = []
    for number in ExploreSchedule.plannedInventions..<Self.mostReplayed where !missing.isEmpty {
      if let one = inventor.invention(number), missing.remove(one.name) != nil { found.append(.trial(one)) }
    }
    return known + found
  }

  /// The number of random cases among which a replay looks for those of an operation's findings.
  private static let mostReplayed = 5_000

  private func cases(
    _ index: Int, _ base: [ExploreCall], isGood: Bool
  ) -> (cases: OperationCases, all: [ExploreCase]) {
    var cases = OperationCases(setting, base: base, trials: plan.trials, hasOtherUser: board.hasOtherUser)
    cases.chosenName = plan.planner.index.chosenName(index)
    cases.isCollection = board.things.isCollection(index)
    let all = cases.all().filter { !plan.planner.refersToOthers($0) }.map { isGood ? $0 : $0.unheld }
    return (cases, all)
  }

  /// A random case of an operation; nil if it has too few changes.
  func invention(_ index: Int, _ number: Int) -> ExploreCase? {
    guard let base = board.trialBase(of: index) else { return nil }
    if plan.inventors[index]?.base != base {
      let (cases, all) = cases(index, base, isGood: board.base(of: index) == base)
      plan.inventors[index] = (base, CaseInventor(cases, all, seed: setting.seed))
    }
    return plan.inventors[index]?.inventor.invention(number).flatMap { plan.planner.refersToOthers($0) ? nil : $0 }
  }

  private func addLives(of index: Int) {
    for life in ResourceLifecycle.all(plan.planner, plan.bases, setting.contract, of: index)
    where plan.lives.insert(life).inserted {
      let operation = setting.contract.operations[life.steps.last?.operation ?? index].id
      guard setting.replayed?.holds(operation, life.name) ?? true else { continue }
      board.insert(.life(life))
    }
  }

  /// Continues the searches that failed because an operation did not succeed, or because a list was empty.
  private func reopen(after index: Int) {
    let shapes = plan.planner.index.shapes
    let isCreation = setting.contract.operations[index].method == "POST"
    let helpful = Set(
      shapes.indices.filter { $0 == index || isCreation && shapes[$0].segments == shapes[index].segments })
    board.forgetFailures(of: helpful)
    // Items of a list that the document does not describe are first known from its response.
    let isLearned = board.learned[index] != nil
    for (operation, search) in plan.searches where !search.isGood {
      let isHelped = !search.needs.isDisjoint(with: helpful) && search.retry(helpful)
      let isNamed = isLearned && shapes[operation].parameters.contains { $0.prefix == shapes[index].segments }
      if isHelped || isNamed { board.reopenSearch(operation) }
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
