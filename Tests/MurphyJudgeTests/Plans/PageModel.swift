import Foundation
import MurphyModel

/// People who read pages: a volley of parallel calls for each page, time to think, now and then an impatient reload.
///
/// The numbers are those of docs/rate-limits.md §4.
struct PageModel {
  var firstCalls = 2...8
  var laterCalls = 1...4
  /// Pages follow with a geometric distribution of this mean.
  var meanPages = 12.5
  /// Between pages: lognormal, median in seconds and standard deviation of the logarithm.
  var think = (median: 8.0, deviation: 1.0)
  /// Share of pages that are reloaded in a hurry, two to six times.
  var impatience = 0.12

  /// The request moments of `users` sessions that begin within 0.8 of `duration` seconds.
  func sessions(_ users: Int, duration: Double, seed: UInt64) -> [[Double]] {
    (0..<users).map { user in
      var random = RandomSource(seed: seed, stream: UInt64(user))
      var moment = random.unit() * duration * 0.8
      var moments: [Double] = []
      let pages = 2 + Int(saturating: log(1 - random.unit()) / log(1 - 1 / meanPages))
      for page in 0..<pages {
        let calls = page == 0 ? firstCalls : laterCalls
        let count = calls.lowerBound + Int(saturating: random.unit() * Double(calls.count))
        for _ in 0..<count { moments.append(moment - 0.15 * log(1 - random.unit())) }
        if random.unit() < impatience {
          var reload = moment + 1
          for _ in 0..<(2 + Int(saturating: random.unit() * 5)) {
            reload -= 0.5 * log(1 - random.unit())
            moments.append(reload)
          }
          moment = reload
        }
        let normal = (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
        moment += think.median * exp(think.deviation * normal)
      }
      return moments.sorted()
    }
  }
}
