import MurphyModel

/// What a comparison is asked to decide.
package struct ComparePromise: Sendable {
  /// The metrics that decide; all are shown.
  package var metrics: [CompareMetric]
  /// The targets were started anew for each group. Without that one lucky process is compared with one unlucky one: their
  /// difference is real and says nothing about the releases.
  package var restarts: Bool

  package init(metrics: [CompareMetric] = CompareMetric.usual, restarts: Bool = true) {
    self.metrics = metrics
    self.restarts = restarts
  }

  /// The smallest mean difference that counts as a slowdown: a smaller one may be real and is not worth a red build. Two
  /// processes of one program differ by some 1 % by their layout in memory; where groups cannot average that out, the
  /// whole margin must be exceeded.
  package func floor(_ metric: CompareMetric) -> Double { metric.difference * (restarts ? 0.4 : 1) }
}
