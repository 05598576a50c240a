import MurphyModel

/// The results of the operations of scenarios over many runs.
package struct TrendResult: Sendable, Codable {
  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-trend/1"

  package var format = TrendResult.currentFormat
  package var scenarios: [TrendScenario]

  package init(_ scenarios: [TrendScenario]) { self.scenarios = scenarios }
}

/// All runs of one scenario, the earliest first.
package struct TrendScenario: Sendable, Codable {
  package var scenario: String
  package var runs: [TrendRun]
  package var operations: [TrendOperation]
}

/// A run as a point of time.
package struct TrendRun: Sendable, Codable, Hashable {
  /// The path of the result.
  package var file: String
  /// RFC 3339, UTC.
  package var started: String
  package var verdict: Verdict
  /// The version of murphy.
  package var murphy: String
  /// System, cores and memory.
  package var machine: String
  package var load: String
  /// True if its numbers measure the API: false for a run that was INVALID, cut short or cancelled. Such a run is in
  /// the chart, but is excluded from the search for changes.
  package var isSound: Bool
}

/// One operation over all runs.
package struct TrendOperation: Sendable, Codable {
  package var operation: String
  package var series: [TrendSeries]

  package subscript(metric: CompareMetric) -> TrendSeries? { series.first { $0.metric == metric } }
}

/// One metric of an operation.
package struct TrendSeries: Sendable, Codable {
  package var metric: CompareMetric
  /// By run: microseconds, a share or responses per second; nil where the run has too few requests.
  package var values: [Double?]
  /// The limit of the last run with a budget on it, in the unit of the values.
  package var budget: Double?
  /// In order of time; empty without a change.
  package var changes: [TrendChange]
}

/// A new level.
package struct TrendChange: Sendable, Codable, Hashable {
  /// The first run of the new level, from 0.
  package var run: Int
  /// The medians of the previous level's runs, and of the new level's.
  package var before: Double
  /// The median of the new level's runs.
  package var after: Double
  /// Positive where it became worse: a ratio less one, or a difference of shares.
  package var change: Double
}
