import Foundation
import MurphyModel

/// A number that is generated each time it is needed.
package enum Distribution: Sendable, Hashable {
  case constant(Double)
  /// `a..b`
  case uniform(Double, Double)
  case normal(mean: Double, deviation: Double)
  case exponential(mean: Double)
  /// The logarithm is normal with standard deviation `sigma`; half of the samples are below `median`.
  case lognormal(median: Double, sigma: Double)
  /// P(X > x) = (minimum / x)^shape
  case pareto(minimum: Double, shape: Double)

  /// One sample. It takes one value of the stream, or two for the normal distributions.
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

/// The index of the weight at `unit` in [0, 1), if the weights are laid end to end. Weights are not negative.
package func weightedIndex(of weights: [Double], at unit: Double) -> Int {
  var rest = unit * weights.reduce(0, +)
  for (index, weight) in weights.enumerated() {
    rest -= weight
    if rest < 0 { return index }
  }
  return weights.lastIndex { $0 > 0 } ?? 0
}

extension Distribution {
  /// The distributions, by name and notation.
  static let forms: [(name: String, usage: String)] = [
    ("uniform", "uniform(low, high)"), ("normal", "normal(mean, deviation)"), ("exponential", "exponential(mean)"),
    ("lognormal", "lognormal(median, sigma)"), ("pareto", "pareto(minimum, shape)"),
  ]

  /// `2s`, `1s..4s`, `normal(2s, 500ms)` …
  ///
  /// - Parameter unit: reads one quantity. It does not read the pure numbers sigma and shape.
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
      let hint = suggestion(for: name, among: forms.map(\.name))
      let list = "; the distributions are \(forms.map(\.name).joined(separator: ", "))"
      return .failure(Quantity.Mistake(message: "unknown distribution \"\(name)\"\(hint.isEmpty ? list : hint)"))
    }
    let inner = text[text.index(after: open)...].dropLast()
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingBlanks() }
    guard arguments.count == (name == "exponential" ? 1 : 2) else {
      return .failure(Quantity.Mistake(message: "\(name) must have the form \(form.usage)"))
    }
    return make(name, arguments, unit)
  }

  private static func range(
    _ low: Double, _ high: Double, _ text: String, _ ends: (String, String)
  ) -> Result<Distribution, Quantity.Mistake> {
    low <= high
      ? .success(low == high ? .constant(low) : .uniform(low, high))
      : .failure(
        Quantity.Mistake(message: "the range \(text) begins with the larger value; write \(ends.1)..\(ends.0)"))
  }

  private static func make(
    _ name: String, _ arguments: [String], _ unit: (String) -> Result<Double, Quantity.Mistake>
  ) -> Result<Distribution, Quantity.Mistake> {
    func positive(_ text: String, _ what: String) -> Result<Double, Quantity.Mistake> {
      guard let value = Quantity.number(text), value > 0 else {
        return .failure(Quantity.Mistake(message: "\(what) of \(name) must be a positive number; found \"\(text)\""))
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

/// A number of times that is constant, generated, or computed by an expression.
package enum CountValue: Sendable, Hashable {
  case constant(Int)
  /// Both ends included: `2..5`
  case uniform(ClosedRange<Int>)
  /// Rounded to a whole number.
  case drawn(Distribution)
  case computed(Formula)

  /// The maximum number of iterations of a loop.
  package static let most = 1_000_000

  /// From 0 to a million. Takes one value of the stream unless constant.
  package func evaluate(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> Int {
    switch self {
    case .constant(let count): return count
    case .uniform(let range):
      var stream = RandomSource(seed: random.next())
      return range.lowerBound + stream.index(below: range.count)
    case .drawn(let distribution):
      var stream = RandomSource(seed: random.next())
      return Int(saturating: min(max(distribution.sample(&stream).rounded(), 0), Double(Self.most)))
    case .computed(let formula):
      let value = try formula.evaluate(in: &scope, random: &random)
      guard let number = value.double, number == number.rounded() else {
        throw .wrongType("the number of repetitions must be a whole number; found \(value.brief)")
      }
      return Int(saturating: min(max(number, 0), Double(Self.most)))
    }
  }
}

/// A length of time that is constant, generated, or computed by an expression.
package enum DurationValue: Sendable, Hashable {
  /// In seconds.
  case drawn(Distribution)
  /// Seconds, or a string with a unit: `1.5`, `"300ms"`.
  case computed(Formula)

  package static let zero = DurationValue.drawn(.constant(0))

  /// The maximum think time.
  package static let longest: Duration = .seconds(24 * 3600)

  /// Nanoseconds, from 0 to 24 hours. Takes one value of the stream unless constant.
  package func evaluate(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> Int64 {
    switch self {
    case .drawn(.constant(let seconds)): return Self.nanoseconds(seconds)
    case .drawn(let distribution):
      var stream = RandomSource(seed: random.next())
      return Self.nanoseconds(distribution.sample(&stream))
    case .computed(let formula):
      let value = try formula.evaluate(in: &scope, random: &random)
      if let seconds = value.double { return Self.nanoseconds(seconds) }
      if case .string(let text) = value, case .success(let duration) = Quantity.duration(text) {
        return min(duration, Self.longest).nanoseconds
      }
      throw .wrongType("a duration must be a number of seconds or a string such as 300ms; found \(value.brief)")
    }
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64(saturating: (min(max(seconds, 0), longest.inSeconds) * 1e9).rounded())
  }
}

extension RandomSource {
  /// Uniform in 0..<count. It takes exactly one value of the stream for any count (Lemire 2019 without rejection: the
  /// bias is below count / 2⁶⁴).
  package mutating func index(below count: Int) -> Int {
    count <= 1 ? Int(next() & 0) : Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
