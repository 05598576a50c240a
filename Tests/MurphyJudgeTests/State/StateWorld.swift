import HeapModule
import MurphyJudge
import MurphyModel
import Simulation

/// A server with its clients, event by event: each exchange is sent, takes effect at one moment, and is answered; some
/// responses are lost, and then the effect comes now, late or never.
struct StateWorld {
  var clients = 4
  var exchanges = 30
  var lost = 0.05
  /// Seconds to the effect, and from it to the response, on average.
  var service = 0.02
  var think = 0.02
  /// Seconds by which reads may be old, as declared.
  var lag = 0.0
  /// Seconds within which lost writes take effect.
  var settle = Double.infinity
  var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  /// What a conforming server may do: lost responses, lag, short and long think times.
  static func drawn(seed: UInt64) -> StateWorld {
    var world = StateWorld(seed: seed)
    world.exchanges = Int(world.random.next() % 31) + 10
    world.lost = [0, 0.05, 0.15][Int(world.random.next() % 3)]
    world.think = [0.002, 0.02, 0.1][Int(world.random.next() % 3)]
    world.lag = [0, 0, 0.1][Int(world.random.next() % 3)]
    return world
  }

  /// A world of the table of powers: 2 % of the responses lost.
  static func faulty(seed: UInt64, exchanges: Int, clients: Int) -> StateWorld {
    var world = StateWorld(seed: seed)
    (world.exchanges, world.clients, world.lost, world.think) = (exchanges, clients, 0.02, 0.05)
    return world
  }

  final class Exchange<Request, Answer> {
    let client: Int
    let request: Request
    let sent: Double
    fileprivate(set) var ended = Double.nan
    fileprivate(set) var answer: Answer?
    fileprivate(set) var isLost = false
    /// Set by the server.
    var isRefused = false

    init(client: Int, request: Request, sent: Double) {
      (self.client, self.request, self.sent) = (client, request, sent)
    }

    var isOpen: Bool { ended.isNaN }
  }

  private struct Event<Request, Answer>: Comparable {
    enum What { case send, effect, answer, next }
    var at: Double
    var number: Int
    var what: What
    var client: Int
    var exchange: Exchange<Request, Answer>?

    static func < (left: Self, right: Self) -> Bool { (left.at, left.number) < (right.at, right.number) }
    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  }

  mutating func run<Request, Answer>(
    choose: (Int, inout RandomSource) -> Request,
    serve: (Exchange<Request, Answer>, Double, inout RandomSource, [Exchange<Request, Answer>]) -> Answer,
    learn: (Exchange<Request, Answer>) -> Void = { _ in }
  ) -> [Exchange<Request, Answer>] {
    typealias E = Event<Request, Answer>
    var heap = Heap<E>()
    var number = 0
    var log: [Exchange<Request, Answer>] = []
    func push(_ at: Double, _ what: E.What, _ client: Int, _ exchange: Exchange<Request, Answer>?) {
      heap.insert(E(at: at, number: number, what: what, client: client, exchange: exchange))
      number += 1
    }
    for client in 0..<clients { push(random.unit() * think, .send, client, nil) }
    while let event = heap.popMin() {
      switch event.what {
      case .send:
        guard log.count < exchanges else { continue }
        let exchange = Exchange<Request, Answer>(
          client: event.client, request: choose(event.client, &random), sent: event.at)
        log.append(exchange)
        var effect = event.at + random.exponential(mean: service) * (random.unit() < 0.05 ? 8 : 1)
        let luck = random.unit()
        guard luck < lost else {
          push(effect, .effect, event.client, exchange)
          continue
        }
        exchange.isLost = true
        effect = min(effect, event.at + settle)
        if luck < lost * 2 / 3 {
          let late = min(effect + random.unit() * 20 * service, event.at + settle)
          push(luck < lost / 3 ? effect : late, .effect, event.client, exchange)
        }
        push(event.at + 6 * service, .next, event.client, exchange)
        continue
      case .effect:
        guard let exchange = event.exchange else { continue }
        let answer = serve(exchange, event.at, &random, log)
        guard !exchange.isLost else { continue }
        exchange.answer = answer
        push(event.at + random.exponential(mean: service), .answer, event.client, exchange)
        continue
      case .answer:
        guard let exchange = event.exchange else { continue }
        exchange.ended = event.at
        learn(exchange)
      case .next: event.exchange?.ended = event.at
      }
      push(event.at + (think > 0 ? random.exponential(mean: think) : 0), .send, event.client, nil)
    }
    return log
  }

  /// What the client declares.
  var terms: StateTerms {
    var terms = StateTerms()
    terms.isExclusive = true
    terms.startsQuiet = true
    if settle.isFinite { terms.settle = Int64(settle * 1e9) }
    terms.lags = [0: Int64(lag * 1e9)]
    return terms
  }
}

extension StateWorld.Exchange {
  /// The exchange as the client logs it.
  func logged(_ role: StateExchange.Role, key: Int32 = 0) -> StateExchange {
    var logged = StateExchange(
      invariant: 0, operation: role == .read || role == .list ? 0 : 1, role: role,
      outcome: isLost ? .unknown : isRefused ? .refused : .accepted, status: isLost ? 0 : isRefused ? 409 : 200,
      key: key, sent: Int64(sent * 1e9), answered: isOpen ? Int64(sent * 1e9) : Int64(ended * 1e9))
    logged.session = Int32(client)
    return logged
  }
}

extension StateReport {
  /// The only or first violation.
  var first: StateViolation? { violations.first?.violation }
}
