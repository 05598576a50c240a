import MurphyModel

/// One metric of one operation over the groups of a live comparison.
package struct MetricSeries: Sendable {
  package var operation: String
  package var metric: CompareMetric
  /// By group, levels of base and candidate.
  package var levels: [(base: Double, candidate: Double)]
  /// By group, positive where the candidate is worse.
  package var worsenings: [Double]
  /// The reason why a series does not exist; nil when it exists.
  package var gap: String?
  /// The smallest number of requests of one arm over all groups.
  package var requests = 0

  /// Every metric of every operation that an arm called, in the order of `operations`.
  package static func all(
    _ groups: [GroupSample], operations: [String], metrics: [CompareMetric] = CompareMetric.allCases
  ) -> [MetricSeries] {
    operations.flatMap { operation in metrics.map { MetricSeries(operation, $0, groups) } }
  }

  init(_ operation: String, _ metric: CompareMetric, _ groups: [GroupSample]) {
    self.operation = operation
    self.metric = metric
    levels = []
    var (base, candidate) = (0, 0)
    for (number, group) in groups.enumerated() {
      let arms = (group.base[operation] ?? ArmSample(), group.candidate[operation] ?? ArmSample())
      base += arms.0.requests
      candidate += arms.1.requests
      let lack = ArmSample.gap([arms.0, arms.1], base: arms.0, metric, in: "group \(number + 1)")
      if lack == nil, let low = arms.0.level(metric), let high = arms.1.level(metric) {
        levels.append((low, high))
      } else if gap == nil {
        gap = lack
      }
    }
    requests = min(base, candidate)
    if groups.isEmpty { gap = "no group was measured" }
    worsenings = gap == nil ? levels.map { metric.worsening(base: $0.base, candidate: $0.candidate) } : []
  }

  /// The mean worsening of the groups.
  package var mean: Double { worsenings.mean }

  /// The standard deviation of the differences, with n − 1.
  package var deviation: Double {
    worsenings.count > 1 ? (worsenings.squares / Double(worsenings.count - 1)).squareRoot() : 0
  }
}

/// The results of both arms in one group, by operation.
package struct GroupSample: Sendable {
  /// By operationId.
  package var base: [String: ArmSample]
  /// By operationId.
  package var candidate: [String: ArmSample]

  package init(base: [String: ArmSample] = [:], candidate: [String: ArmSample] = [:]) {
    self.base = base
    self.candidate = candidate
  }
}
