import MurphyJudge
import MurphyModel
import Simulation

/// Things that are created, listed and deleted, perhaps by owners who each see their own.
struct SetWorld {
  enum Fault: CaseIterable {
    case lostWrite, neverListed, deleteNotKept, droppedItem, idTwice, keyIgnored, leak, wrongOwner
  }

  private enum Request: Sendable { case list, create(once: Int32), delete(Int32) }

  private struct Answer {
    var ids: Set<Int32> = []
    var id: Int32 = -1
  }

  var world: StateWorld
  var fault: Fault?
  var share = 0.1
  /// 0 for a set that is everybody's.
  var owners = 0
  /// Whether clients send creations again with the same idempotency key.
  var repeats = false

  mutating func report() -> StateReport {
    let log = log()
    return StateReport(.set(isSnapshot: false), world.terms, number: 0, log: log)
  }

  private func owner(_ client: Int) -> Int32 { owners > 0 ? Int32(client % owners) : -1 }

  private mutating func log() -> StateLog {
    var live: [Int32: Int32] = [:]
    var gone: Set<Int32> = []
    var history: [(at: Double, live: [Int32: Int32])] = [(-.infinity, [:])]
    var (newest, newestKey): (Int32, Int32) = (0, 0)
    var made: [Int32: Int32] = [:]
    var mine: [Int: [Int32]] = [:]
    var lastKey: [Int: Int32] = [:]
    let (fault, share, repeats, lag, world, owners) = (fault, share, repeats, world.lag, self, owners)
    let exchanges = self.world.run { client, random in
      let luck = random.unit()
      if luck < 0.4 { return Request.list }
      if luck < 0.6, let id = mine[client]?.popLast() { return .delete(id) }
      if repeats, let key = lastKey[client], random.unit() < 0.4 { return .create(once: key) }
      newestKey += 1
      lastKey[client] = newestKey
      return .create(once: newestKey)
    } serve: { (exchange: StateWorld.Exchange<Request, Answer>, now, random, _) in
      let (isHit, owner) = (random.unit() < share, world.owner(exchange.client))
      defer { history.append((now, live)) }
      switch exchange.request {
      case .list:
        let back = now - random.unit() * lag
        let there = history.last { $0.at <= back }?.live ?? [:]
        var ids = Set(there.filter { $0.value == owner }.keys).subtracting(gone)
        if fault == .droppedItem, isHit, let first = ids.min() { ids.remove(first) }
        if fault == .leak, isHit { ids.formUnion(there.keys) }
        return Answer(ids: ids)
      case .create(let key):
        if repeats, let id = made[key], fault != .keyIgnored || !isHit { return Answer(id: id) }
        newest += 1
        if fault == .idTwice, isHit, newest > 1 { newest -= 1 }
        if fault == .neverListed, isHit { gone.insert(newest) }
        if fault != .lostWrite || !isHit {
          live[newest] = fault == .wrongOwner && isHit ? (owner + 1) % Int32(owners) : owner
        }
        made[key] = newest
        return Answer(id: newest)
      case .delete(let id):
        if fault != .deleteNotKept || !isHit { live[id] = nil }
        return Answer(id: id)
      }
    } learn: { exchange in
      if case .create = exchange.request, let id = exchange.answer?.id { mine[exchange.client, default: []].append(id) }
    }
    var log = StateLog(invariants: 1)
    for exchange in exchanges { append(exchange, to: &log) }
    return log
  }

  private func append(_ exchange: StateWorld.Exchange<Request, Answer>, to log: inout StateLog) {
    func logged(_ role: StateExchange.Role, _ key: Int32) -> StateExchange {
      var logged = exchange.logged(role, key: key)
      logged.actor = owner(exchange.client)
      return logged
    }
    switch exchange.request {
    case .create(let key):
      var created = logged(.create, exchange.answer?.id ?? -1)
      if repeats { created.once = key }
      log.exchanges.append(created)
    case .delete(let id): log.exchanges.append(logged(.delete, id))
    case .list:
      guard let answer = exchange.answer else { return }
      log.exchanges.append(logged(.list, -1))
      for id in answer.ids.sorted() {
        var shown = logged(.shown, id)
        (shown.operation, shown.b) = (0, 1)
        log.exchanges.append(shown)
      }
    }
  }
}
