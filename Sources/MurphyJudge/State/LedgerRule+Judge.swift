import MurphyModel

extension LedgerRule {
  /// The verdict on one key.
  package func judge(_ history: LedgerHistory, key: Int32) -> KeyVerdict {
    let sweep = LedgerSweep(history)
    // Responses in the order of time: a contradiction comes after the response that it contradicts.
    let views = history.views.sorted { ($0.span.until, $0.index) < ($1.span.until, $1.index) }
    let power = power(history, views, sweep)
    guard case .impossible(let last) = verdict(sweep, views) else {
      return KeyVerdict(key: key, nil, power: power)
    }
    let proof = proof(sweep, Array(views[...last]))
    let wrong = proof[proof.count - 1]
    var (kind, fact) = fact(wrong, proof.dropLast(), sweep)
    if isExclusive, base == nil, proof.count == 1 { (kind, fact) = self.fact(wrong, [], sweep) }
    var violation = StateViolation(
      kind, fact, witness: proof.map { $0.own == nil ? $0.index : $0.index - 1 }, writes: actions(history, sweep, proof)
    )
    if history.actions.count <= Self.mostExplained {
      violation.cause = cause(history, views) ?? cause(history, proof)
    }
    return KeyVerdict(key: key, violation, power: power)
  }

  /// With more actions, no cause is determined: each try is a sweep over all of them.
  private static let mostExplained = 2_000
  /// The maximum of accepted writes that are tried for the cause.
  private static let mostTried = 64

  /// The minimal set of responses that contradicts the actions: the last, the latest sufficient one before it, and the
  /// necessary ones between them.
  private func proof(_ sweep: LedgerSweep, _ views: [LedgerHistory.View]) -> [LedgerHistory.View] {
    guard let last = views.last, views.count > 1, !isViolated(sweep, [last]) else { return Array(views.suffix(1)) }
    var (low, high) = (0, views.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if isViolated(sweep, Array(views[middle...])) { low = middle } else { high = middle }
    }
    var proof = Array(views[low...])
    if isViolated(sweep, [views[low], last]) { return [views[low], last] }
    var place = proof.count - 2
    while place >= 0, proof.count <= 1_000 {
      var fewer = proof
      fewer.remove(at: place)
      if isViolated(sweep, fewer) { proof = fewer }
      place -= 1
    }
    return proof
  }

  /// The value in the last response, and the values that the others permit.
  private func fact(
    _ wrong: LedgerHistory.View, _ others: ArraySlice<LedgerHistory.View>, _ sweep: LedgerSweep
  ) -> (FindingKind, StateViolation.Fact) {
    var region = base.map {
      Region(up: $0.up...$0.up, down: $0.down...$0.down, both: $0.up + $0.down...$0.up + $0.down)
    }
    if !isExclusive { region = Region(up: 0...0, down: 0...0, both: 0...0) }
    for view in others where base == nil && isExclusive {
      let left = bases(view, sweep)
      region = region?.narrowed(by: left) ?? left
    }
    let base = region ?? Region()
    let six = bounds(wrong, sweep)
    func range(_ base: ClosedRange<Int64>, _ low: Int32, _ high: Int32) -> ClosedRange<Int64> {
      let most = isExclusive ? base.upperBound + Int64(high) : Int64.max
      return base.lowerBound + Int64(low)...max(most, base.lowerBound + Int64(low))
    }
    var shown: [(StateViolation.Counted, Int64, ClosedRange<Int64>)] = []
    if let up = wrong.up { shown.append((.up, up, range(base.up, six[0], six[1]))) }
    if let down = wrong.down { shown.append((.down, down, range(base.down, six[2], six[3]))) }
    if let up = wrong.up, let down = wrong.down { shown.append((.both, up + down, range(base.both, six[4], six[5]))) }
    let broken = shown.first { !$0.2.contains($0.1) } ?? shown.last ?? (.both, 0, 0...0)
    let isSurplus = broken.1 > broken.2.upperBound
    return (
      isSurplus ? .stateLedgerSurplus : .stateLedgerMissing, .count(broken.0, shown: broken.1, possible: broken.2)
    )
  }

  /// The actions of voters whose choice can have changed between the responses of a proof.
  private func actions(
    _ history: LedgerHistory, _ sweep: LedgerSweep, _ proof: [LedgerHistory.View]
  ) -> [Int] {
    guard let last = proof.last else { return [] }
    let from = proof.count > 1 ? proof[0].span.from : Int64.min
    let own = Set(proof.compactMap(\.own))
    var indices: [Int] = []
    let (first, end) = (
      proof.count > 1 ? sweep.entries(in: proof[0].span).lowerBound : 0, sweep.entries(in: last.span).upperBound
    )
    for (number, action) in history.actions.enumerated() where !own.contains(number) {
      let span = action.change.span
      guard span.from <= last.span.until, span.until >= from else { continue }
      let isSettled = sweep.mask(of: action.voter, at: first) == sweep.mask(of: action.voter, at: end)
      if isSettled, sweep.mask(of: action.voter, at: end).nonzeroBitCount == 1, proof.count > 1 { continue }
      indices.append(action.change.index)
    }
    return indices.sorted()
  }

  /// The sensitivity of the responses: the number of values that each permits, compared with the number of voters.
  private func power(
    _ history: LedgerHistory, _ views: [LedgerHistory.View], _ sweep: LedgerSweep
  ) -> KeyVerdict.Power {
    var power = KeyVerdict.Power(reads: views.count, writes: history.actions.count + history.refused.count)
    guard !history.actions.isEmpty || !history.refused.isEmpty else { return power }
    var isFirst = base == nil && isExclusive
    let voters = Int64(history.isFresh.count)
    for view in views {
      let six = bounds(view, sweep)
      let slack = max(
        view.up == nil ? 0 : Int64(six[1]) - Int64(six[0]), view.down == nil ? 0 : Int64(six[3]) - Int64(six[2]))
      guard isExclusive ? slack < max(voters, 1) : six[4] > 0 || six[0] > 0 || six[2] > 0 else { continue }
      // The first determines the count before the log, and cannot contradict anything.
      if isFirst {
        isFirst = false
        continue
      }
      power.sharp += 1
      power.slack += slack
    }
    return power
  }

  /// The first change of assumptions without a contradiction.
  private func cause(_ history: LedgerHistory, _ views: [LedgerHistory.View]) -> StateViolation.Cause? {
    func fits(_ change: (inout LedgerHistory) -> Void) -> Bool {
      var changed = history
      change(&changed)
      return !isViolated(LedgerSweep(changed), views)
    }
    if !history.refused.isEmpty, fits({ $0.actions += $0.refused }) { return .refusedCounted }
    if history.actions.contains(where: { $0.kind == .none }), fits({ $0.ignoreRemovals() }) { return .removalsIgnored }
    if fits({ $0.toggles.toggle() }) { return history.toggles ? .repeatsKept : .repeatsTakenBack }
    if fits({ $0.splitVoters() }) { return .changesOnlyAdd }
    if fits({ $0.addRepeats() }) { return .repeatsCounted }
    let accepted = history.actions.indices.filter { !history.actions[$0].change.isOptional }
    var lost: [Int] = []
    for number in accepted.suffix(Self.mostTried) where lost.count < 2 {
      if fits({ $0.lose(number) }) { lost.append(history.actions[number].change.index) }
    }
    return lost.isEmpty ? nil : .lost(lost.count == 1 ? lost[0] : nil)
  }
}

extension LedgerHistory {
  /// Actions may not move: views refer to them by index.
  fileprivate mutating func lose(_ number: Int) {
    actions[number].change.isOptional = true
    actions[number].change.span.until = Span.forever
  }

  /// Removals have no effect.
  fileprivate mutating func ignoreRemovals() {
    for number in actions.indices where actions[number].kind == .none { setApart(number) }
  }

  /// The voters of ups and of downs are separate, so that a change does not cancel the other.
  fileprivate mutating func splitVoters() {
    let count = isFresh.count
    isFresh += isFresh
    for number in actions.indices where actions[number].kind == .down { actions[number].voter += count }
  }

  /// Each action is one of a separate voter.
  fileprivate mutating func addRepeats() {
    for number in actions.indices { setApart(number) }
  }

  /// An action of a separate voter.
  private mutating func setApart(_ number: Int) {
    actions[number].voter = isFresh.count
    isFresh.append(true)
  }
}
