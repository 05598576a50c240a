import Foundation

extension Collection<Double> {
  /// 0 without elements.
  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

  /// The sum of the squares of all distances from the mean.
  var squares: Double {
    let mean = mean
    return reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}

/// Student's distribution.
package struct StudentT: Sendable {
  /// Degrees of freedom, above 0.
  package var freedom: Double

  package init(freedom: Int) { self.freedom = Double(freedom) }

  /// P(T ≤ t), by the incomplete beta function: 1 − ½·I_x(ν/2, ½) with x = ν/(ν + t²) for t ≥ 0.
  package func probability(below t: Double) -> Double {
    let tail = 0.5 * Self.beta(freedom / (freedom + t * t), freedom / 2, 0.5)
    return t >= 0 ? 1 - tail : tail
  }

  /// The t with P(T ≤ t) = `probability`.
  package func quantile(_ probability: Double) -> Double {
    guard probability >= 0.5 else { return -quantile(1 - probability) }
    var (low, high) = (0.0, 1.0)
    while self.probability(below: high) < probability, high < 1e12 { high *= 2 }
    for _ in 0..<200 where high - low > 1e-12 * high {
      let middle = (low + high) / 2
      if self.probability(below: middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method; NIST DLMF 8.17.22).
  static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges quickly on this side of the mean only.
    return x > (a + 1) / (a + b + 2) ? 1 - fraction(1 - x, b, a) : fraction(x, a, b)
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    let least = 1e-300
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1), least)
    var value = d
    for step in 1...500 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / nonzero(1 + even * d, least)
      c = nonzero(1 + even / c, least)
      value *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / nonzero(1 + odd * d, least)
      c = nonzero(1 + odd / c, least)
      value *= d * c
      if abs(d * c - 1) < 1e-15 { break }
    }
    return front * value
  }

  private static func nonzero(_ value: Double, _ least: Double) -> Double { abs(value) < least ? least : value }
}
