/// The exact sign-flip test of paired differences, one for each group.
///
/// A coin decided in each group which arm is called the base. Where both arms are the same program, calling them the
/// other way round changes the sign of the group's difference y_g and nothing else, whatever the machine did meanwhile.
/// So every pattern of signs was equally likely, and
///
///     p = #{e ∈ {−1, 1}^G : Σ e_g·y_g ≥ Σ y_g} / 2^G      one-sided: large differences speak for a slower candidate
///
/// is exact. With S the groups whose sign is flipped, Σ e·y ≥ Σ y says the same as Σ_S y ≤ 0, so sums over subsets are
/// all that has to be enumerated: no pattern is drawn at random.
package enum PermutationTest {
  /// Groups that can be enumerated: 2^20 sums take 8 MB and some milliseconds.
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

  /// How far rounding may move a sum.
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
  /// θ is refuted from below where too few subsets have a mean of at most θ, so the ends are order statistics of the
  /// means of all subsets (Hartigan's typical values, 1969), and no search is needed.
  ///
  /// - Returns: nil where no shift can be refuted with so few groups.
  package static func interval(_ values: [Double], alpha: Double) -> ClosedRange<Double>? {
    let sums = subsetSums(values)
    let place = Int(saturating: (alpha * Double(sums.count)).rounded(.down))
    guard place >= 1, values.count > 1 else { return nil }
    var means = (1..<sums.count).map { sums[$0] / Double($0.nonzeroBitCount) }
    means.sort()
    return means[place - 1]...means[means.count - place]
  }

  /// By flip, the largest c over the metrics; and by metric, the c that was observed, nil where nothing ever differed.
  ///
  /// - Parameter groups: of each metric.
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

/// The flip test at several looks of a growing number of groups, at a level that holds for all of them together.
///
/// The flips of the groups so far say at which of them an earlier look would have raised an alarm. Those are spent: a
/// look's p-value counts them beside the flips that reach what it observed,
///
///     p = #{e : an earlier look alarms under e, or max_k c_k(e) ≥ c_m(1)} / 2^G
///
/// and an alarm at p ≤ the level spent so far keeps the level exactly. Looks at the same data agree with each other, so
/// this leaves the last one much more than a level that was divided among them.
package struct FlipLooks {
  /// By flip of the groups at the last look; the groups are the bits of the index, the first the lowest.
  private var spent = [false]

  package init() {}

  /// p-values corrected for looking at several metrics: the largest studentised mean over the metrics, flip by flip
  /// (Westfall and Young, 1993), which uses how they depend on each other.
  ///
  ///     z_mg = y_mg / √(mean_g y_mg²),  c_m(e) = mean_g e_g·z_mg,  t = c/√(1 − c²)
  ///     p_m = #{e : max_k c_k(e) ≥ c_m(1)} / 2^G            t grows with c, so c will do
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
    // Flips that reach as much as one beyond the room would count it among them.
    let limit = flips[open[room]] + 1e-12
    for flip in open.prefix(room) where flips[flip] > limit { spent[flip] = true }
  }
}
