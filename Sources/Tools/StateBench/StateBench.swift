import MurphyJudge
import MurphyModel

/// Measures the time of the state judge on a log with the given number of exchanges: `StateBench [EXCHANGES]`. Sixteen
/// are in flight at any time, 1 % of the writes have no response, and nothing is contradictory.
@main struct StateBench {
  static func main() {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    for keys in [1, 50, max(count / 200, 1)] {
      for (name, rule, log) in logs(count, keys: keys) {
        var terms = StateTerms()
        terms.isExclusive = true
        terms.startsQuiet = true
        let clock = ContinuousClock()
        var report: StateReport?
        let time = clock.measure { report = StateReport(rule, terms, number: 0, log: log) }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let found = report.map { "\($0.violations.count) violations, \($0.tested) of \($0.keys) keys tested" } ?? ""
        let rounded = (seconds * 1000).rounded() / 1000
        print("\(name), \(log.exchanges.count) exchanges, \(keys) keys: \(rounded) s; \(found)")
      }
    }
  }

  private struct Event {
    var sent: Int64
    var effect: Int64
    var answered: Int64
    var isWrite: Bool
    var isLost: Bool
  }

  private static func logs(_ count: Int, keys: Int) -> [(String, StateRule, StateLog)] {
    var random = RandomSource(seed: 4)
    var ledger = StateLog(invariants: 1)
    var counter = ledger
    var versions = ledger
    var register = ledger
    for key in 0..<keys {
      var now = 0.0
      let events = (0..<count / keys).map { _ in
        now += -0.01 * log2(1 - random.unit()) * 0.7
        let effect = now + random.unit() * 0.08
        return Event(
          sent: Int64(now * 1e9), effect: Int64(effect * 1e9), answered: Int64((effect + random.unit() * 0.08) * 1e9),
          isWrite: random.unit() < 0.5, isLost: random.unit() < 0.01)
      }
      let order = events.indices.sorted { events[$0].effect < events[$1].effect }
      var (ups, number): (Set<Int>, Int64) = ([], 0)
      var shown = [(ups: Int64, number: Int64)](repeating: (0, 0), count: events.count)
      for index in order {
        if events[index].isWrite {
          ups.insert(index % 500)
          number += 1
        }
        shown[index] = (Int64(ups.count), number)
      }
      var last = Int32(-1)
      var values = [Int32](repeating: -1, count: events.count)
      for index in order {
        if events[index].isWrite { last = Int32(index) }
        values[index] = last
      }
      for (index, event) in events.enumerated() {
        var exchange = StateExchange(
          invariant: 0, operation: 0, role: event.isWrite ? .write : .read,
          outcome: event.isWrite && event.isLost ? .unknown : .accepted, key: Int32(key), sent: event.sent,
          answered: event.answered)
        exchange.actor = Int32(index % 500)
        exchange.a = event.isWrite ? 1 : shown[index].ups
        ledger.exchanges.append(exchange)
        exchange.a = event.isWrite ? StateExchange.none : shown[index].number
        counter.exchanges.append(exchange)
        exchange.a = event.isWrite ? shown[index].number - 1 : shown[index].number
        if event.isWrite, !event.isLost { exchange.b = shown[index].number }
        versions.exchanges.append(exchange)
        exchange.c = values[index]
        register.exchanges.append(exchange)
      }
    }
    return [
      ("ledger", .ledger, ledger), ("counter", .counter, counter), ("versions", .versions, versions),
      ("register", .register, register),
    ]
  }

  /// Without Foundation: the logarithm to base 2, by its series between 0.5 and 1.
  private static func log2(_ value: Double) -> Double {
    let exponent = value.exponent
    var (fraction, result, bit) = (value.significand, 0.0, 0.5)
    for _ in 0..<30 {
      fraction *= fraction
      if fraction >= 2 {
        fraction /= 2
        result += bit
      }
      bit /= 2
    }
    return Double(exponent) + result
  }
}
