import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct DeliveryRuleTests {
  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 500) {
      let report = DeliveryWorld(seed: 700_000 + UInt64(number)).report()
      #expect(report.violations.isEmpty, "seed \(700_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  @Test(arguments: DeliveryWorld.Fault.allCases) func `faults are found`(fault: DeliveryWorld.Fault) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { !DeliveryWorld(seed: 13_000 + UInt64($0), fault: fault).report().violations.isEmpty }
    #expect(Double(found) >= 0.85 * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }
}

/// Batches of messages, some of them marked as undeliverable, and polls for their receipts.
struct DeliveryWorld {
  enum Fault: CaseIterable {
    case idTwice, permuted, tooShort, noReceipt, badIsFine, receiptsSwapped, receiptFlips, failureArrives
    /// A batch that is sent again with its idempotency key gets other tickets.
    case keyIgnored
  }

  var random: RandomSource
  var fault: Fault?
  /// Whether messages say what their receipts must say.
  var saysFate: Bool

  init(seed: UInt64, fault: Fault? = nil) {
    random = RandomSource(seed: seed)
    self.fault = fault
    saysFate = fault != .receiptFlips && !seed.isMultiple(of: 3)
    if fault == .receiptsSwapped || fault == .failureArrives { saysFate = true }
  }

  func report() -> StateReport {
    var random = random
    var log = StateLog(invariants: 1)
    var (now, newest, batches): (Double, Int32, Int32) = (0, 0, 0)
    var pending: [Int32] = []
    var there: [Int32: Double] = [:]
    /// Tickets of messages that never arrive; whether the message said so is another draw.
    var failing: Set<Int32> = []
    var shown: Set<Int32> = []
    func entry(_ role: StateExchange.Role, _ a: Int64, _ b: Int64, _ id: Int32) -> StateExchange {
      var entry = StateExchange(
        invariant: 0, operation: 0, role: role, outcome: .accepted, sent: Int64(now * 1e9),
        answered: Int64((now + 0.02) * 1e9))
      (entry.a, entry.b, entry.c) = (a, b, id)
      return entry
    }
    /// The response to a batch, and the same batch sent again with its idempotency key.
    func enter(_ facts: [TicketFacts], _ ids: [Int32], once: Int32) {
      for sending in 0..<(random.unit() < 0.3 ? 2 : 1) {
        let isOther = sending == 1 && fault == .keyIgnored && random.unit() < 0.5
        var batch = entry(.batch, Int64(facts.count), Int64(ids.count), -1)
        batch.once = once
        log.exchanges.append(batch)
        for (place, (facts, id)) in zip(facts, ids).enumerated() {
          if isOther, id >= 0 { newest += 1 }
          var ticket = entry(.ticket, Int64(place), facts.rawValue, isOther && id >= 0 ? newest : id)
          ticket.once = once
          log.exchanges.append(ticket)
        }
        now += 0.01
      }
    }
    func poll(_ asked: [Int32], after wait: Double) {
      now += wait
      var says = asked.map { failing.contains($0) }
      if fault == .receiptsSwapped, says.count > 1 { says.swapAt(0, says.count - 1) }
      for (id, var hasFailed) in zip(asked, says) {
        let isThere = there[id].map { $0 + 1 <= now } ?? false
        log.exchanges.append(entry(.requested, isThere ? 1 : 0, 0, id))
        guard isThere else { continue }
        if fault == .failureArrives { hasFailed = false }
        if fault == .receiptFlips, !shown.insert(id).inserted { hasFailed.toggle() }
        var receipt = entry(.receipt, 0, hasFailed ? 1 : 0, id)
        receipt.actor = hasFailed ? 1 : 0
        log.exchanges.append(receipt)
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
      let facts = zip(marks, tickets).map { isMarked, ticket -> TicketFacts in
        var facts: TicketFacts = isMarked == ticket.ok ? [.isWrong] : []
        let fails = random.unit() < 0.3
        if fails { failing.insert(ticket.id) }
        if saysFate { facts.insert(fails ? .mustFail : .mustArrive) }
        return facts
      }
      batches += 1
      if marks.count == tickets.count {
        enter(facts, tickets.map(\.id), once: batches)
      } else {
        log.exchanges.append(entry(.batch, Int64(marks.count), Int64(tickets.count), -1))
      }
      pending += tickets.map(\.id).filter { $0 >= 0 }
      if random.unit() < 0.2 {
        poll(pending, after: 1.5)
        // Some are asked for again.
        pending = fault == .receiptFlips || random.unit() < 0.3 ? pending.filter { _ in random.unit() < 0.5 } : []
      }
    }
    poll(pending, after: 5)
    return StateReport(.delivery(within: 1_200_000_000), StateTerms(), number: 0, log: log)
  }
}
