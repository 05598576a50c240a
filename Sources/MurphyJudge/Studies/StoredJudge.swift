import Foundation
import MurphyModel

/// Judges runs that were made earlier, several of each side: a pure function of their results.
///
/// The unit is the run. With R runs of the base, their standard deviation s, and m of the candidate,
///
///     t = (mean_c − mean_b) / (s·√(1/m + 1/R))        Student's distribution with R − 1 degrees of freedom
///
/// Runs that were not interleaved also differ by the state of their machine, and only s measures how much. So nothing
/// fails where the smallest detectable effect is more than twice the margin, except a change that is itself at least
/// that large.
package struct StoredJudge: Sendable {
  /// The decisions that the comparison must make.
  package var promise: ComparePromise
  /// An operation whose work no release changes (a static response). Its values measure the machine, and are subtracted
  /// from the others. Nil for none.
  package var control: String?

  package init(_ promise: ComparePromise, control: String? = nil) {
    self.promise = promise
    self.control = control
  }

  /// The probability of a false alarm, over all rows.
  static let alarm = 0.01
  /// The probability of a false pass, for each row.
  static let pass = 0.05

  /// - Parameters: by run, the results of each operation.
  package func operationRows(
    base: [[String: ArmSample]], candidate: [[String: ArmSample]], operations: [String]
  ) -> [CompareOperation] {
    var compared = operations.filter { $0 != control }.map { operation in
      CompareOperation(
        operation: operation,
        rows: CompareMetric.allCases.map { row(operation, $0, base: base, candidate: candidate) },
        latencies: CompareLatencies(
          base: base.compactMap { $0[operation] }, candidate: candidate.compactMap { $0[operation] }))
    }
    decide(&compared)
    return compared
  }

  private func row(
    _ operation: String, _ metric: CompareMetric, base: [[String: ArmSample]], candidate: [[String: ArmSample]]
  ) -> CompareRow {
    var row = CompareRow(metric: metric, decides: promise.metrics.contains(metric))
    row.floor = metric.isRatio ? expm1(promise.floor(metric)) : promise.floor(metric)
    row.decide(.noData)
    let arms = [base, candidate].map { $0.map { $0[operation] ?? ArmSample() } }
    row.requests = arms.map { $0.reduce(0) { $0 + $1.requests } }.min() ?? 0
    let fewest = arms[0].min { $0.succeeded < $1.succeeded } ?? ArmSample()
    if let gap = ArmSample.gap(arms.flatMap(\.self), base: fewest, metric, in: "a run") {
      row.gap = gap
      return row
    }
    let levels = arms.map { $0.compactMap { $0.level(metric) } }
    (row.baseRuns, row.candidateRuns) = (levels[0], levels[1])
    row.base = metric.value(level: levels[0].mean)
    row.candidate = metric.value(level: levels[1].mean)
    // A machine's speed changes latencies and throughput, not the share of errors or the size of responses.
    let isTimed = metric.quantile != nil || metric == .throughput
    let controls = [base, candidate].map { runs in
      isTimed ? runs.compactMap { run in control.flatMap { run[$0]?.level(metric) } } : []
    }
    let estimate = RunDifference(levels, controls: controls)
    guard let estimate else {
      row.gap = "\(base.count) base runs are too few to estimate the variation between runs"
      return row
    }
    row.controlSlope = estimate.slope
    let sign = metric.worsening(base: 0, candidate: 1)
    let (mean, student) = (sign * estimate.difference, StudentT(freedom: estimate.freedom))
    // Runs without a single error have no variance, and still the next request may fail.
    let error = metric.isShare ? max(estimate.error, Self.chance(arms, levels)) : estimate.error
    let reach = student.quantile(0.95) * error
    row.enter(mean: mean, interval: (mean - reach)...(mean + reach))
    row.pValue =
      error > 0 ? 1 - student.probability(below: mean / error) : mean > 0 ? 0 : 1
    row.enter(
      smallest: max(
        (student.quantile(1 - Self.alarm) + student.quantile(0.95)) * error, promise.floor(metric) + reach))
    return row
  }

  /// The standard error of the difference of two shares by chance alone: binomial, pooled. One event and one request
  /// without it are added, so that it is never 0.
  private static func chance(_ arms: [[ArmSample]], _ shares: [[Double]]) -> Double {
    let counts = arms.map { Double($0.reduce(0) { $0 + $1.requests }) }
    let events = zip(arms.joined(), shares.joined()).reduce(0) { $0 + Double($1.0.requests) * $1.1 }
    let pooled = (events + 1) / (counts[0] + counts[1] + 2)
    return (pooled * (1 - pooled) * (1 / max(counts[0], 1) + 1 / max(counts[1], 1))).squareRoot()
  }

  /// Holm's correction over the rows that decide: the runs are too few for the joint distribution.
  private func decide(_ operations: inout [CompareOperation]) {
    var places: [(operation: Int, row: Int, pValue: Double)] = []
    for (operation, compared) in operations.enumerated() {
      for (row, value) in compared.rows.enumerated() where value.decides && value.gap == nil {
        places.append((operation, row, value.pValue ?? 1))
      }
    }
    places.sort { $0.pValue < $1.pValue }
    var corrected = 0.0
    for (rank, place) in places.enumerated() {
      corrected = min(max(corrected, place.pValue * Double(places.count - rank)), 1)
      operations[place.operation].rows[place.row].correctedPValue = corrected
      let row = operations[place.operation].rows[place.row]
      operations[place.operation].rows[place.row].decide(verdict(row))
    }
  }

  private func verdict(_ row: CompareRow) -> RowVerdict {
    guard let change = row.change, let high = row.high, let smallest = row.smallestEffect else { return .noData }
    if (row.correctedPValue ?? 1) <= Self.alarm, change >= row.floor {
      // Runs that cannot detect twice the margin prove nothing about a change below their smallest detectable effect.
      return smallest <= 2 * row.margin || change >= smallest ? .fail : .noData
    }
    if row.metric == .errors, Double(row.requests) * row.margin < 3 { return .noData }
    return high < row.margin ? .pass : .noData
  }
}

/// The difference of two sets of runs, and its certainty.
struct RunDifference: Sendable {
  var difference: Double
  /// The standard error of the difference.
  var error: Double
  var freedom: Int
  /// The factor on the control before it is subtracted; nil without one.
  var slope: Double?

  /// - Parameters:
  ///   - levels: the levels of the base's runs and of the candidate's.
  ///   - controls: the control's levels in the same runs; empty for none.
  /// - Returns: nil with fewer than two runs of the base, or three with a control.
  init?(_ levels: [[Double]], controls: [[Double]]) {
    let (base, candidate) = (levels[0], levels[1])
    guard base.count > 1, !candidate.isEmpty else { return nil }
    let share = 1 / Double(base.count) + 1 / Double(candidate.count)
    let centre = base.mean
    let spread = base.squares
    difference = candidate.mean - centre
    freedom = base.count - 1
    error = (spread / Double(freedom) * share).squareRoot()
    guard controls[0].count == base.count, controls[1].count == candidate.count else { return }
    // Least squares over the base's runs. If a candidate's control is far from theirs, the error of the slope makes the
    // prediction worse (analysis of covariance).
    let middle = controls[0].mean
    let width = controls[0].squares
    guard width > 0, base.count > 2 else { return }
    let joint = zip(controls[0], base).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - centre) }
    let shift = controls[1].mean - middle
    let rest = max(spread - joint * joint / width, 0)
    slope = joint / width
    difference -= joint / width * shift
    freedom = base.count - 2
    error = (rest / Double(freedom) * (share + shift * shift / width)).squareRoot()
  }
}

/// The decisions that a comparison must make.
package struct ComparePromise: Sendable {
  /// The metrics that decide; all are shown.
  package var metrics: [CompareMetric]
  /// True if the targets were restarted for each group. Otherwise one lucky process is compared with one unlucky one:
  /// their difference is real and proves nothing about the releases.
  package var restarts: Bool

  package init(metrics: [CompareMetric] = CompareMetric.usual, restarts: Bool = true) {
    self.metrics = metrics
    self.restarts = restarts
  }

  /// The smallest mean difference that counts as a slowdown. A smaller one may be real, but does not justify a failed
  /// build. Two processes of one program differ by some 1 % by their layout in memory. Where groups cannot average that
  /// out, the whole margin must be exceeded.
  package func floor(_ metric: CompareMetric) -> Double { metric.difference * (restarts ? 0.4 : 1) }
}
