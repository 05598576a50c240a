import MurphyModel

/// A number of times that is constant, drawn, or computed by an expression.
package enum CountValue: Sendable, Hashable {
  case constant(Int)
  /// Both ends included: `2..5`
  case uniform(ClosedRange<Int>)
  /// Rounded to a whole number.
  case drawn(Distribution)
  case computed(Formula)

  /// No loop has more turns.
  package static let most = 1_000_000

  /// From 0 to a million. Takes one draw of the stream unless constant.
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
        throw .wrongType("a number of times is a whole number; found \(value.brief)")
      }
      return Int(saturating: min(max(number, 0), Double(Self.most)))
    }
  }
}
