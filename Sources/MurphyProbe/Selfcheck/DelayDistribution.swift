import Foundation
import MurphyModel

/// The delay of the calibration server before it responds. Each random delay is imposed on one request and recorded.
package enum DelayDistribution: Sendable, Hashable {
  /// Always the same.
  case constant(Duration)
  /// `fast`, and in a `share` of all requests `slow`: like cache misses.
  case bimodal(fast: Duration, slow: Duration, share: Double)
  /// exp(ln median + deviation · Z) with Z standard normal: most services under light load.
  case logNormal(median: Duration, deviation: Double)
  /// Pareto with the shape α, cut at `longest`: P(delay > x) = (shortest / x)^α. With α below 2 it has no variance.
  case heavyTail(shortest: Duration, shape: Double, longest: Duration)

  /// In words, with its parameters.
  package var text: String {
    switch self {
    case .constant(let delay): "constant \(delay.text)"
    case .bimodal(let fast, let slow, let share): "\(fast.text), and \(slow.text) in \(Figure.percent(share, 2).text)"
    case .logNormal(let median, let deviation): "log-normal, median \(median.text), σ \(deviation)"
    case .heavyTail(let shortest, let shape, let longest):
      "Pareto from \(shortest.text), α \(shape), at most \(longest.text)"
    }
  }

  /// The delay of the next request, in nanoseconds.
  package func draw(_ random: inout RandomSource) -> Int64 {
    switch self {
    case .constant(let delay): return delay.nanoseconds
    case .bimodal(let fast, let slow, let share): return (random.unit() < share ? slow : fast).nanoseconds
    case .logNormal(let median, let deviation):
      // Box and Muller (1958).
      let normal = sqrt(-2 * log(1 - random.unit())) * cos(2 * .pi * random.unit())
      return Int64(saturating: Double(median.nanoseconds) * exp(deviation * normal))
    case .heavyTail(let shortest, let shape, let longest):
      let drawn = Double(shortest.nanoseconds) * pow(1 - random.unit(), -1 / shape)
      return min(Int64(saturating: drawn), longest.nanoseconds)
    }
  }
}
