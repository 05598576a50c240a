import MurphyHTTP

extension ExploreState.State {
  /// The part of the time that open responses and the deletion of the created items need, at most a third and 2 s.
  var reserve: Duration {
    removal == .zero ? .zero : min(removal, longestRemoval) + min(pace.typicalWait * 2, .seconds(2))
  }

  /// True if the time suffices to delete another item.
  var canRemoveMore: Bool { removal < longestRemoval }

  private var longestRemoval: Duration {
    guard let start, let end else { return .zero }
    return start.duration(to: end) / 3
  }

  /// The time that the deletion of the created items needs, from the deletions so far, or else from all requests.
  private var removal: Duration {
    guard let start, requests > 0, canDelete, !created.paths.isEmpty else { return .zero }
    // A deletion may need the entity tag of the item first.
    let each =
      deletions.count > 0
      ? deletions.took / deletions.count : start.duration(to: .now) * pace.users * 2 / requests
    // Not every API serves all connections at the same time.
    return each * created.paths.count * 2 / pace.most + each
  }
}

/// The work of the explorers, and the results of its preparation.
extension ExploreState {
  /// Ends the search of an operation with the cases that it found.
  ///
  /// - Parameter base: of its cases; nil if it has none.
  func list(_ work: [Work], base: [ExploreCall]?, of operation: Int) {
    state.withLock { state in
      state.trialBases[operation] = base
      for one in state.schedule.list(work, base: base?.map(\.operation), of: operation) {
        state.coverage.listed(one.operation, -1)
      }
      for one in work { state.coverage.listed(one.operation, 1) }
    }
  }

  func insert(_ work: Work) {
    state.withLock { state in
      state.schedule.insert(work)
      state.coverage.listed(work.operation, 1)
    }
  }

  /// True if no request is sent any more.
  package var isClosed: Bool { state.withLock { !$0.goesOn(most) } }

  /// False for an operation that creates an item, if no time is left to delete the item.
  func mayCreate(with operation: Int) -> Bool {
    state.withLock { !$0.schedule.creators.contains(operation) || $0.canRemoveMore }
  }

  /// A case whose request would change an item that explore has not created is not a case.
  func withdraw(_ one: ExploreCase) { state.withLock { $0.coverage.withdraw(one) } }

  /// The number of users that delete the created items.
  package var removers: Int { state.withLock { max(1, min($0.pace.most, $0.created.paths.count)) } }

  func invented(_ operation: Int) { state.withLock { $0.coverage.listed(operation, 1) } }

  /// Records that a turn of the operation has ended.
  func finish(_ operation: Int) {
    state.withLock { $0.schedule.finish(operation, news: $0.coverage.takeNews(of: operation)) }
  }

  /// Ends the exploration if every operation was called and returned only 404: the address is wrong.
  func endIfNowhere() {
    state.withLock { if $0.coverage.isNowhere { $0.isOver = true } }
  }

  /// Continues the search of an operation. It may have been skipped, because no item of its own was known.
  func reopenSearch(_ operation: Int) {
    state.withLock { state in
      state.schedule.reopenSearch(operation)
      if state.skipped.removeValue(forKey: operation) != nil { state.coverage.include(operation) }
    }
  }
  func openSearch(_ operation: Int) { state.withLock { $0.schedule.openSearch(operation) } }
  func isReopened(_ operation: Int) -> Bool { state.withLock { $0.schedule.isReopened(operation) } }
  func endSearch(_ operation: Int) { state.withLock { $0.schedule.endSearch(operation) } }
  func putBackSearch(_ operation: Int, waitingFor operations: [Int]) -> Bool {
    state.withLock { $0.schedule.putBackSearch(operation, waitingFor: operations) }
  }

  /// The base of the operation's cases, even if it did not succeed.
  func trialBase(of operation: Int) -> [ExploreCall]? { state.withLock { $0.trialBases[operation] } }

  // MARK: preparations

  /// The request before the last one that failed too often to be sent again; nil if there is none.
  func failure(of steps: [ExploreCall]) -> PreparationMemory.Failure? {
    state.withLock { $0.preparations.failure(of: steps) }
  }
  /// - Parameter missing: places of values that later requests need.
  /// - Returns: nil if the request served its purpose.
  func prepared(
    _ steps: [ExploreCall], _ performed: CaseRunner.Performed, missing: [ResponsePlace]
  ) -> PreparationMemory.Failure? {
    state.withLock { $0.preparations.saw(steps, performed, missing: missing) }
  }
  /// True if a wait for an item of the list is worthwhile.
  func mayFill(_ list: Int, by steps: [ExploreCall], after creations: Set<Int>, isLikely: Bool) -> Bool {
    state.withLock { $0.preparations.mayFill(list, by: steps, after: creations, isLikely: isLikely) }
  }
  func waited(for list: Int, after creations: Set<Int>, isLikely: Bool, isEmpty: Bool) {
    state.withLock { $0.preparations.waited(for: list, after: creations, isLikely: isLikely, isEmpty: isEmpty) }
  }
  func forgetFailures(of operations: Set<Int>) { state.withLock { $0.preparations.forget(operations) } }

  /// The plan of all explorers, for the loop that runs them.
  func plan(_ setting: ExploreConfiguration) -> ExplorePlan {
    plan.withLock { plan in
      let shared = plan ?? LoopBound(ExplorePlan(setting))
      plan = shared
      return shared
    }.value
  }

  /// True if the user sends requests, or there is no work left for it.
  func needs(_ user: Int) -> Bool { state.withLock { $0.isOver || $0.isFinished || user < $0.pace.users } }

  // MARK: who asks

  var callers: ExploreCallers { state.withLock { $0.callers } }

  /// - Parameter login: the operation that provided the tokens.
  func addToken(_ token: String, other: String?, from login: String) {
    state.withLock { state in
      state.callers.addToken(token, other: other)
      state.secrets.formUnion([token, other].compactMap(\.self))
      state.login = login
    }
  }

  /// The operation that provided the credentials, if the environment had none.
  package var login: String? { state.withLock { $0.login } }
  /// True if the token of another user is known.
  package var hasOtherUser: Bool { state.withLock { $0.callers.hasOther } }

  // MARK: operations without requests

  /// No request of the operation is sent.
  func skip(_ operation: Int, _ reason: String) {
    state.withLock { state in
      state.skipped[operation] = reason
      state.coverage.skip(operation)
    }
  }

  /// Operations for which explore found no harmless request, by index.
  package var skipped: [Int: String] { state.withLock { $0.skipped } }

  /// Records why no request of the operation could be sent, or why none succeeded; nil if its status is the reason.
  func missed(_ operation: Int, _ reason: String?) { state.withLock { $0.missed[operation] = reason } }

  /// The reasons why no request of an operation could be sent or succeeded, by operationId.
  package var missed: [String: String] {
    state.withLock { state in
      Dictionary(uniqueKeysWithValues: state.missed.map { (operations[$0.key], $0.value) })
    }
  }

  /// Operations that at least one request was sent to. Other methods at their paths do not count.
  package var called: Set<String> { state.withLock { Set($0.coverage.called.map { operations[$0] }) } }
}
