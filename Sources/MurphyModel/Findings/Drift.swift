/// How latency or the share of errors of one operation follows the load or the time: what a finding of drift shows.
package struct Drift: Sendable, Codable, Hashable {
  /// What grew.
  package enum Measure: String, Sendable, Codable {
    /// The geometric mean of the answers that are no errors, in microseconds.
    case latency
    /// Errors over requests, from 0 to 1.
    case errors
  }

  /// What it follows.
  package enum Axis: String, Sendable, Codable {
    /// Requests per second of all operations.
    case requests
    /// Users with a session running, for a load that is given in users.
    case users
    /// Seconds since the run's start.
    case time
  }

  /// Some seconds in a row with about as many requests of the operation as in each other point.
  package struct Point: Sendable, Codable, Hashable {
    /// Seconds since the run's start.
    package var from: Double
    package var until: Double
    /// Requests per second of all operations, or users.
    package var load: Double
    package var requests: Int
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
  /// The highest load without it, or the moment of its beginning.
  package var threshold: Double
  /// The median of the points up to the threshold.
  package var low: Double
  /// The median of the points beyond it.
  package var high: Double
  /// Load and time grew together: either may be the cause.
  package var isAmbiguous: Bool
  /// In the order of time.
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
