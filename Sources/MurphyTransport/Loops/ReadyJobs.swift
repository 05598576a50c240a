/// Jobs in the order in which they became ready, run in slices: thousands of users that begin at once must not
/// keep answers and deadlines waiting.
struct ReadyJobs {
  private static let slice = 128

  private var jobs: [UnownedJob] = []
  private var next = 0

  var isEmpty: Bool { next == jobs.count }

  /// Takes all jobs of `queue`, whose memory is used again. To be called when empty.
  mutating func refill(from queue: inout [UnownedJob]) {
    jobs.removeAll(keepingCapacity: true)
    next = 0
    swap(&jobs, &queue)
  }

  mutating func takeSlice() -> ArraySlice<UnownedJob> {
    let end = min(next + Self.slice, jobs.count)
    defer { next = end }
    return jobs[next..<end]
  }
}
