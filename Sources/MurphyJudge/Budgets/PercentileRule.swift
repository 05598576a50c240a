import Foundation
import MurphyModel

/// When a percentile surely keeps its limit, when it surely does not.
///
///     N samples, rank k = ⌈p·N⌉, so N − k requests may be over the limit
///     broken   over > N − k: even if every unknown request was fast
///     kept     over + maybe ≤ N − k: even if every unknown request was slow, and N ≥ n_min
///     open     otherwise
///
/// `n_min = ⌈ln 0.05 / ln p⌉`: with fewer samples an API that breaks the promise shows no slow request at all in more
/// than one run of twenty. Below it a budget is broken only when that many slow requests are no chance: the binomial
/// probability of seeing them from an API that keeps the budget is below one per cent.
struct PercentileRule {
  /// Per cent; 100 for a maximum.
  var percentile: Double

  enum Verdict: Equatable { case broken, kept, tooFew, open }

  /// 59 for p95, 299 for p99, 2,995 for p99.9; 1 for a maximum.
  var samplesNeeded: Int {
    guard percentile < 100 else { return 1 }
    guard percentile > 0 else { return 1 }
    return Int((log(0.05) / log(percentile / 100) - 1e-9).rounded(.up))
  }

  /// How many of `samples` may be over the limit.
  func allowance(of samples: Int) -> Int {
    percentile < 100 ? samples - LatencyDistribution.rank(percentile, of: samples) : 0
  }

  func verdict(samples: Int, over: Int, maybe: Int) -> Verdict {
    guard samples > 0 else { return .tooFew }
    let allowed = allowance(of: samples)
    let isEnough = samples >= samplesNeeded
    if over > allowed {
      let isChance =
        !isEnough && binomialTail(atLeast: over, of: samples, probability: 1 - percentile / 100) >= 0.01
      return isChance ? .tooFew : .broken
    }
    if over + maybe > allowed { return isEnough ? .open : .tooFew }
    return isEnough ? .kept : .tooFew
  }
}
