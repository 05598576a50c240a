import Foundation

/// P(X ≥ k) for X binomial with n trials of the given probability; exact summation in logarithms, O(n).
func binomialTail(atLeast k: Int, of n: Int, probability: Double) -> Double {
  guard k > 0 else { return 1 }
  guard k <= n, probability > 0 else { return 0 }
  guard probability < 1 else { return 1 }
  let (success, failure) = (log(probability), log1p(-probability))
  var sum = 0.0
  for i in k...n {
    let ways = lgamma(Double(n + 1)) - lgamma(Double(i + 1)) - lgamma(Double(n - i + 1))
    sum += exp(ways + Double(i) * success + Double(n - i) * failure)
  }
  return min(sum, 1)
}
