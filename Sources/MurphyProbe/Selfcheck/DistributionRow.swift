import MurphyModel

/// Durations in nanoseconds, sorted: their percentiles are samples themselves.
package struct OrderStatistics: Sendable {
  private let sorted: [Int64]

  package init(_ samples: [Int64]) { sorted = samples.sorted() }

  /// The number of durations.
  package var count: Int { sorted.count }

  /// The sample of rank ⌈p·n⌉; 0 without samples.
  package subscript(_ percentile: Double) -> Int64 {
    sorted.isEmpty ? 0 : sorted[LatencyDistribution.rank(percentile, of: sorted.count) - 1]
  }

  /// The same in microseconds, to 0.1.
  package func microseconds(_ percentile: Double) -> Double { (Double(self[percentile]) / 100).rounded() / 10 }
}

/// The report of murphy on one distribution of delays, compared with the true values.
package struct DistributionRow: Sendable, Codable, Hashable {
  package var name: String
  /// In words, with its parameters.
  package var distribution: String
  /// Responses that murphy counted, and delays that the server imposed.
  package var samples: Int
  /// The delays that the server imposed.
  package var imposed: Int
  package var quantiles: [QuantileRow]

  package static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 100]

  /// - Parameters:
  ///   - reported: the histogram of the percentiles in the result.
  ///   - recorded: every latency as the recorder received it, in nanoseconds.
  ///   - imposed: every delay, by the server's own clock, in nanoseconds.
  package init(
    name: String, distribution: String, reported: LatencyHistogram, recorded: [Int64], imposed: [Int64]
  ) {
    self.name = name
    self.distribution = distribution
    samples = recorded.count
    self.imposed = imposed.count
    let (raw, truth) = (OrderStatistics(recorded), OrderStatistics(imposed))
    quantiles = zip(Self.percentiles, reported.percentiles(Self.percentiles)).map { percentile, value in
      QuantileRow(
        percentile: percentile, reported: (Double(value) / 100).rounded() / 10,
        recorded: raw.microseconds(percentile), imposed: truth.microseconds(percentile))
    }
  }
}

/// One percentile, in microseconds.
package struct QuantileRow: Sendable, Codable, Hashable {
  /// 100 for the longest.
  package var percentile: Double
  /// The value in murphy's result.
  package var reported: Double
  /// The exact order statistic of murphy's measurements.
  package var recorded: Double
  /// The exact order statistic of the server's delays.
  package var imposed: Double
  /// reported − recorded: the error of the histogram and its merges.
  package var recordingError: Double
  /// reported − imposed: that, the network round trip, and the delays of murphy and the machine.
  package var measuringError: Double

  package init(percentile: Double, reported: Double, recorded: Double, imposed: Double) {
    self.percentile = percentile
    self.reported = reported
    self.recorded = recorded
    self.imposed = imposed
    recordingError = ((reported - recorded) * 10).rounded() / 10
    measuringError = ((reported - imposed) * 10).rounded() / 10
  }

  /// `p99`, `max`
  package var title: String {
    percentile == 100 ? "max" : percentile == 99.9 ? "p99.9" : "p\(Int(saturating: percentile))"
  }
}
