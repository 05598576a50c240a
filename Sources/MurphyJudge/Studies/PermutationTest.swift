import Foundation

/// The exact sign-flip test of paired differences, one for each group.
///
/// A coin decided in each group which arm is called the base. Where both arms are the same program, an exchange of
/// their names changes the sign of the group's difference y_g and nothing else. The machine's other load does not
/// matter. So every pattern of signs was equally likely, and
///
///     p = #{e ∈ {−1, 1}^G : Σ e_g·y_g ≥ Σ y_g} / 2^G      one-sided: large differences indicate a slower candidate
///
/// is exact. With S the groups whose sign is flipped, Σ e·y ≥ Σ y is equivalent to Σ_S y ≤ 0. So only sums over subsets
/// must be enumerated: no pattern is random.
package enum PermutationTest {
  /// The maximum of groups that can be enumerated: 2^20 sums take 8 MB and some milliseconds.
  package static let mostGroups = 20

  /// The sum over every subset of `values`; the subset's groups are the bits of the index.
  static func subsetSums(_ values: [Double]) -> [Double] {
    precondition(values.count <= mostGroups, "more groups than the flip test can enumerate")
    return [Double](unsafeUninitializedCapacity: 1 << values.count) { sums, count in
      sums[0] = 0
      var filled = 1
      for value in values {
        for index in 0..<filled { sums[filled + index] = sums[index] + value }
        filled *= 2
      }
      count = filled
    }
  }

  /// The maximum effect of rounding on a sum.
  private static func tolerance(_ values: [Double]) -> Double {
    1e-12 * values.reduce(0) { $0 + $1.magnitude }
  }

  /// One-sided, for a mean above 0; 1 without groups.
  package static func pValue(_ values: [Double]) -> Double {
    let most = tolerance(values)
    let sums = subsetSums(values)
    var count = 0
    for sum in sums where sum <= most { count += 1 }
    return Double(count) / Double(sums.count)
  }

  /// The shifts θ for which neither side of the test of y − θ has p ≤ `alpha`: an interval of confidence 1 − 2·alpha.
  ///
  /// θ is rejected from below where too few subsets have a mean of at most θ. So the ends are order statistics of the
  /// means of all subsets (Hartigan's typical values, 1969), and no search is needed.
  ///
  /// - Returns: nil where so few groups cannot reject any shift.
  package static func interval(_ values: [Double], alpha: Double) -> ClosedRange<Double>? {
    let sums = subsetSums(values)
    let place = Int(saturating: (alpha * Double(sums.count)).rounded(.down))
    guard place >= 1, values.count > 1 else { return nil }
    var means = (1..<sums.count).map { sums[$0] / Double($0.nonzeroBitCount) }
    means.sort()
    return means[place - 1]...means[means.count - place]
  }

  /// By flip, the largest c over the metrics; and by metric, the observed c, nil where all differences are zero.
  ///
  /// - Parameter groups: the number of groups of each metric.
  static func largest(_ metrics: [[Double]], groups: Int) -> (flips: [Double], observed: [Double?]) {
    precondition(metrics.allSatisfy { $0.count == groups }, "the metrics have different groups")
    var largest = [Double](repeating: -.infinity, count: 1 << groups)
    let observed = metrics.map { values -> Double? in
      let scale = (values.reduce(0) { $0 + $1 * $1 } / Double(groups)).squareRoot()
      guard scale > 0 else { return nil }
      let unit = values.map { $0 / scale / Double(groups) }
      let identity = unit.reduce(0, +)
      let sums = subsetSums(unit)
      for index in sums.indices { largest[index] = max(largest[index], identity - 2 * sums[index]) }
      return identity
    }
    return (largest, observed)
  }
}

/// The flip test at several looks of a growing number of groups, at a level for all of them together.
///
/// The flips of the groups so far determine at which of them an earlier look would have raised an alarm. Those are
/// spent: a look's p-value counts them together with the flips that reach the observed value,
///
///     p = #{e : an earlier look alarms under e, or max_k c_k(e) ≥ c_m(1)} / 2^G
///
/// and an alarm at p ≤ the level spent so far keeps the level exactly. Looks at the same data are correlated, so this
/// leaves a much larger level for the last one than equal shares would.
package struct FlipLooks {
  /// By flip of the groups at the last look. The groups are the bits of the index, the first the lowest.
  private var spent = [false]

  package init() {}

  /// p-values corrected for several metrics: the largest studentised mean over the metrics, flip by flip (Westfall and
  /// Young, 1993), which accounts for their dependence.
  ///
  ///     z_mg = y_mg / √(mean_g y_mg²),  c_m(e) = mean_g e_g·z_mg,  t = c/√(1 − c²)
  ///     p_m = #{e : max_k c_k(e) ≥ c_m(1)} / 2^G            t grows with c, so c is sufficient
  ///
  /// - Parameter metrics: by metric, the differences of all groups so far. One without any difference has p = 1.
  package mutating func pValues(_ metrics: [[Double]], spending level: Double? = nil) -> [Double] {
    guard let groups = metrics.first?.count, groups > 0 else { return metrics.map { _ in 1 } }
    let (flips, observed) = PermutationTest.largest(metrics, groups: groups)
    let mask = spent.count - 1
    let before = spent
    let pValues = observed.map { identity -> Double in
      guard let identity else { return 1 }
      var count = 0
      for (flip, value) in flips.enumerated() where value >= identity - 1e-12 || before[flip & mask] { count += 1 }
      return Double(count) / Double(flips.count)
    }
    if let level { spend(level, flips) }
    return pValues
  }

  /// Marks the flips at which this look would raise an alarm.
  private mutating func spend(_ level: Double, _ flips: [Double]) {
    let (before, mask) = (spent, spent.count - 1)
    let open = flips.indices.filter { !before[$0 & mask] }.sorted { flips[$0] > flips[$1] }
    let room = Int(saturating: (level * Double(flips.count)).rounded(.down)) - (flips.count - open.count)
    spent = flips.indices.map { before[$0 & mask] }
    guard room > 0, room < open.count else { return }
    // Flips that reach as much as the first one beyond the remaining level would include it.
    let limit = flips[open[room]] + 1e-12
    for flip in open.prefix(room) where flips[flip] > limit { spent[flip] = true }
  }
}

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
