import Foundation

/// P(X ≥ k) for X binomial with n trials of the given probability; exact summation in logarithms, O(n).
func binomialTail(atLeast k: Int, of n: Int, probability: Double) -> Double {
  guard k > 0 else { return 1 }
  guard k <= n, probability > 0 else { return 0 }
  guard probability < 1 else { return 1 }
  return binomialSum(k...n, of: n, probability: probability)
}

/// The upper 95 % bound of a share by Clopper and Pearson (1934): the largest p with P(X ≤ k) ≥ 5 % for X binomial
/// with n trials. `1 − 0.05^(1/n)` for k = 0, about 3/n. O(k) for each of 50 halvings.
func upperShare(_ k: Int, of n: Int) -> Double {
  guard n > 0, k < n else { return 1 }
  guard k > 0 else { return 1 - pow(0.05, 1 / Double(n)) }
  var (low, high) = (Double(k) / Double(n), 1.0)
  for _ in 0..<50 {
    let middle = (low + high) / 2
    if binomialSum(0...k, of: n, probability: middle) >= 0.05 { low = middle } else { high = middle }
  }
  return high
}

/// P(X in `range`), with 0 < probability < 1.
private func binomialSum(_ range: ClosedRange<Int>, of n: Int, probability: Double) -> Double {
  let (success, failure) = (log(probability), log1p(-probability))
  var sum = 0.0
  for i in range {
    let ways = lgamma(Double(n + 1)) - lgamma(Double(i + 1)) - lgamma(Double(n - i + 1))
    sum += exp(ways + Double(i) * success + Double(n - i) * failure)
  }
  return min(sum, 1)
}
