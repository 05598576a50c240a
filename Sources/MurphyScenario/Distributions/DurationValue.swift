import MurphyModel

/// A length of time that is constant, drawn, or computed by an expression.
package enum DurationValue: Sendable, Hashable {
  /// In seconds.
  case drawn(Distribution)
  /// Seconds, or text with a unit: `1.5`, `"300ms"`.
  case computed(Formula)

  package static let zero = DurationValue.drawn(.constant(0))

  /// No think time is longer.
  package static let longest: Duration = .seconds(24 * 3600)

  /// Nanoseconds, from 0 to 24 hours. Takes one draw of the stream unless constant.
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
        return Self.nanoseconds(duration)
      }
      throw .wrongType("a duration is a number of seconds or a text such as 300ms; found \(value.brief)")
    }
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64(saturating: (min(max(seconds, 0), longest.inSeconds) * 1e9).rounded())
  }
}
