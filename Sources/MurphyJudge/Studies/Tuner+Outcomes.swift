import MurphyModel

extension Tuner {
  static func kind(of key: LimitKey) -> KeyedDemand.KeySource {
    if key.parts.isEmpty { return .global }
    return key == .sourceAddress ? .address : .user
  }

  /// One policy in a sentence.
  func outcome(of policy: LimitPolicy) -> TuneResult.Outcome {
    let kind = Self.kind(of: policy.key)
    let demand = KeyedDemand(trace, by: kind)
    let algorithm = policy.algorithm == .any ? LimitAlgorithm.fixed : policy.algorithm
    let throttled = throttledSessions(demand, algorithm, policy.allowance, policy.window.inSeconds)
    let hit = throttled.count(where: \.self)
    let share = Double(hit) / Double(max(trace.sessions, 1))
    let bound = ClusterBound.upper(throttled, of: trace, by: kind, seed: options.seed)
    let point = point(kind, algorithm, policy.allowance, policy.window.inSeconds, share)
    var users = [Int32: Set<Int32>]()
    for request in trace.requests { users[request.address, default: []].insert(request.user) }
    let shared = throttled.indices.count { throttled[$0] && users[trace.addressOfSession[$0]]?.count ?? 0 > 1 }
    let whom = hit == 0 ? "" : "; \(shared.text) of these \(hit.text) sessions use a shared address"
    // A burst at the end of one window, and one at the start of the next.
    let twice = algorithm == .tokenBucket || algorithm == .slidingLog ? "" : ", in two windows,"
    let rejected =
      hit == trace.sessions
      ? "in each of the \(trace.sessions.text) legitimate sessions"
      : "in \(percent(share)) of \(trace.sessions.text) legitimate sessions (at most \(percent(bound)) with 95% "
        + "confidence)"
    let abuser: String
    switch kind {
    case .global: abuser = "one abuser can use up the quota of all clients"
    case .address: abuser = "an abuser gets \(number(point.abusePerMinute)) requests a minute\(twice) from each address"
    case .user:
      abuser =
        "an abuser gets \(number(point.abusePerMinute)) requests a minute\(twice) for each key that clients can spoof"
    }
    return TuneResult.Outcome(
      policy: policy.text, point: point, upperBound: bound,
      sentence:
        "\(policy.text) would reject a request \(rejected)\(whom); \(abuser)."
    )
  }

  /// Replays the five best policies with clients that retry.
  func replay(_ result: inout TuneResult) {
    var points = result.recommendations.map(\.point) + result.outcomes.map(\.point)
    for point in result.points.filter(\.isOnFront).sorted(by: { $0.abusePerMinute < $1.abusePerMinute })
    where points.count < 5 && point.throttled <= (options.targets.max() ?? 0.01) * 2 {
      points.append(point)
    }
    var seen = Set<TuneResult.Point>()
    for var point in points {
      point.isOnFront = false
      guard seen.insert(point).inserted, let algorithm = LimitAlgorithm(rawValue: point.algorithm),
        let kind = KeyedDemand.KeySource(rawValue: point.key)
      else { continue }
      let policy = LimitPolicy(
        name: "tuned", operations: [], algorithm: algorithm, allowance: point.allowance,
        window: .saturating(seconds: point.window),
        key: kind == .address ? .sourceAddress : kind == .user ? .header("user") : .global)
      result.replays.append(ClosedLoopReplay(seed: options.seed).run(trace, policy: policy, kind: kind))
    }
  }

  /// The address on which a declared policy, or otherwise a tight one, throttles most sessions.
  func timeline(_ result: TuneResult) -> TuneResult.Timeline? {
    let point =
      result.outcomes.map(\.point).first { $0.throttled > 0 && $0.key == "address" }
      ?? result.points.filter { $0.key == "address" && $0.throttled > 0 && $0.isOnFront }
      .min { ($0.throttled - 0.01).magnitude < ($1.throttled - 0.01).magnitude }
    guard let point, let algorithm = LimitAlgorithm(rawValue: point.algorithm) else { return nil }
    let throttled = throttledSessions(KeyedDemand(trace, by: .address), algorithm, point.allowance, point.window)
    var victims = [Int](repeating: 0, count: trace.addresses)
    for (session, hit) in throttled.enumerated() where hit { victims[Int(trace.addressOfSession[session])] += 1 }
    guard let address = victims.indices.max(by: { (victims[$0], $1) < (victims[$1], $0) }), victims[address] > 0 else {
      return nil
    }
    let requests = trace.requests.filter { $0.address == Int32(address) }
    var limiter = LimiterModel(algorithm, allowance: point.allowance, window: point.window)
    var ticks: [KeyStrip.Tick] = []
    for request in requests {
      ticks.append(KeyStrip.Tick(at: request.at, decision: limiter.admits(at: request.at) ? .admitted : .refused))
    }
    let first = ticks.firstIndex { $0.decision == .refused } ?? 0
    let range = max(0, first - 200)..<min(ticks.count, first + 600)
    var windows: [Double] = []
    if algorithm == .fixed {
      for tick in ticks[range] where tick.at >= (windows.last ?? -.infinity) + point.window { windows.append(tick.at) }
    }
    return TuneResult.Timeline(
      address: "address \(address)", users: Set(requests.map(\.user)).count, policy: text(point),
      window: point.window,
      strip: KeyStrip(key: "address \(address)", requests: Array(ticks[range]), windows: windows, witness: []))
  }

  func describe(_ result: inout TuneResult) {
    let demand = result.demand
    result.sentences.insert(
      "\(demand.sessions.text) sessions with \(demand.requests.text) requests from \(demand.addresses.text) addresses, "
        + "up to \(demand.largestSharing.text) users behind one address.",
      at: 0)
    result.sentences += result.recommendations.map(\.sentence) + result.outcomes.map(\.sentence)
    guard let point = result.recommendations.last?.point ?? result.outcomes.last?.point else { return }
    result.faults = [
      "With \(text(point)): two processes that count separately admit \(number(2 * point.abusePerMinute)) requests a "
        + "minute instead of \(number(point.abusePerMinute)).",
      "If clients can spoof the key (a trusted X-Forwarded-For, or only a device header), they bypass the limit.",
      "A race between ten concurrent requests admits up to \(point.allowance + 9) requests in one burst instead of "
        + "\(point.allowance).",
      "If rejected requests count, a client that retries more often than every "
        + "\(number(point.window / Double(max(point.allowance, 1)))) s stays locked out.",
      "If Retry-After always has the length of the window, clients wait \(number(point.window)) s, even if quota is "
        + "available sooner.",
    ]
  }

  func text(_ point: TuneResult.Point) -> String {
    let algorithm = LimitAlgorithm(rawValue: point.algorithm) ?? .fixed
    if algorithm == .tokenBucket {
      return "burst \(point.allowance) at \(number(point.abusePerSecond))/s, \(algorithm.text)"
    }
    return "\(point.allowance) per \(number(point.window)) s, \(algorithm.text)"
  }

  func percent(_ share: Double) -> String { Figure.percent(share, 2).text }

  func number(_ value: Double) -> String { Figure.decimals(value, 2) }
}

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
