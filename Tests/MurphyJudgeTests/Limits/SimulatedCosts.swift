import MurphyJudge
import MurphyModel

/// A limiter on which requests have different costs, and the log of a client that exceeds its quota again and again.
struct SimulatedCosts {
  var policy: LimitPolicy
  private var events: [(sent: Double, decided: Double, settled: Double, cost: Int)] = []
  private var admitted: [Bool] = []

  init(_ algorithm: LimitAlgorithm, seed: UInt64) {
    var random = RandomSource(seed: seed)
    func whole(_ low: Int, _ high: Int) -> Int { low + Int(random.unit() * Double(high - low + 1)) }
    let allowance = whole(40, 400)
    let window = Double(whole(2, 8))
    policy = LimitPolicy(
      name: "tokens", operations: [], algorithm: algorithm, allowance: allowance,
      window: .saturating(seconds: window), key: .global, tick: .milliseconds(1))
    policy.cost = LimitCost(text: "body.tokens", isCountedLate: false)
    let largest = whole(2, max(allowance / 8, 2))
    var moment = random.unit()
    while moment < 6 * window {
      // About half of the requests are small: they show the rest of the quota.
      let cost = random.unit() < 0.5 ? 1 : whole(1, largest)
      let decided = moment + 0.002 + 0.01 * random.unit()
      events.append((moment, decided, decided + 0.002 + 0.01 * random.unit(), cost))
      let pause = random.unit() < 0.02 ? 0.8 * window * random.unit() : 0
      moment += pause + 0.6 * window * Double(largest) / 4 / Double(allowance) * random.unit()
    }
    var limiter = LimiterModel(algorithm, allowance: allowance, window: window, phase: random.unit() * window)
    admitted = Array(repeating: false, count: events.count)
    for index in events.indices.sorted(by: { events[$0].decided < events[$1].decided }) {
      admitted[index] = limiter.admits(at: events[index].decided, cost: events[index].cost)
    }
  }

  /// The row of the policy with another quota, if requests have other costs than the limiter counts.
  func row(quota: Double = 1, cost: (Int) -> Int? = { $0 }) -> LimitRow {
    var log = LogBuilder()
    for (event, isAdmitted) in zip(events, admitted) {
      log.add(event.sent, event.settled, isAdmitted ? 200 : 429)
      log.log.costs.append(cost(event.cost).map { ["body.tokens": $0] } ?? [:])
      log.log.observations[log.log.observations.count - 1].costs = Int32(log.log.costs.count - 1)
    }
    var declared = policy
    declared.allowance = Int((Double(policy.allowance) * quota).rounded())
    let options = LimitJudgeOptions(startsQuiet: true, sharesClock: true)
    return LimitJudge.judge(log: log.log, policies: [declared], options: options).rows[0]
  }
}
