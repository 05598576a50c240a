import MurphyModel

/// Replays a trace against a policy with clients that retry. They wait as Retry-After requires (whole seconds, rounded
/// up) plus up to a second, a limited number of times.
struct ClosedLoopReplay {
  var retries = 2
  var seed: UInt64 = 0

  func run(_ trace: DemandTrace, policy: LimitPolicy, kind: KeyedDemand.KeySource) -> TuneResult.Replay {
    var random = RandomSource(seed: seed, stream: 7)
    var limiters: [Int32: LimiterModel] = [:]
    var queue = AttemptQueue(trace.requests.indices.map { Attempt(at: trace.requests[$0].at, request: $0, number: 0) })
    var refusedSessions = Set<Int32>()
    var failedSessions = Set<Int32>()
    var delays: [Int32: Double] = [:]
    var attempts = 0
    var refusals = 0
    while let attempt = queue.next() {
      attempts += 1
      let request = trace.requests[attempt.request]
      let key = kind == .address ? request.address : kind == .user ? request.user : 0
      let model = LimiterModel(
        policy.algorithm, allowance: policy.allowance, window: policy.window.inSeconds)
      if limiters[key, default: model].admits(at: attempt.at) {
        if attempt.number > 0 { delays[request.session, default: 0] += attempt.at - request.at }
        continue
      }
      refusals += 1
      refusedSessions.insert(request.session)
      guard attempt.number < retries else {
        failedSessions.insert(request.session)
        continue
      }
      let wait = max(0, (limiters[key]?.release(after: attempt.at) ?? attempt.at) - attempt.at).rounded(.up)
      queue.add(Attempt(at: attempt.at + wait + random.unit(), request: attempt.request, number: attempt.number + 1))
    }
    let sessions = Double(max(trace.sessions, 1))
    let waits = delays.values.sorted()
    return TuneResult.Replay(
      policy: policy.text, refused: Double(refusedSessions.count) / sessions,
      failed: Double(failedSessions.count) / sessions, refusals: Double(refusals) / Double(max(attempts, 1)),
      delay: waits.isEmpty ? 0 : waits[min(waits.count - 1, Int(saturating: 0.95 * Double(waits.count)))])
  }

  private struct Attempt {
    var at: Double
    var request: Int
    var number: Int
  }

  /// First attempts are already sorted; only the retries need a heap.
  private struct AttemptQueue {
    private let first: [Attempt]
    private var position = 0
    private var heap: [Attempt] = []

    init(_ attempts: [Attempt]) { first = attempts }

    mutating func add(_ attempt: Attempt) {
      heap.append(attempt)
      var child = heap.count - 1
      while child > 0, heap[child].at < heap[(child - 1) / 2].at {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    mutating func next() -> Attempt? {
      if position < first.count, heap.isEmpty || first[position].at <= heap[0].at {
        position += 1
        return first[position - 1]
      }
      guard !heap.isEmpty else { return nil }
      heap.swapAt(0, heap.count - 1)
      let attempt = heap.removeLast()
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].at < heap[least].at {
          least = child
        }
        if least == parent { return attempt }
        heap.swapAt(parent, least)
        parent = least
      }
    }
  }
}
