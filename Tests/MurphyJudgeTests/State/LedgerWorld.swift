import MurphyJudge
import MurphyModel
import Simulation

/// One thing to vote for, up, down or not at all, and its faults.
struct LedgerWorld {
  enum Fault: CaseIterable {
    case lostWrite, doubleCount, switchOnlyAdds, retractionIgnored, refusedCounts, lostUpdate, stale, answerBefore
    /// Of toggles: a second vote of the same kind is kept.
    case repeatKept
    /// A vote that is sent again with its idempotency key is one more.
    case keyIgnored
  }

  fileprivate enum Request: Sendable {
    case read
    case vote(voter: Int, LedgerHistory.Choice, once: Int32)
  }

  fileprivate struct Counts {
    var up: Int64
    var down: Int64
  }

  var world: StateWorld
  var fault: Fault?
  /// Share of the exchanges that the fault strikes.
  var share = 0.1
  /// What was counted before the run.
  var base: (up: Int64, down: Int64) = (0, 0)
  /// Whether the client reads once before the first vote.
  var readsFirst = true
  /// Whether a second vote of the same kind takes the first back.
  var toggles = false
  /// Whether voters send votes again with the same idempotency key.
  var repeats = false

  private static let refused = 0.1

  mutating func report() -> StateReport {
    let log = log()
    return StateReport(toggles ? .toggles : .ledger, world.terms, number: 0, log: log)
  }

  mutating func log() -> StateLog {
    var state: [Int: LedgerHistory.Choice] = [:]
    var extra = Counts(up: base.up, down: base.down)
    var history: [(at: Double, counts: Counts)] = [(-.infinity, extra)]
    func tally() -> Counts {
      Counts(
        up: extra.up + Int64(state.values.count { $0 == .up }),
        down: extra.down + Int64(state.values.count { $0 == .down }))
    }
    let (fault, share, lag, toggles, repeats) = (fault, share, world.lag, toggles, repeats)
    var (keys, last, done): (Int32, [Int: Request], [Int32: Counts]) = (0, [:], [:])
    let exchanges = world.run { client, random in
      if random.unit() < 0.35 { return Request.read }
      if repeats, let request = last[client], random.unit() < 0.4 { return request }
      keys += 1
      let kind = [LedgerHistory.Choice.up, .up, .up, .down, .none][random.below(5)]
      last[client] = .vote(voter: client, kind, once: keys)
      return .vote(voter: client, kind, once: keys)
    } serve: { (exchange: StateWorld.Exchange<Request, Counts>, now, random, all) in
      guard case .vote(let voter, let kind, let once) = exchange.request else {
        var back = now - random.unit() * lag
        if fault == .stale, random.unit() < share { back = now - 0.2 }
        return history.last { $0.at <= back }?.counts ?? tally()
      }
      if random.unit() < Self.refused {
        if fault == .refusedCounts, random.unit() < share {
          state[voter] = kind
          history.append((now, tally()))
        }
        exchange.isRefused = true
        return tally()
      }
      let (old, before) = (state[voter] ?? .none, tally())
      let isHit = random.unit() < share
      if repeats, fault != .keyIgnored || !isHit, let answer = done[once] { return answer }
      defer { done[once] = tally() }
      state[voter] = fault == .retractionIgnored && kind == .none ? old : kind
      if toggles, old == kind, fault != .repeatKept || !isHit { state[voter] = LedgerHistory.Choice.none }
      if fault == .lostWrite, isHit {
        let shown = tally()
        state[voter] = old
        return shown
      }
      if fault == .doubleCount, old == kind, kind != .none { if kind == .up { extra.up += 1 } else { extra.down += 1 } }
      if fault == .switchOnlyAdds, old != kind, old != .none, kind != .none {
        if old == .up { extra.up += 1 } else { extra.down += 1 }
      }
      if fault == .lostUpdate, kind == .up, isHit,
        all.suffix(40).contains(where: { $0 !== exchange && $0.sent <= now && $0.isOpen && $0.isVote })
      {
        extra.up += before.up - tally().up
      }
      history.append((now, tally()))
      return fault == .answerBefore && isHit ? before : tally()
    }
    var log = StateLog(invariants: 1)
    func read(_ counts: Counts, _ from: Double, _ until: Double) -> StateExchange {
      var read = StateExchange(
        invariant: 0, operation: 2, role: .read, outcome: .accepted, sent: Int64(from * 1e9),
        answered: Int64(until * 1e9))
      (read.a, read.b) = (counts.up, counts.down)
      return read
    }
    if readsFirst { log.exchanges.append(read(Counts(up: base.up, down: base.down), -2, -1)) }
    for exchange in exchanges {
      guard case .vote(let voter, let kind, let once) = exchange.request else {
        guard let answer = exchange.answer else { continue }
        var logged = exchange.logged(.read)
        (logged.a, logged.b) = (answer.up, answer.down)
        log.exchanges.append(logged)
        continue
      }
      var logged = exchange.logged(.write)
      logged.a = Int64(kind.rawValue)
      logged.actor = Int32(voter)
      if repeats { logged.once = once }
      log.exchanges.append(logged)
      guard let answer = exchange.answer, !exchange.isRefused, world.lag == 0 else { continue }
      var own = exchange.logged(.response)
      (own.actor, own.a, own.b) = (logged.actor, answer.up, answer.down)
      log.exchanges.append(own)
    }
    let end = (exchanges.compactMap { $0.isOpen ? $0.sent : $0.ended }.max() ?? 0) + 20
    log.exchanges.append(read(tally(), end, end + 0.01))
    return log
  }
}

extension StateWorld.Exchange where Request: Sendable {
  fileprivate var isVote: Bool {
    if case LedgerWorld.Request.vote? = request as? LedgerWorld.Request { true } else { false }
  }
}
