import MurphyJudge
import MurphyModel
import Simulation

/// A count that accepted writes raise by one.
struct CounterWorld {
  enum Fault: CaseIterable { case lostWrite, doubleCount, stale, refusedCounts, keyIgnored }

  private enum Request: Sendable, Equatable { case read, raise(once: Int32) }

  var world: StateWorld
  var fault: Fault?
  var share = 0.1
  var base: Int64 = 0
  var showsAnswers = false
  /// Whether clients send increments again with the same idempotency key.
  var repeats = false

  mutating func report() -> StateReport {
    var count = base
    var history: [(at: Double, count: Int64)] = [(-.infinity, base)]
    let (fault, share, lag, repeats) = (fault, share, world.lag, repeats)
    var (keys, last, done): (Int32, [Int: Int32], [Int32: Int64]) = (0, [:], [:])
    let exchanges = world.run { client, random in
      if random.unit() < 0.35 { return Request.read }
      if repeats, let key = last[client], random.unit() < 0.4 { return .raise(once: key) }
      keys += 1
      last[client] = keys
      return .raise(once: keys)
    } serve: { (exchange: StateWorld.Exchange<Request, Int64>, now, random, _) in
      let isHit = random.unit() < share
      guard case .raise(let once) = exchange.request else {
        let back = now - random.unit() * lag - (fault == .stale && isHit ? 0.2 : 0)
        return history.last { $0.at <= back }?.count ?? count
      }
      // Some servers answer as the first time, and some with the count as it is.
      if repeats, fault != .keyIgnored || !isHit, let answer = done[once] { return once % 2 == 0 ? answer : count }
      if random.unit() < 0.05 {
        exchange.isRefused = true
        if fault == .refusedCounts, isHit { count += 1 }
      } else if fault == .lostWrite, isHit {
        return count + 1
      } else {
        count += fault == .doubleCount && isHit ? 2 : 1
        done[once] = count
      }
      history.append((now, count))
      return count
    }
    var log = StateLog(invariants: 1)
    for exchange in exchanges {
      guard case .raise(let once) = exchange.request else {
        guard let answer = exchange.answer else { continue }
        var read = exchange.logged(.read)
        read.a = answer
        log.exchanges.append(read)
        continue
      }
      var write = exchange.logged(.write)
      if repeats { write.once = once }
      log.exchanges.append(write)
      guard showsAnswers, lag == 0, let answer = exchange.answer, !exchange.isRefused else { continue }
      var own = exchange.logged(.response)
      own.a = answer
      log.exchanges.append(own)
    }
    let end = Int64(((exchanges.compactMap { $0.isOpen ? $0.sent : $0.ended }.max() ?? 0) + 20) * 1e9)
    for (moment, shown) in [(Int64(-2_000_000_000), base), (end, count)] {
      var read = StateExchange(
        invariant: 0, operation: 2, role: .read, outcome: .accepted, sent: moment, answered: moment + 10)
      read.a = shown
      log.exchanges.append(read)
    }
    return StateReport(.counter, world.terms, number: 0, log: log)
  }
}

/// An entry with a version that each accepted push raises by one.
struct VersionWorld {
  enum Fault: CaseIterable { case gap, oldBaseTaken, race, conflictBody, staleRead, lostWrite }

  private enum Request: Sendable { case read, push(based: Int64, body: Int32) }

  private struct Entry {
    var version: Int64
    var body: Int32
  }

  var world: StateWorld
  var fault: Fault?
  var share = 0.1

  mutating func report() -> StateReport {
    var entry = Entry(version: 0, body: -1)
    var history: [(at: Double, entry: Entry)] = [(-.infinity, entry)]
    var known: [Int: Int64] = [:]
    var bodies: Int32 = 0
    let (fault, share, lag) = (fault, share, world.lag)
    let exchanges = world.run { client, random in
      if random.unit() < 0.4 { return Request.read }
      bodies += 1
      return .push(based: known[client] ?? 0, body: bodies)
    } serve: { (exchange: StateWorld.Exchange<Request, Entry>, now, random, all) in
      let isHit = random.unit() < share
      guard case .push(let based, let body) = exchange.request else {
        let back = now - random.unit() * lag - (fault == .staleRead && isHit ? 0.2 : 0)
        return history.last { $0.at <= back }?.entry ?? entry
      }
      var isCurrent = based == entry.version
      if based == entry.version - 1, isHit, fault == .oldBaseTaken || fault == .race {
        let met = all.suffix(30).contains { other in
          guard other !== exchange, case .push(based, _) = other.request else { return false }
          return other.sent <= now && other.isOpen && other.answer?.version == entry.version
        }
        if fault == .oldBaseTaken || met {
          isCurrent = true
          entry.version -= 1
        }
      }
      guard isCurrent else {
        exchange.isRefused = true
        return Entry(version: entry.version, body: fault == .conflictBody && isHit ? body : entry.body)
      }
      if fault == .lostWrite, isHit { return Entry(version: entry.version + 1, body: body) }
      entry = Entry(version: entry.version + (fault == .gap && isHit ? 2 : 1), body: body)
      history.append((now, entry))
      return entry
    } learn: { exchange in
      guard let answer = exchange.answer else { return }
      known[exchange.client] =
        exchange.isRefused ? answer.version : max(known[exchange.client] ?? 0, answer.version)
    }
    var log = StateLog(invariants: 1)
    for exchange in exchanges {
      if case .push(let based, let body) = exchange.request {
        var push = exchange.logged(.write)
        (push.a, push.c) = (based, body)
        if let answer = exchange.answer, !exchange.isRefused { push.b = answer.version }
        log.exchanges.append(push)
        guard exchange.isRefused else { continue }
      }
      guard let answer = exchange.answer else { continue }
      var view = exchange.logged(exchange.isRefused ? .conflict : .read)
      view.outcome = .accepted
      (view.a, view.c) = (answer.version, answer.version == 0 ? -1 : answer.body)
      log.exchanges.append(view)
    }
    return StateReport(.versions, world.terms, number: 0, log: log)
  }
}

/// Replicas lag; a conforming server shows each session at least what it has seen.
struct SessionWorld {
  var world: StateWorld
  var strays = 0.0

  mutating func report() -> StateReport {
    var count: Int64 = 0
    var history: [(at: Double, count: Int64)] = [(-.infinity, 0)]
    var floor: [Int: Int64] = [:]
    let strays = strays
    let exchanges = world.run { _, random in
      random.unit() < 0.7
    } serve: { (exchange: StateWorld.Exchange<Bool, Int64>, now, random, _) in
      let client = exchange.client
      guard exchange.request else {
        count += 1
        history.append((now, count))
        floor[client] = count
        return count
      }
      let back = now - random.unit() * 0.2
      var shown = history.last { $0.at <= back }?.count ?? 0
      if random.unit() >= strays { shown = max(shown, floor[client] ?? 0) }
      floor[client] = max(floor[client] ?? 0, shown)
      return shown
    }
    var log = StateLog(invariants: 1)
    log.exchanges = exchanges.compactMap { exchange in
      guard let answer = exchange.answer else { return nil }
      var logged = exchange.logged(exchange.request ? .read : .write)
      logged.a = answer
      return logged
    }
    return StateReport(.session, world.terms, number: 0, log: log)
  }
}
