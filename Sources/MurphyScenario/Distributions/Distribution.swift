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

extension Distribution {
  /// The distributions by name and how they are written.
  static let forms: [(name: String, usage: String)] = [
    ("uniform", "uniform(low, high)"), ("normal", "normal(mean, deviation)"), ("exponential", "exponential(mean)"),
    ("lognormal", "lognormal(median, sigma)"), ("pareto", "pareto(minimum, shape)"),
  ]

  /// `2s`, `1s..4s`, `normal(2s, 500ms)` …
  ///
  /// - Parameter unit: reads one quantity; the pure numbers sigma and shape are not read by it.
  static func read(
    _ text: String, unit: (String) -> Result<Double, Quantity.Mistake>
  ) -> Result<Distribution, Quantity.Mistake> {
    if let dots = text.range(of: "..") {
      let ends = (String(text[..<dots.lowerBound]).trimmingBlanks(), String(text[dots.upperBound...]).trimmingBlanks())
      return unit(ends.0).flatMap { low in unit(ends.1).flatMap { range(low, $0, text, ends) } }
    }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return unit(text).map { .constant($0) } }
    let name = String(text[..<open]).trimmingBlanks()
    guard let form = forms.first(where: { $0.name == name }) else {
      let hint = nearestName(to: name, among: forms.map(\.name)).map { ". Did you mean \"\($0)\"?" } ?? ""
      return .failure(
        Quantity.Mistake(
          message:
            "unknown distribution \"\(name)\"\(hint.isEmpty ? "; known are \(forms.map(\.name).joined(separator: ", "))" : hint)"
        ))
    }
    let inner = text[text.index(after: open)...].dropLast()
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingBlanks() }
    guard arguments.count == (name == "exponential" ? 1 : 2) else {
      return .failure(Quantity.Mistake(message: "\(name) is written \(form.usage)"))
    }
    return make(name, arguments, unit)
  }

  private static func range(
    _ low: Double, _ high: Double, _ text: String, _ ends: (String, String)
  ) -> Result<Distribution, Quantity.Mistake> {
    low <= high
      ? .success(low == high ? .constant(low) : .uniform(low, high))
      : .failure(Quantity.Mistake(message: "\(text) runs backwards; write \(ends.1)..\(ends.0)"))
  }

  private static func make(
    _ name: String, _ arguments: [String], _ unit: (String) -> Result<Double, Quantity.Mistake>
  ) -> Result<Distribution, Quantity.Mistake> {
    func positive(_ text: String, _ what: String) -> Result<Double, Quantity.Mistake> {
      guard let value = Quantity.number(text), value > 0 else {
        return .failure(Quantity.Mistake(message: "\(what) of \(name) is a positive number; found \"\(text)\""))
      }
      return .success(value)
    }
    return unit(arguments[0]).flatMap { first in
      switch name {
      case "uniform":
        unit(arguments[1]).flatMap { range(first, $0, arguments.joined(separator: ".."), (arguments[0], arguments[1])) }
      case "normal": unit(arguments[1]).map { .normal(mean: first, deviation: $0) }
      case "lognormal": positive(arguments[1], "sigma").map { .lognormal(median: first, sigma: $0) }
      case "pareto": positive(arguments[1], "the shape").map { .pareto(minimum: first, shape: $0) }
      default: .success(.exponential(mean: first))
      }
    }
  }
}
