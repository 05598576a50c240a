/// How latency or the error rate of one operation follows the load or the time: the data of a drift finding.
package struct Drift: Sendable, Codable, Hashable {
  /// The quantity that grew.
  package enum Measure: String, Sendable, Codable {
    /// The geometric mean of the responses without errors, in microseconds.
    case latency
    /// Errors divided by requests, from 0 to 1.
    case errors
  }

  /// The quantity that it follows.
  package enum Axis: String, Sendable, Codable {
    /// Requests per second of all operations.
    case requests
    /// Users with a running session, for a load that is given in users.
    case users
    /// Seconds since the run's start.
    case time
  }

  /// Some consecutive seconds with about as many requests of the operation as in each other point.
  package struct Point: Sendable, Codable, Hashable {
    /// Seconds since the run's start.
    package var from: Double
    /// The end of the last second, in seconds since the run's start.
    package var until: Double
    /// Requests per second of all operations, or users.
    package var load: Double
    /// The number of requests of the operation in these seconds.
    package var requests: Int
    /// In the unit of the drift's measure.
    package var value: Double

    package init(from: Double, until: Double, load: Double, requests: Int, value: Double) {
      self.from = from
      self.until = until
      self.load = load
      self.requests = requests
      self.value = value
    }
  }

  package var measure: Measure
  package var axis: Axis
  /// The highest load without drift, or the time at which it began.
  package var threshold: Double
  /// The median of the points up to the threshold.
  package var low: Double
  /// The median of the points above the threshold.
  package var high: Double
  /// Load and time grew together: either may be the cause.
  package var isAmbiguous: Bool
  /// In order of time.
  package var points: [Point]

  package init(
    measure: Measure, axis: Axis, threshold: Double, low: Double, high: Double, isAmbiguous: Bool, points: [Point]
  ) {
    self.measure = measure
    self.axis = axis
    self.threshold = threshold
    self.low = low
    self.high = high
    self.isAmbiguous = isAmbiguous
    self.points = points
  }
}
