import Foundation
import MurphyModel

/// A number that is drawn anew each time it is needed.
package enum Distribution: Sendable, Hashable {
  case constant(Double)
  /// `a..b`
  case uniform(Double, Double)
  case normal(mean: Double, deviation: Double)
  case exponential(mean: Double)
  /// The logarithm is normal with standard deviation `sigma`; half of the draws lie below `median`.
  case lognormal(median: Double, sigma: Double)
  /// P(X > x) = (minimum / x)^shape
  case pareto(minimum: Double, shape: Double)

  /// One draw; takes one value of the stream, or two for the normal ones.
  package func sample(_ random: inout RandomSource) -> Double {
    switch self {
    case .constant(let value): value
    case .uniform(let low, let high): low + (high - low) * random.unit()
    case .normal(let mean, let deviation): mean + deviation * random.standardNormal()
    case .exponential(let mean): -mean * log(1 - random.unit())
    case .lognormal(let median, let sigma): median * exp(sigma * random.standardNormal())
    case .pareto(let minimum, let shape): minimum / pow(1 - random.unit(), 1 / shape)
    }
  }

  package var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

extension RandomSource {
  /// Box and Muller (1958): √(−2 ln u₁) · cos(2π u₂).
  fileprivate mutating func standardNormal() -> Double {
    let first = 1 - unit()
    let second = unit()
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }
}

/// The index of the weight that `unit` in [0, 1) falls on, weights laid end to end. Weights are not negative.
package func weightedIndex(of weights: [Double], at unit: Double) -> Int {
  var rest = unit * weights.reduce(0, +)
  for (index, weight) in weights.enumerated() {
    rest -= weight
    if rest < 0 { return index }
  }
  return weights.lastIndex { $0 > 0 } ?? 0
}
