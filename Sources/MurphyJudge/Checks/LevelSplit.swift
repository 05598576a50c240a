import Foundation

/// The place in a sequence of numbers from which on they are higher: the rank sum test at its strongest place.
///
///     U(t) = Σ sign(xⱼ − xᵢ) over i < t ≤ j,  z(t) = U(t) / √(t (n − t) (n + 1) / 3),  p ≤ n · (1 − Φ(max z))
///
/// One-sided: a fall does not count. It uses ranks alone, so that neither outliers nor the shape of the distribution
/// matter. (H. B. Mann, D. R. Whitney: On a test of whether one of two random variables is stochastically larger than
/// the other. Annals of Mathematical Statistics 18(1), 1947; Bonferroni's bound over the places.)
struct LevelSplit {
  /// The first of the higher numbers.
  let place: Int
  /// z at that place.
  let weight: Double
  /// The maximum probability of so strong a split among numbers in random order.
  let chance: Double

  /// - Parameter least: the minimum of numbers on each side.
  init?(_ values: [Double], least: Int) {
    let n = Double(values.count)
    guard values.count >= 2 * least else { return nil }
    let ranks = Self.ranks(values)
    var sum = 0.0
    var best = (place: 0, weight: 0.0)
    for place in 1...values.count - least {
      sum += ranks[place - 1]
      guard place >= least else { continue }
      let t = Double(place)
      // Without a change, the expected sum of the first t ranks is t (n + 1) / 2.
      let weight = (t * (n + 1) - 2 * sum) / (t * (n - t) * (n + 1) / 3).squareRoot()
      if weight > best.weight { best = (place, weight) }
    }
    guard best.weight > 0 else { return nil }
    (place, weight) = best
    chance = n * erfc(best.weight / 2.0.squareRoot()) / 2
  }

  /// From 1; equal numbers share the mean of their ranks.
  static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      let end = order[start...].firstIndex { values[$0] > values[order[start]] } ?? order.count
      for index in order[start..<end] { ranks[index] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }
}
