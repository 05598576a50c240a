import MurphyModel
import MurphyState
import Simulation
import Testing

@Suite struct SetRuleTests {
  @Test func conformingServersAreNeverAccused() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var set = SetWorld(world: .drawn(seed: 600_000 + UInt64(number)))
      let report = set.report()
      #expect(report.violations.isEmpty, "seed \(600_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  private enum Step { case create, delete, confirmedDelete, shown, missing }

  @Test func oneThingIsJudgedExactly() {
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
    (.idTwice, 0.1, 0.85),
  ]) func faultsAreFound(fault: SetWorld.Fault, share: Double, least: Double) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var set = SetWorld(
        world: .faulty(seed: 12_000 + UInt64(number), exchanges: 200, clients: 8), fault: fault, share: share)
      return !set.report().violations.isEmpty
    }
    #expect(Double(found) >= least * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }
}

extension SetRuleTests {
  /// One loop's log was full when the thing was deleted, so that only a part of what became of it is known.
  @Test func aThingThatTheLogLeftOutIsNotJudged() {
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
    #expect(report(leavesOut: true).inconclusive == ["the log is full": 1])
  }
}

@Suite struct DeliveryRuleTests {
  @Test func conformingServersAreNeverAccused() {
    for number in 0..<SimulationSize.count(20_000, least: 500) {
      let report = DeliveryWorld(seed: 700_000 + UInt64(number)).report()
      #expect(report.violations.isEmpty, "seed \(700_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  @Test(arguments: DeliveryWorld.Fault.allCases) func faultsAreFound(fault: DeliveryWorld.Fault) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { !DeliveryWorld(seed: 13_000 + UInt64($0), fault: fault).report().violations.isEmpty }
    #expect(Double(found) >= 0.85 * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }
}

/// Things that are created, listed and deleted.
struct SetWorld {
  enum Fault: CaseIterable { case lostWrite, neverListed, deleteNotKept, droppedItem, idTwice }

  private enum Request: Sendable { case list, create, delete(Int32) }

  private struct Answer {
    var ids: Set<Int32> = []
    var id: Int32 = -1
  }

  var world: StateWorld
  var fault: Fault?
  var share = 0.1

  mutating func report() -> StateReport {
    var live: Set<Int32> = []
    var gone: Set<Int32> = []
    var history: [(at: Double, ids: Set<Int32>)] = [(-.infinity, [])]
    var newest: Int32 = 0
    var mine: [Int: [Int32]] = [:]
    let (fault, share, lag) = (fault, share, world.lag)
    let exchanges = world.run { client, random in
      let luck = random.unit()
      if luck < 0.4 { return Request.list }
      if luck < 0.6, let id = mine[client]?.popLast() { return .delete(id) }
      return .create
    } serve: { (exchange: StateWorld.Exchange<Request, Answer>, now, random, _) in
      let isHit = random.unit() < share
      defer { history.append((now, live)) }
      switch exchange.request {
      case .list:
        let back = now - random.unit() * lag
        var ids = (history.last { $0.at <= back }?.ids ?? []).subtracting(gone)
        if fault == .droppedItem, isHit, let first = ids.min() { ids.remove(first) }
        return Answer(ids: ids)
      case .create:
        newest += 1
        if fault == .idTwice, isHit, newest > 1 { newest -= 1 }
        if fault == .neverListed, isHit { gone.insert(newest) }
        if fault != .lostWrite || !isHit { live.insert(newest) }
        return Answer(id: newest)
      case .delete(let id):
        if fault != .deleteNotKept || !isHit { live.remove(id) }
        return Answer(id: id)
      }
    } learn: { exchange in
      if case .create = exchange.request, let id = exchange.answer?.id { mine[exchange.client, default: []].append(id) }
    }
    var log = StateLog(invariants: 1)
    for exchange in exchanges {
      switch exchange.request {
      case .create: log.exchanges.append(exchange.logged(.create, key: exchange.answer?.id ?? -1))
      case .delete(let id): log.exchanges.append(exchange.logged(.delete, key: id))
      case .list:
        guard let answer = exchange.answer else { continue }
        log.exchanges.append(exchange.logged(.list, key: -1))
        for id in answer.ids.sorted() {
          var shown = exchange.logged(.shown, key: id)
          shown.operation = 0
          shown.b = 1
          log.exchanges.append(shown)
        }
      }
    }
    return StateReport(.set(isSnapshot: false), world.terms, number: 0, log: log)
  }
}

/// Batches of messages, some of them marked as undeliverable, and polls for their receipts.
struct DeliveryWorld {
  enum Fault: CaseIterable { case idTwice, permuted, tooShort, noReceipt, badIsFine }

  var random: RandomSource
  var fault: Fault?

  init(seed: UInt64, fault: Fault? = nil) {
    random = RandomSource(seed: seed)
    self.fault = fault
  }

  func report() -> StateReport {
    var random = random
    var log = StateLog(invariants: 1)
    var (now, newest): (Double, Int32) = (0, 0)
    var pending: [Int32] = []
    var there: [Int32: Double] = [:]
    func entry(_ role: StateExchange.Role, _ a: Int64, _ b: Int64, _ id: Int32) -> StateExchange {
      var entry = StateExchange(
        invariant: 0, operation: 0, role: role, outcome: .accepted, sent: Int64(now * 1e9),
        answered: Int64((now + 0.02) * 1e9))
      (entry.a, entry.b, entry.c) = (a, b, id)
      return entry
    }
    func poll(_ asked: [Int32], after wait: Double) {
      now += wait
      for id in asked {
        let isThere = there[id].map { $0 + 1 <= now } ?? false
        log.exchanges.append(entry(.asked, isThere ? 1 : 0, 0, id))
        if isThere { log.exchanges.append(entry(.receipt, 0, 0, id)) }
      }
    }
    for _ in 0..<40 {
      now += random.unit() * 0.1
      let marks = (0..<(1 + random.below(8))).map { _ in random.unit() < 0.2 }
      var tickets: [(ok: Bool, id: Int32)] = marks.map { isMarked in
        newest += 1
        let isFine = !isMarked || (fault == .badIsFine && random.unit() < 0.1)
        let id = fault == .idTwice && random.unit() < 0.1 && newest > 1 ? newest - 1 : newest
        if isFine, fault != .noReceipt || random.unit() >= 0.1 { there[id] = now }
        return (isFine, isFine ? id : -1)
      }
      if fault == .permuted { tickets.sort { !$0.ok && $1.ok } }
      if fault == .tooShort, tickets.count > 5, random.unit() < 0.5 { tickets.removeLast() }
      guard random.unit() >= 0.05 else { continue }
      log.exchanges.append(entry(.batch, Int64(marks.count), Int64(tickets.count), -1))
      if tickets.count == marks.count {
        for (place, (isMarked, ticket)) in zip(marks, tickets).enumerated() {
          log.exchanges.append(entry(.ticket, Int64(place), isMarked == ticket.ok ? 1 : 0, ticket.id))
        }
      }
      pending += tickets.map(\.id).filter { $0 >= 0 }
      if random.unit() < 0.2 {
        poll(pending, after: 1.5)
        pending = []
      }
    }
    poll(pending, after: 5)
    return StateReport(.delivery(within: 1_200_000_000), StateTerms(), number: 0, log: log)
  }
}
