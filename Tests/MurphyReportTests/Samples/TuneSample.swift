import Foundation
import MurphyJudge
import MurphyModel

/// A tuning of one limit: many policies of two keys, a front, a recommendation and a question.
enum TuneSample {
  static let result = make()

  private static func make() -> TuneResult {
    var result = TuneResult(
      demand: TuneResult.Demand(
        requests: 169_517, sessions: 21_400, users: 4_000, addresses: 2_435, largestSharing: 178, duration: 3_600))
    for (key, scale) in [("address", 1.0), ("user", 0.2)] {
      for window in [10.0, 60, 300] {
        for algorithm in ["fixed", "sliding-log", "token-bucket"] {
          for allowance in [5, 10, 20, 30, 60, 120, 300, 600] {
            result.points.append(point(key, algorithm, allowance, window, scale))
          }
        }
        result.curves.append(curve(key, window, scale))
      }
      result.heatMaps.append(heatMap(key, scale))
    }
    markFront(&result)
    let best = point("user", "sliding-log", 60, 60, 0.2)
    result.recommendations = [
      TuneResult.Recommendation(
        point: best, upperBound: 0.0012, target: 0.01,
        sentence: "60 per 60 s for each user throttles 0.06% of sessions (at most 0.12% with 95% confidence).")
    ]
    let asked = point("address", "fixed", 30, 60, 1)
    result.outcomes = [
      TuneResult.Outcome(
        policy: "30/60s key=address", point: asked, upperBound: 0.41,
        sentence: "30 per 60 s for each address would reject a request of 37% of 21,400 legitimate sessions.")
    ]
    result.replays = [
      TuneResult.Replay(
        policy: "60 per 60 s, sliding log", refused: 0.0006, failed: 0.0001, refusals: 0.0004, delay: 12.4),
      TuneResult.Replay(policy: "30 per 60 s, fixed window", refused: 0.37, failed: 0.19, refusals: 0.28, delay: 61.2),
    ]
    result.timeline = timeline
    result.faults = ["A race of ten requests in flight admits up to 69 in one burst instead of 60."]
    result.sentences = [result.recommendations[0].sentence]
    return result
  }

  private static func point(
    _ key: String, _ algorithm: String, _ allowance: Int, _ window: Double, _ scale: Double
  ) -> TuneResult.Point {
    let perMinute = Double(allowance) * max(60 / window, 1) * (algorithm == "fixed" ? 2 : 1)
    let throttled = exp(-Double(allowance) / (window * scale * 0.6))
    return TuneResult.Point(
      key: key, algorithm: algorithm, allowance: allowance, window: window, throttled: throttled < 1e-5 ? 0 : throttled,
      abusePerMinute: perMinute, abusePerSecond: Double(allowance) / window)
  }

  private static func curve(_ key: String, _ window: Double, _ scale: Double) -> TuneResult.Curve {
    let allowances = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610]
    return TuneResult.Curve(
      key: key, algorithm: "sliding-log", window: window, allowances: allowances,
      satisfied: allowances.map { 1 - exp(-Double($0) / (window * scale * 0.3 + 2)) })
  }

  private static func heatMap(_ key: String, _ scale: Double) -> TuneResult.HeatMap {
    let allowances = [5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600]
    let windows = [10.0, 30, 60, 120, 300]
    return TuneResult.HeatMap(
      key: key, algorithm: "sliding-log", allowances: allowances, windows: windows,
      throttled: windows.map { window in allowances.map { point(key, "sliding-log", $0, window, scale).throttled } })
  }

  private static func markFront(_ result: inout TuneResult) {
    for index in result.points.indices {
      let point = result.points[index]
      result.points[index].isOnFront = !result.points.contains { other in
        other.key == point.key && other.abusePerMinute <= point.abusePerMinute && other.throttled <= point.throttled
          && (other.abusePerMinute < point.abusePerMinute || other.throttled < point.throttled)
      }
    }
  }

  private static let timeline: TuneResult.Timeline = {
    var random = RandomSource(seed: 5)
    var ticks: [KeyStrip.Tick] = []
    for index in 0..<220 {
      let at = Double(index) * 1.1 + random.unit()
      ticks.append(KeyStrip.Tick(at: at, decision: at.truncatingRemainder(dividingBy: 60) < 33 ? .admitted : .refused))
    }
    return TuneResult.Timeline(
      address: "address 17", users: 178, policy: "30 per 60 s, fixed window",
      window: 60, strip: KeyStrip(key: "address 17", requests: ticks, windows: [0, 60, 120, 180], witness: []))
  }()
}
