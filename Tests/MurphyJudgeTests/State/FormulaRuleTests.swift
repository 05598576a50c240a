import MurphyJudge
import MurphyModel
import Simulation
import Testing

@Suite struct FormulaRuleTests {
  private static func log(shown: Int64, unknown: Bool) -> StateLog {
    var log = StateLog(invariants: 1)
    for index in 0..<3 {
      log.exchanges.append(
        StateExchange(
          invariant: 0, operation: 0, role: .write, outcome: unknown && index == 0 ? .unknown : .accepted,
          sent: Int64(index) * 10, answered: Int64(index) * 10 + 5))
    }
    var read = StateExchange(invariant: 0, operation: 1, role: .read, outcome: .accepted, sent: 100, answered: 101)
    read.a = shown
    log.exchanges.append(read)
    return log
  }

  /// read.count >= accepted.before and read.count <= accepted.begun + unknown.begun
  private static let rule = StateRule.formula(
    .both(
      .test(.read("count"), .atLeast, .count(.accepted, .before)),
      .test(.read("count"), .atMost, .sum(.count(.accepted, .begun), .count(.unknown, .begun)))), names: ["count"])

  @Test(arguments: [
    (3, false, true), (2, false, false), (4, false, false), (2, true, true), (3, true, true), (1, true, false),
  ])
  func `unknown writes widen the bounds`(shown: Int, unknown: Bool, holds: Bool) {
    let report = StateReport(Self.rule, StateTerms(), number: 0, log: Self.log(shown: Int64(shown), unknown: unknown))
    #expect(report.violations.isEmpty == holds, "\(shown)")
  }

  /// read.count == sum(accepted.before, body.amount, body.kind == deposit) + sum(unknown.before, …) - … == withdraw …
  private static let balance = StateRule.formula(
    .test(.read("count"), .equal, .difference(Self.moved(matching: 0), Self.moved(matching: 1))), names: ["count"])

  private static func moved(matching match: Int) -> StateFormula {
    .sum(.total(0, .accepted, .before, matching: match), .total(0, .unknown, .before, matching: match))
  }

  @Test func `conforming servers are never accused`() {
    for number in 0..<SimulationSize.count(20_000, least: 1_000) {
      var account = AccountWorld(world: .drawn(seed: 800_000 + UInt64(number)))
      if number % 4 == 1 { account.world.settle = 1 }
      let report = account.report(Self.balance)
      #expect(report.violations.isEmpty, "seed \(800_000 + number): \(report.first?.sentence ?? "")")
    }
  }

  @Test(arguments: AccountWorld.Fault.allCases) func `faults are found`(fault: AccountWorld.Fault) {
    let runs = SimulationSize.count(200, least: 30)
    let found = (0..<runs).count { number in
      var account = AccountWorld(
        world: .faulty(seed: 14_000 + UInt64(number), exchanges: 200, clients: 4), fault: fault)
      account.world.lost = 0
      return account.report(Self.balance).first?.kind == .stateFormula
    }
    #expect(Double(found) >= 0.85 * Double(runs), "\(fault): found in \(found) of \(runs) runs")
  }

  /// A sum over writes of which one does not say its number is not known.
  @Test func `what a write does not say is not judged`() {
    let rule = StateRule.formula(
      .test(.read("count"), .equal, .total(0, .accepted, .before, matching: nil)), names: ["count"])
    func report(_ amount: Int64) -> StateReport {
      var log = StateLog(invariants: 1)
      for (sent, amount) in [(Int64(0), Int64(5)), (10, amount)] {
        var write = StateExchange(
          invariant: 0, operation: 0, role: .write, outcome: .accepted, sent: sent, answered: sent + 5)
        write.a = amount
        log.exchanges.append(write)
      }
      var read = StateExchange(invariant: 0, operation: 1, role: .read, outcome: .accepted, sent: 100, answered: 101)
      read.a = 5
      log.exchanges.append(read)
      return StateReport(rule, StateTerms(), number: 0, log: log)
    }
    #expect(report(2).first?.kind == .stateFormula)
    #expect(report(0).violations.isEmpty && report(0).tested == 1)
    #expect(report(StateExchange.none).violations.isEmpty && report(StateExchange.none).tested == 0)
  }
}

/// An account that deposits raise and withdrawals lower.
struct AccountWorld {
  enum Fault: CaseIterable { case lostWrite, doubleAmount, refusedCounts, withdrawalIgnored }

  private enum Request: Sendable { case read, move(amount: Int64, isDeposit: Bool) }

  var world: StateWorld
  var fault: Fault?

  mutating func report(_ rule: StateRule) -> StateReport {
    var balance: Int64 = 0
    var history: [(at: Double, balance: Int64)] = [(-.infinity, 0)]
    let (fault, lag) = (fault, world.lag)
    let exchanges = world.run { _, random in
      random.unit() < 0.4 ? Request.read : .move(amount: Int64(1 + random.below(50)), isDeposit: random.unit() < 0.6)
    } serve: { (exchange: StateWorld.Exchange<Request, Int64>, now, random, _) in
      let isHit = random.unit() < 0.1
      guard case .move(let amount, let isDeposit) = exchange.request else {
        let back = now - random.unit() * lag
        return history.last { $0.at <= back }?.balance ?? balance
      }
      var change = isDeposit ? amount : -amount
      switch fault {
      case .lostWrite where isHit: change = 0
      case .doubleAmount where isHit: change *= 2
      case .withdrawalIgnored where !isDeposit && isHit: change = 0
      default: break
      }
      if random.unit() < 0.1 {
        exchange.isRefused = true
        if fault != .refusedCounts { change = 0 }
      }
      balance += change
      history.append((now, balance))
      return balance
    }
    var log = StateLog(invariants: 1)
    let kinds = (deposit: log.names.number(of: "10"), withdrawal: log.names.number(of: "01"))
    for exchange in exchanges {
      switch exchange.request {
      case .read:
        guard let answer = exchange.answer else { continue }
        var read = exchange.logged(.read)
        read.a = answer
        log.exchanges.append(read)
      case .move(let amount, let isDeposit):
        var write = exchange.logged(.write)
        (write.a, write.c) = (amount, isDeposit ? kinds.deposit : kinds.withdrawal)
        log.exchanges.append(write)
      }
    }
    return StateReport(rule, world.terms, number: 0, log: log)
  }
}
