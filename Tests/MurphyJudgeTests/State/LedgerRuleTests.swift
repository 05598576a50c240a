import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct LedgerRuleTests {
  /// Lost responses, late effects, declared lag, retractions: nothing of that is a fault.
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var ledger = LedgerWorld(world: .drawn(seed: 100_000 + UInt64(number)))
      if number % 3 == 1 { ledger.base = (7, 3) }
      if number % 4 == 2 { ledger.readsFirst = false }
      if number % 5 == 3 { ledger.world.settle = 1 }
      ledger.toggles = number % 7 < 3
      ledger.repeats = number % 8 < 3
      let report = ledger.report()
      #expect(report.violations.isEmpty, "seed \(100_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  @Test func `one read is judged exactly`() {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 2_000), seed: 11) { random in
      Self.trial(reads: 1, answers: false, &random)
    }
    #expect(agreement.falseAlarms == 0 && agreement.missed == 0 && agreement.impossible > 500, "\(agreement)")
  }

  /// Where a second vote of the same kind takes the first back, the order of a voter's writes decides.
  @Test func `one read of toggles is judged exactly`() {
    let count = SimulationSize.count(20_000, least: 2_000)
    let reads = Agreement.over(count, seed: 15) { Self.trial(reads: 1, answers: false, toggles: true, &$0) }
    #expect(reads.falseAlarms == 0 && reads.missed == 0 && reads.impossible > 500, "\(reads)")
    let answers = Agreement.over(count, seed: 16) { Self.trial(reads: 0, answers: true, toggles: true, &$0) }
    #expect(answers.falseAlarms == 0 && answers.missed * 10 < answers.impossible, "\(answers)")
    let several = Agreement.over(count, seed: 17) { Self.trial(reads: 3, answers: false, toggles: true, &$0) }
    #expect(several.falseAlarms == 0 && several.missed * 20 < several.impossible, "\(several)")
  }

  /// Of a voter with more writes in flight than are followed nothing is certain, and nothing is said.
  @Test func `a voter with many toggles in flight may have chosen anything`() {
    func report(votes: Int, shown: Int64) -> StateReport {
      var log = StateLog(invariants: 1)
      for index in 0..<votes {
        var vote = StateExchange(
          invariant: 0, operation: 0, role: .write, outcome: .accepted, sent: Int64(index), answered: 100)
        (vote.a, vote.actor) = (1, 0)
        log.exchanges.append(vote)
      }
      var read = StateExchange(invariant: 0, operation: 1, role: .read, outcome: .accepted, sent: 200, answered: 201)
      (read.a, read.b) = (0, 0)
      log.exchanges.append(read)
      (read.sent, read.answered, read.a) = (-2, -1, 0)
      log.exchanges.append(read)
      (read.sent, read.answered, read.a) = (300, 301, shown)
      log.exchanges.append(read)
      var terms = StateTerms()
      (terms.startsQuiet, terms.isExclusive) = (true, true)
      return StateReport(.toggles, terms, number: 0, log: log)
    }
    #expect(report(votes: 4, shown: 0).violations.isEmpty && report(votes: 6, shown: 0).violations.isEmpty)
    #expect(report(votes: 4, shown: 1).first?.kind == .stateLedgerSurplus)
    #expect(report(votes: 9, shown: 1).violations.isEmpty)
    #expect(report(votes: 9, shown: 2).first?.kind == .stateLedgerSurplus)
  }

  @Test func `responses of writes and several reads are sound`() {
    let count = SimulationSize.count(20_000, least: 2_000)
    let answers = Agreement.over(count, seed: 12) { Self.trial(reads: 0, answers: true, &$0) }
    #expect(answers.falseAlarms == 0 && answers.missed * 10 < answers.impossible, "\(answers)")
    let reads = Agreement.over(count, seed: 13) { Self.trial(reads: 3, answers: false, &$0) }
    #expect(reads.falseAlarms == 0 && reads.missed * 20 < reads.impossible, "\(reads)")
  }

  /// Nobody knows what was counted before: each response leaves some bases, and all together none.
  @Test func `an unknown base is sound`() {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 1_000), seed: 14) { random in
      let shift = (Int64(random.below(3)), Int64(random.below(3)))
      var history = Self.history(reads: 2, answers: false, &random)
      let isPossible = (-3...5).contains { up in
        (-3...5).contains { down in Self.isPossible(history, base: (Int64(up), Int64(down))) }
      }
      for place in history.views.indices {
        history.views[place].up = history.views[place].up.map { $0 + shift.0 }
        history.views[place].down = history.views[place].down.map { $0 + shift.1 }
      }
      return (LedgerRule().judge(history, key: 0).isViolated, isPossible)
    }
    #expect(agreement.falseAlarms == 0 && agreement.impossible > 100, "\(agreement)")
    #expect(agreement.missed * 5 < agreement.impossible, "\(agreement)")
  }

  /// Shares of runs with a finding are at least what simulations of many runs show, less what chance takes away.
  @Test(arguments: [
    (LedgerWorld.Fault.doubleCount, 1, 50, 8, 0.9), (.switchOnlyAdds, 1, 50, 8, 0.9),
    (.retractionIgnored, 1, 50, 8, 0.9),
    (.refusedCounts, 1, 200, 8, 0.85), (.lostUpdate, 1, 50, 8, 0.85), (.stale, 0.1, 200, 8, 0.8),
    (.answerBefore, 1, 50, 8, 0.9), (.lostWrite, 0.1, 200, 8, 0.6),
  ]) func `faults are found`(fault: LedgerWorld.Fault, share: Double, exchanges: Int, clients: Int, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    var found = 0
    for number in 0..<runs {
      var ledger = LedgerWorld(
        world: .faulty(seed: 7_000 + UInt64(number), exchanges: exchanges, clients: clients), fault: fault, share: share
      )
      ledger.base = (40, 12)
      if !ledger.report().violations.isEmpty { found += 1 }
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  @Test(arguments: [
    (LedgerWorld.Fault.repeatKept, 1, true, false), (.keyIgnored, 1, true, true), (.doubleCount, 1, false, true),
    (.retractionIgnored, 1, true, false), (.lostWrite, 0.1, true, false), (.refusedCounts, 1, true, true),
  ]) func `faults of toggles and of repeats are found`(
    fault: LedgerWorld.Fault, share: Double, toggles: Bool, repeats: Bool
  ) {
    let runs = SimulationSize.count(200, least: 30)
    var found = 0
    for number in 0..<runs {
      var ledger = LedgerWorld(
        world: .faulty(seed: 16_000 + UInt64(number), exchanges: 200, clients: 8), fault: fault, share: share)
      (ledger.toggles, ledger.repeats) = (toggles, repeats)
      if !ledger.report().violations.isEmpty { found += 1 }
    }
    #expect(Double(found) >= 0.8 * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  /// A witness contradicts itself: with its exchanges alone, and the writes it does not name unknown, it still fails.
  @Test func `a witness is short and holds both responses`() throws {
    var ledger = LedgerWorld(world: .faulty(seed: 5, exchanges: 200, clients: 4), fault: .retractionIgnored, share: 1)
    ledger.base = (40, 12)
    let log = ledger.log()
    let violation = try #require(StateReport(.ledger, ledger.world.terms, number: 0, log: log).first)
    #expect(violation.witness.count >= 2 && violation.witness.count <= 66)
    #expect(violation.witness == violation.witness.sorted())
    #expect(violation.cause == .removalsIgnored, "\(violation)")
  }

  @Test func `a key that nobody read is not tested`() {
    var log = StateLog(invariants: 1)
    var vote = StateExchange(invariant: 0, operation: 0, role: .write, outcome: .accepted, sent: 1, answered: 2)
    (vote.a, vote.actor) = (1, 0)
    log.exchanges = [vote]
    let report = StateReport(.ledger, StateTerms(), number: 0, log: log)
    #expect(report.violations.isEmpty && report.tested == 0 && report.consistent == 1)
  }

  @Test func `with strangers only lower bounds hold`() {
    var terms = StateTerms()
    terms.startsQuiet = true
    func report(_ shown: Int64) -> StateReport {
      var log = StateLog(invariants: 1)
      var vote = StateExchange(invariant: 0, operation: 0, role: .write, outcome: .accepted, sent: 1, answered: 2)
      (vote.a, vote.actor) = (1, 0)
      var read = StateExchange(invariant: 0, operation: 1, role: .read, outcome: .accepted, sent: 3, answered: 4)
      read.a = shown
      log.exchanges = [vote, read]
      return StateReport(.ledger, terms, number: 0, log: log)
    }
    #expect(report(0).first?.kind == .stateLedgerMissing)
    #expect(report(1).violations.isEmpty && report(500).violations.isEmpty)
  }
}

extension LedgerRuleTests {
  private static func trial(
    reads: Int, answers: Bool, toggles: Bool = false, _ random: inout RandomSource
  ) -> (found: Bool, isPossible: Bool) {
    var history = history(reads: reads, answers: answers, &random)
    history.toggles = toggles
    return (
      LedgerRule(base: (0, 0)).judge(history, key: 0).isViolated, isPossible(history, base: (0, 0))
    )
  }

  private static func history(reads: Int, answers: Bool, _ random: inout RandomSource) -> LedgerHistory {
    var history = LedgerHistory()
    history.isFresh = [true, true, true]
    let count = 1 + random.below(5)
    for (index, span) in SmallSpan.drawn(count, &random).enumerated() {
      history.actions.append(
        .init(
          Change(span.span, isOptional: span.isOptional, index: index), voter: random.below(3),
          kind: [LedgerHistory.Choice.up, .up, .down, .none][random.below(4)]))
    }
    for (index, span) in SmallSpan.drawn(reads, unknown: 0, &random).enumerated() {
      history.views.append(
        .init(span.span, up: Int64(random.below(3)), down: Int64(random.below(2)), index: count + index))
    }
    let own = random.below(count)
    if answers, !history.actions[own].change.isOptional {
      history.views.append(
        .init(
          history.actions[own].change.span, up: Int64(random.below(3)), down: Int64(random.below(3)), own: own,
          index: count))
    }
    return history
  }

  private enum Step {
    case vote(LedgerHistory.Action, shown: LedgerHistory.View?)
    case read(LedgerHistory.View)
  }

  private static func isPossible(_ history: LedgerHistory, base: (up: Int64, down: Int64)) -> Bool {
    var operations: [ExhaustiveSearch.Operation<Step>] = []
    for (number, action) in history.actions.enumerated() {
      let shown = history.views.first { $0.own == number }
      operations.append(
        .init(action.change.span, isOptional: action.change.isOptional, .vote(action, shown: shown)))
    }
    operations += history.views.filter { $0.own == nil }.map { .init($0.span, .read($0)) }
    func shows(_ state: [LedgerHistory.Choice], _ view: LedgerHistory.View?) -> Bool {
      guard let view else { return true }
      return view.up == base.up + Int64(state.count { $0 == .up })
        && view.down == base.down + Int64(state.count { $0 == .down })
    }
    return ExhaustiveSearch.explains(operations, from: [LedgerHistory.Choice.none, .none, .none]) { state, step in
      switch step {
      case .read(let view): return shows(state, view) ? state : nil
      case .vote(let action, let shown):
        var next = state
        let isTakenBack = history.toggles && state[action.voter] == action.kind
        next[action.voter] = isTakenBack ? .none : action.kind
        return shows(next, shown) ? next : nil
      }
    }
  }
}
