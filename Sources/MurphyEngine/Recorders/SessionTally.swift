/// What became of one kind of session on one loop.
struct SessionTally: Sendable {
  var started = 0
  var completed = 0
  var failed: [String: Int] = [:]
  var left: [String: Int] = [:]
  var unfinished = 0

  /// Counts what never came to an end, as a session in Swift that waits for something else.
  mutating func close() {
    unfinished = max(started - completed - failed.values.reduce(0, +) - left.values.reduce(0, +), 0)
  }
}
