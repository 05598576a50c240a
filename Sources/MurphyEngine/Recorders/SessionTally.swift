/// What became of one kind of session on one loop.
struct SessionTally: Sendable {
  var started = 0
  var completed = 0
  var failed: [String: Int] = [:]
  var unfinished = 0
}
