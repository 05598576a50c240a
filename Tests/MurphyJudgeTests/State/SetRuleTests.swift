import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct SetRuleTests {
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var set = SetWorld(world: .drawn(seed: 600_000 + UInt64(number)))
      set.owners = [0, 2, 3][number % 3]
      set.repeats = number.isMultiple(of: 2)
      let report = set.report()
      #expect(report.violations.isEmpty, "seed \(600_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  private enum Step { case create, delete, confirmedDelete, shown, missing }

  @Test func `one thing is judged exactly`() {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 2_000), seed: 51) { random in
      var history = SetHistory()
      var item = SetHistory.Item()
      var operations: [ExhaustiveSearch.Operation<Step>] = []
      let creation = SmallSpan.drawn(1, &random)[0]
      item.creations = [Change(creation.span, isOptional: creation.isOptional, index: 0)]
      operations.append(.init(creation.span, isOptional: creation.isOptional, .create))
      for (index, span) in SmallSpan.drawn(random.below(3), &random).enumerated() {
        // Of two that both were confirmed the second may have found nothing.
        let isOptional = span.isOptional || index == 1
        let span = isOptional ? Span(span.span.from, Span.forever) : span.span
        item.deletions.append(Change(span, isOptional: isOptional, index: 10 + index))
        operations.append(.init(span, isOptional: isOptional, isOptional ? .delete : .confirmedDelete))
      }
      for (index, span) in SmallSpan.drawn(random.below(3), unknown: 0, &random).enumerated() {
        item.shown.append(.init(span.span, index: 20 + index))
        operations.append(.init(span.span, .shown))
      }
      for (index, span) in SmallSpan.drawn(random.below(3), unknown: 0, &random).enumerated() {
        item.missing.append(.init(span.span, index: 30 + index))
        operations.append(.init(span.span, .missing))
      }
      history.items[1] = item
      let isPossible = ExhaustiveSearch.explains(operations, from: 0) { state, step in
        switch step {
        case .create: state == 0 ? 1 : nil
        case .delete, .confirmedDelete: state > 0 ? 2 : nil
        case .shown: state == 1 ? state : nil
        case .missing: state != 1 ? state : nil
        }
      }
      // A creation that nobody answered has no id, so the log never holds one.
      guard !creation.isOptional else { return (false, true) }
      return (SetRule(listsAll: false).judge(history).contains(where: \.isViolated), isPossible)
    }
    #expect(agreement.falseAlarms == 0 && agreement.missed == 0 && agreement.impossible > 300, "\(agreement)")
  }

  @Test(arguments: [
    (SetWorld.Fault.lostWrite, 0.1, 0.85), (.neverListed, 0.1, 0.85), (.deleteNotKept, 0.2, 0.8),
    (.droppedItem, 0.1, 0.85),
    (.idTwice, 0.1, 0.85), (.keyIgnored, 0.5, 0.85),
  ]) func `faults are found`(fault: SetWorld.Fault, share: Double, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var set = SetWorld(
        world: .faulty(seed: 12_000 + UInt64(number), exchanges: 200, clients: 8), fault: fault, share: share)
      set.repeats = fault == .keyIgnored
      return !set.report().violations.isEmpty
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  @Test(arguments: [
    (SetWorld.Fault.leak, 0.05, FindingKind.stateSetForeign), (.wrongOwner, 0.1, .stateSetForeign),
    (.lostWrite, 0.1, .stateSetMissing), (.deleteNotKept, 0.2, .stateSetReturned),
    (.keyIgnored, 0.5, .stateSetRepeated),
  ]) func `faults are found among owners`(fault: SetWorld.Fault, share: Double, kind: FindingKind) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var set = SetWorld(
        world: .faulty(seed: 15_000 + UInt64(number), exchanges: 300, clients: 6), fault: fault, share: share)
      (set.owners, set.repeats) = (3, true)
      return set.report().violations.contains { $0.violation.kind == kind }
    }
    #expect(Double(found) >= 0.8 * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  /// A creation without a response, and the same again: one thing can have come of it, not two.
  @Test func `a repeated creation makes one thing`() {
    func report(shown: [Int32]) -> StateReport {
      var log = StateLog(invariants: 1)
      func entry(_ role: StateExchange.Role, _ outcome: StateExchange.Outcome, _ key: Int32, at moment: Int64) {
        var entry = StateExchange(
          invariant: 0, operation: 0, role: role, outcome: outcome, key: key, sent: moment, answered: moment + 1)
        if role == .create { entry.once = 9 }
        if role == .shown { entry.b = 1 }
        log.exchanges.append(entry)
      }
      entry(.list, .accepted, -1, at: 0)
      entry(.create, .unknown, -1, at: 2)
      entry(.create, .accepted, 1, at: 4)
      entry(.list, .accepted, -1, at: 6)
      for key in shown { entry(.shown, .accepted, key, at: 6) }
      var terms = StateTerms()
      terms.isExclusive = true
      return StateReport(.set(isSnapshot: false), terms, number: 0, log: log)
    }
    #expect(report(shown: [1]).violations.isEmpty)
    #expect(report(shown: [1, 2]).first?.kind == .stateSetUnknown)
    #expect(report(shown: []).violations.isEmpty, "no list ever showed such a thing")
  }
}

extension SetRuleTests {
  /// One loop's log was full when the thing was deleted, so that only a part of what became of it is known.
  @Test func `a thing that the log left out is not judged`() {
    func report(leavesOut: Bool) -> StateReport {
      var log = StateLog(invariants: 1)
      let key = log.names.number(of: "n1")
      func entry(_ role: StateExchange.Role, at moment: Int64) -> StateExchange {
        StateExchange(
          invariant: 0, operation: 0, role: role, outcome: .accepted, key: role == .list ? -1 : key, sent: moment,
          answered: moment + 1)
      }
      log.exchanges = [entry(.list, at: 0), entry(.create, at: 2), entry(.absent, at: 6)]
      if leavesOut { log.gaps[0].keysLeftOut = ["n1"] }
      var terms = StateTerms()
      terms.isExclusive = true
      return StateReport(.set(isSnapshot: true), terms, number: 0, log: log)
    }
    #expect(report(leavesOut: false).first?.kind == .stateSetMissing)
    #expect(report(leavesOut: true).violations.isEmpty)
    #expect(report(leavesOut: true).inconclusive == ["the state log is full": 1])
  }
}
