import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct RegisterRuleTests {
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var register = RegisterWorld(world: .drawn(seed: 500_000 + UInt64(number)))
      register.deletes = number % 2 == 0
      register.repeats = number % 3 == 0
      if number % 4 == 1 { register.world.settle = 1 }
      let report = register.report()
      #expect(report.violations.isEmpty, "seed \(500_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  private static func trial(
    deletes: Bool, repeats: Bool, _ random: inout RandomSource
  ) -> (found: Bool, isPossible: Bool) {
    var history = RegisterHistory()
    let count = 1 + random.below(4)
    for (index, span) in SmallSpan.drawn(count, &random).enumerated() {
      let isDelete = deletes && random.unit() < 0.4
      let value = repeats ? Int32(1 + random.below(2)) : Int32(index + 1)
      history.writes.append(
        .init(
          Change(span.span, isOptional: span.isOptional, index: index),
          value: isDelete ? RegisterHistory.absent : value))
    }
    let values = history.writes.map(\.value) + [0]
    for (index, span) in SmallSpan.drawn(1 + random.below(3), unknown: 0, &random).enumerated() {
      history.reads.append(.init(span.span, value: values[random.below(values.count)], index: 10 + index))
    }
    var operations = history.writes.map {
      ExhaustiveSearch.Operation(
        $0.change.span, isOptional: $0.change.isOptional, (isRead: false, value: $0.value))
    }
    operations += history.reads.map { .init($0.span, (isRead: true, value: $0.value)) }
    let isPossible = ExhaustiveSearch.explains(operations, from: RegisterHistory.Value(0)) { state, step in
      !step.isRead ? step.value : state == step.value ? state : nil
    }
    return (RegisterRule().judge(history, key: 0, initial: 0).isViolated, isPossible)
  }

  @Test(arguments: [(false, false), (true, false), (true, true), (false, true)])
  func `reads are judged exactly`(deletes: Bool, repeats: Bool) {
    let agreement = Agreement.over(SimulationSize.count(20_000, least: 2_000), seed: 41) { random in
      Self.trial(deletes: deletes, repeats: repeats, &random)
    }
    #expect(agreement.falseAlarms == 0 && agreement.missed == 0 && agreement.impossible > 500, "\(agreement)")
  }

  @Test func `the search gives up at its budget`() {
    var history = RegisterHistory()
    for index in 0..<24 {
      history.writes.append(.init(Change(Span(Int64(index), 1_000), index: index), value: Int32(index % 3)))
      history.reads.append(.init(Span(Int64(index), 1_000 + Int64(index)), value: Int32(index % 3), index: 100 + index))
    }
    let verdict = RegisterRule(budget: 50).judge(history, key: 0, initial: 9)
    guard case .inconclusive(let why) = verdict.outcome else {
      Issue.record("\(verdict.outcome)")
      return
    }
    #expect(why.hasSuffix("exchanges were in flight at the same time, more than the search can process"))
  }

  @Test(arguments: [
    (RegisterWorld.Fault.lostWrite, 0.2, 2, 0.7), (.staleRead, 0.1, 8, 0.8), (.refusedApplies, 0.1, 8, 0.8),
    (.falseAbsence, 0.2, 2, 0.6),
  ]) func `faults are found`(fault: RegisterWorld.Fault, share: Double, clients: Int, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var register = RegisterWorld(
        world: .faulty(seed: 11_000 + UInt64(number), exchanges: 200, clients: clients), fault: fault, share: share)
      register.deletes = fault == .falseAbsence
      return !register.report().violations.isEmpty
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  /// A value that was there before and is written again.
  @Test func `what was there before may be written again`() {
    var history = RegisterHistory()
    history.reads = [
      .init(Span(0, 1), value: 4, index: 0), .init(Span(4, 5), value: 6, index: 3),
      .init(Span(8, 9), value: 4, index: 5),
    ]
    history.writes = [
      .init(Change(Span(2, 3), index: 1), value: 6), .init(Change(Span(6, 7), index: 4), value: 4),
    ]
    #expect(!RegisterRule().judge(history, key: 0).isViolated)
  }
}

/// One resource behind GET, PUT and DELETE.
struct RegisterWorld {
  enum Fault: CaseIterable { case lostWrite, staleRead, refusedApplies, falseAbsence }

  private enum Request: Sendable { case read, put(Int32) }

  var world: StateWorld
  var fault: Fault?
  var share = 0.1
  var deletes = false
  var repeats = false

  mutating func report() -> StateReport {
    var history: [(at: Double, value: Int32)] = [(-.infinity, 0)]
    var drawn: Int32 = 0
    let (fault, share, lag, deletes, repeats) = (fault, share, world.lag, deletes, repeats)
    let exchanges = world.run { _, random in
      if random.unit() < 0.5 { return Request.read }
      drawn += 1
      if deletes, random.unit() < 0.3 { return .put(RegisterHistory.absent) }
      return .put(repeats ? drawn % 5 : drawn)
    } serve: { (exchange: StateWorld.Exchange<Request, Int32>, now, random, _) in
      let isHit = random.unit() < share
      guard case .put(let value) = exchange.request else {
        let back = now - random.unit() * lag - (fault == .staleRead && isHit ? 0.2 : 0)
        if fault == .falseAbsence, isHit { return RegisterHistory.absent }
        return history.last { $0.at <= back }?.value ?? 0
      }
      if fault == .lostWrite, isHit { return value }
      if fault == .refusedApplies, isHit { exchange.isRefused = true }
      history.append((now, value))
      return value
    }
    var log = StateLog(invariants: 1)
    log.exchanges = exchanges.compactMap { exchange in
      switch exchange.request {
      case .read:
        guard let answer = exchange.answer else { return nil }
        var read = exchange.logged(.read)
        read.c = answer
        return read
      case .put(let value):
        var write = exchange.logged(value == RegisterHistory.absent ? .delete : .write)
        write.c = value
        return write
      }
    }
    return StateReport(.register, world.terms, number: 0, log: log)
  }
}
