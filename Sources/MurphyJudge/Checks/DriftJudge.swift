import Foundation
import MurphyModel

/// Operations that are slower, or fail more often, at a higher load or from some time on (docs/drift.md).
///
/// Notes that decide nothing: a rank test with a minimum effect size, on the run's own seconds.
package enum DriftJudge: Judge {
  /// The probability of a false alarm in a whole run, before the minimum effect sizes, for independent seconds.
  private static let chance = 0.01
  /// The minimum of points on each side of the split.
  private static let least = 4
  /// Latency must grow by this factor and by this time.
  private static let factor = 1.6
  private static let growth: Duration = .milliseconds(5)
  /// The share of errors must grow by this much.
  private static let share = 0.01
  /// Loads that differ by less than this factor count as equal.
  private static let loadFactor = 1.25
  /// Splits by load and by time that agree on this share of the points cannot be distinguished.
  private static let agreement = 0.75

  /// Reports drifts, unless murphy's own timing is in doubt.
  package static func rule(on run: FinishedRun) -> JudgeResult {
    let reservations = run.record.generator.reservations ?? []
    guard !reservations.contains(where: { $0.kind.weight == .forbidsTiming }) else { return JudgeResult() }
    let countsUsers = if case .closed = run.scenario.load { true } else { false }
    return JudgeResult(findings: findings(in: run.record, countsUsers: countsUsers, besides: run.outages))
  }

  /// Seconds within an outage are left out.
  package static func findings(in record: RunRecord, countsUsers: Bool, besides outages: [Outage]) -> [Finding] {
    let source = DriftPoints(record, countsUsers: countsUsers, besides: outages)
    let candidates = record.operations.flatMap { operation in
      [Drift.Measure.latency, .errors].map { (operation.operation, $0, source.points(of: operation, $0)) }
    }.filter { $0.2.count >= 2 * least }
    // Each has two tests.
    let level = chance / Double(max(2 * candidates.count, 1))
    return candidates.compactMap { operation, measure, points in
      drift(measure, points, countsUsers: countsUsers, level: level).map {
        finding(operation, $0, started: record.info.started)
      }
    }
  }

  private static func drift(
    _ measure: Drift.Measure, _ points: [Drift.Point], countsUsers: Bool, level: Double
  ) -> Drift? {
    let inTime = split(points, measure, level)
    let byLoad = points.indices.sorted { (points[$0].load, $0) < (points[$1].load, $1) }
    let inLoad = split(byLoad.map { points[$0] }, measure, level).flatMap { split -> LevelSplit? in
      let loads = byLoad.map { points[$0].load }
      return median(loads[split.place...]) >= loadFactor * median(loads[..<split.place]) ? split : nil
    }
    guard let best = [inTime, inLoad].compactMap(\.self).max(by: { $0.weight < $1.weight }) else { return nil }
    let late = Set(inTime.map { Array($0.place..<points.count) } ?? [])
    let busy = Set(inLoad.map { byLoad[$0.place...] } ?? [])
    let apart = Double(late.symmetricDifference(busy).count)
    let isAlike = inTime != nil && inLoad != nil && apart <= (1 - agreement) * Double(points.count)
    let isByLoad = isAlike || best.weight == inLoad?.weight
    let order = isByLoad ? byLoad : Array(points.indices)
    let place = (isByLoad ? inLoad : inTime)?.place ?? 0
    let values = order.map { points[$0].value }
    let loads = order.map { points[$0].load }
    // A load that grew with the time may be its cause, even if that is not visible.
    let isAmbiguous = isAlike || !isByLoad && median(loads[place...]) >= loadFactor * median(loads[..<place])
    return Drift(
      measure: measure, axis: isByLoad ? (countsUsers ? .users : .requests) : .time,
      threshold: isByLoad ? points[order[place - 1]].load : points[place].from,
      low: median(values[..<place]), high: median(values[place...]), isAmbiguous: isAmbiguous, points: points)
  }

  /// The split of the points in their order, if it is more than chance and large enough to matter.
  private static func split(_ points: [Drift.Point], _ measure: Drift.Measure, _ level: Double) -> LevelSplit? {
    let values = points.map(\.value)
    guard let split = LevelSplit(values, least: least), split.chance < level else { return nil }
    let (low, high) = (median(values[..<split.place]), median(values[split.place...]))
    switch measure {
    case .latency: return high >= factor * low && high - low >= growth.inMicroseconds ? split : nil
    case .errors: return high - low >= share ? split : nil
    }
  }

  private static func median(_ values: ArraySlice<Double>) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// - Parameter started: the run's start, RFC 3339.
  static func finding(_ operation: String, _ drift: Drift, started: String) -> Finding {
    let isByTime = drift.axis == .time
    let seen = drift.points.filter { isByTime ? $0.from >= drift.threshold : $0.load > drift.threshold }
    var finding = Finding(
      kind: isByTime ? .budgetTimeDrift : .budgetLoadDrift, operation: operation,
      message: message(drift, started: started),
      details: drift.isAmbiguous ? [ambiguity] : [],
      firstSeen: .saturating(seconds: seen.map(\.from).min() ?? 0),
      lastSeen: .saturating(seconds: seen.map(\.until).max() ?? 0), discriminator: drift.measure.rawValue)
    finding.drift = drift
    return finding
  }

  private static let ambiguity =
    "The load grew over time in this run, so the load or the time may be the cause. To distinguish the two causes, "
    + "add a stage with less load at the end."

  private static func message(_ drift: Drift, started: String) -> String {
    let what = drift.measure == .latency ? "latency" : "the share of errors"
    let (low, high) = (text(drift.low, drift.measure), text(drift.high, drift.measure))
    switch drift.axis {
    case .requests:
      return "\(what) grows with the load: \(low) up to \(rounded(drift.threshold)) requests/s, \(high) above that load"
    case .users:
      return "\(what) grows with the load: \(low) up to \(rounded(drift.threshold)) users, \(high) above that load"
    case .time:
      let clock = clock(drift.threshold, after: started).map { " (\($0) UTC)" } ?? ""
      return "\(what) grew during the run: \(low) before \(Outage.seconds(drift.threshold))\(clock), \(high) afterwards"
    }
  }

  private static func text(_ value: Double, _ measure: Drift.Measure) -> String {
    switch measure {
    case .latency: Measure((value / 100).rounded() * 100, .microseconds).text
    case .errors: percentText((value * 1000).rounded() / 1000)
    }
  }

  /// `288`, `5`, `0.7`
  private static func rounded(_ load: Double) -> String { Figure.decimals(load, load < 10 ? 1 : 0) }

  /// The time of day, a number of seconds after an RFC 3339 time in UTC: `14:02:10`.
  static func clock(_ seconds: Double, after started: String) -> String? {
    guard let time = started.split(separator: "T").last?.prefix(8).split(separator: ":").compactMap({ Int($0) }),
      time.count == 3, started.hasSuffix("Z")
    else { return nil }
    let moment = (time[0] * 3600 + time[1] * 60 + time[2] + Int(saturating: seconds)) % 86_400
    return [moment / 3600, moment / 60 % 60, moment % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

/// The points of one operation for the search for drift: consecutive seconds, with about as many requests in each
/// point, so that all points are equally certain.
struct DriftPoints {
  private static let most = 60.0
  private static let fewestRequests = 10.0

  /// By second: requests of all operations, or users.
  private let loads: [Double]
  /// Stretches that are reported separately.
  private let outages: [Outage]

  /// - Parameter countsUsers: true if the load is given in users.
  init(_ record: RunRecord, countsUsers: Bool, besides outages: [Outage]) {
    self.outages = outages
    var loads = [Double](repeating: 0, count: (record.timeline.map(\.second).max() ?? -1) + 1)
    for point in record.timeline { loads[point.second] = Double(countsUsers ? point.users : point.planned) }
    self.loads = loads
  }

  /// Empty where there are too few requests.
  func points(of operation: OperationRecord, _ measure: Drift.Measure) -> [Drift.Point] {
    let seconds = operation.course.seconds
    func requests(_ second: OperationCourse.Second) -> Int { Int(measure == .latency ? second.timed : second.ends) }
    let all = Double(seconds.reduce(0) { $0 + requests($1) })
    let wanted = Int(saturating: (all / Self.most).rounded(.up))
    let least = max(wanted, Int(Self.fewestRequests))
    var points: [Drift.Point] = []
    var part = OperationCourse.Second()
    var first: Int?
    for (index, second) in seconds.enumerated() {
      guard !isOut(index) else {
        (part, first) = (OperationCourse.Second(), nil)
        continue
      }
      let start = first ?? index
      first = start
      part += second
      guard requests(part) >= least else { continue }
      points.append(
        Drift.Point(
          from: Double(start), until: Double(index + 1), load: load(start..<index + 1), requests: requests(part),
          value: value(part, measure)))
      (part, first) = (OperationCourse.Second(), nil)
    }
    return points
  }

  private func value(_ part: OperationCourse.Second, _ measure: Drift.Measure) -> Double {
    switch measure {
    case .latency: LogarithmicStep.nanoseconds(Double(part.steps) / Double(part.timed)) / 1000
    case .errors: Double(part.errors) / Double(part.ends)
    }
  }

  private func load(_ seconds: Range<Int>) -> Double {
    loads[seconds.clamped(to: loads.indices)].reduce(0, +) / Double(seconds.count)
  }

  private func isOut(_ second: Int) -> Bool {
    outages.contains { $0.from < Double(second + 1) && Double(second) < $0.until + 1 }
  }
}

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
