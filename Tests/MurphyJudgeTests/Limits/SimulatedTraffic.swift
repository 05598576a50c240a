import Foundation
import MurphyJudge
import MurphyModel
import Simulation

/// Requests as only the simulation knows them: with the moment at which the server decided.
struct SimulatedTraffic {
  struct Request {
    var sent: Double
    var decided: Double
    var settled: Double
  }

  var requests: [Request]

  /// Bursts and steady stretches around a limit of `allowance` per `window`, `length` windows long; one-way delays
  /// lognormal around 8 ms with 1 % spikes. The traffic of docs/rate-limits.md §2.3.
  init(allowance: Int, window: Double, length: Double = 7, _ random: inout RandomSource) {
    let delays = { (random: inout RandomSource) in
      exp(log(0.008) + 0.5 * random.normal()) + (random.unit() < 0.01 ? random.exponential(mean: 0.15) : 0)
    }
    requests = Self.sendTimes(allowance: allowance, window: window, length: length, &random).map { sent in
      let decided = sent + delays(&random)
      return Request(sent: sent, decided: decided, settled: decided + delays(&random))
    }
  }

  /// The same moments of sending with delays around `median` seconds each way and a heavier tail.
  init(allowance: Int, window: Double, length: Double, slow median: Double, _ random: inout RandomSource) {
    requests = Self.sendTimes(allowance: allowance, window: window, length: length, &random).map { sent in
      let decided = sent + median * exp(0.8 * random.normal())
      return Request(sent: sent, decided: decided, settled: decided + median * exp(0.8 * random.normal()))
    }
  }

  private static func sendTimes(
    allowance: Int, window: Double, length: Double, _ random: inout RandomSource
  ) -> [Double] {
    var moment = 0.0
    var sent: [Double] = []
    while moment < length * window {
      if random.unit() < 0.45 {
        let count = Int(Double(allowance) * random.uniform(0.5, 2)) + 1
        let gap = [0, 5e-4, 2e-3][Int(random.unit() * 3)]
        for index in 0..<count { sent.append(moment + Double(index) * gap) }
        moment += Double(count) * gap + random.uniform(0.05, 1.4) * window
      } else {
        let rate = random.uniform(0.3, 2) * Double(allowance) / window
        let end = moment + random.uniform(0.4, 1.5) * window
        while moment < end {
          sent.append(moment)
          moment += random.exponential(mean: 1 / rate)
        }
        moment += random.uniform(0, 0.6) * window
      }
    }
    return sent
  }

  /// Runs the requests past a limiter in the order of its decisions; `clock` is what the server reads.
  func decisions(
    clock: (Double) -> Double = { $0 }, by admits: (Double) -> Bool
  ) -> [Bool] {
    var admitted = [Bool](repeating: false, count: requests.count)
    for index in requests.indices.sorted(by: { requests[$0].decided < requests[$1].decided }) {
      admitted[index] = admits(clock(requests[index].decided))
    }
    return admitted
  }

  /// The client's view; with `oracle` the intervals shrink to the true decision.
  func trace(_ admitted: [Bool], oracle: Bool = false) -> LimitTrace {
    LimitTrace(
      requests.indices.map { index in
        let request = requests[index]
        return LimitTrace.Request(
          sent: oracle ? request.decided : request.sent, settled: oracle ? request.decided : request.settled,
          role: admitted[index] ? .certain : .refused, id: index)
      })
  }
}
