import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Separate counters, counters that are synchronised late and a larger quota are told apart.
@Suite struct ReplicaQuestionTests {
  enum Kind: String, CaseIterable {
    case byConnection, atRandom, inTurn, larger, late
  }

  /// An API with several workers on a virtual clock. Each client has a counter in each of them.
  final class Workers {
    let kind: Kind
    let count: Int
    let terms: LimitPolicy
    private var random: RandomSource
    private var limiters: [String: LimiterModel] = [:]
    private var places: [Int: Int] = [:]
    private var turns = 0
    /// For late synchronisation: by client, the begin of its window, the common count, and the counts since the last
    /// synchronisation.
    private var caches: [Int: (begin: Double, common: Int, own: [Int], synchronised: Double)] = [:]
    let phase: Double

    init(_ kind: Kind, _ count: Int, _ terms: LimitPolicy, _ random: RandomSource) {
      (self.kind, self.count, self.terms, self.random) = (kind, count, terms, random)
      phase = self.random.unit() * terms.window.inSeconds
    }

    func admits(_ request: ProbeRequest, _ moment: Double) -> Bool {
      let variant = request.client ?? request.variant
      // Only the device is a part of the key.
      let client = variant?.dimension == .device ? variant!.number + (request.client == nil ? 1_000 : 0) : 0
      let place = place(of: request.line ?? 0)
      if kind == .late { return admitsLate(client, place, moment) }
      let name = "\(client) \(place)"
      let allowance = kind == .larger ? terms.allowance * count : terms.allowance
      var limiter =
        limiters[name]
        ?? LimiterModel(terms.algorithm, allowance: allowance, window: terms.window.inSeconds, phase: phase)
      defer { limiters[name] = limiter }
      return limiter.admits(at: moment)
    }

    private func place(of line: Int) -> Int {
      switch kind {
      case .larger: return 0
      case .inTurn:
        turns += 1
        return turns % count
      case .atRandom: return random.index(below: count)
      case .byConnection, .late:
        let place = places[line] ?? random.index(below: count)
        places[line] = place
        return place
      }
    }

    private func admitsLate(_ client: Int, _ place: Int, _ moment: Double) -> Bool {
      let (window, pause) = (terms.window.inSeconds, terms.window.inSeconds / 30)
      var cache = caches[client] ?? (moment, 0, Array(repeating: 0, count: count), moment)
      if moment >= cache.begin + window { cache = (moment, 0, Array(repeating: 0, count: count), moment) }
      if moment >= cache.synchronised + pause {
        cache.common += cache.own.reduce(0, +)
        cache.own = Array(repeating: 0, count: count)
        cache.synchronised = moment
      }
      let isAdmitted = cache.common + cache.own[place] < terms.allowance
      if isAdmitted { cache.own[place] += 1 }
      caches[client] = cache
      return isAdmitted
    }
  }

  /// Numbers the connections as the real target opens them: concurrent requests have one each.
  struct Target: ProbeTarget {
    var virtual: VirtualTarget

    mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
      var volley = volley
      if volley.spacing == 0 {
        for index in volley.requests.indices where volley.requests[index].line == nil {
          volley.requests[index].line = 1_000 + index
        }
      }
      return virtual.send(volley)
    }
  }

  static func probe(_ index: Int) async throws -> (kind: Kind, isRight: Bool, text: String) {
    var random = RandomSource(seed: 36, stream: UInt64(index))
    let kind = Kind.allCases[index % Kind.allCases.count]
    let algorithms: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog]
    let allowance = Int(random.logUniform(4, 100).rounded())
    let count =
      (kind == .larger || kind == .late ? 2 : 1) + random.index(below: kind == .larger || kind == .late ? 7 : 8)
    let window = random.logUniform(Double(allowance * count) / 15 + 5, 120)
    let policy = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"],
      algorithm: kind == .late ? .fixed : algorithms[random.index(below: 3)],
      allowance: allowance, window: .seconds(window), key: LimitKey([.header("x-device-id")]))
    var options = ProbeOptions(
      maxRequests: 100_000, time: .seconds(100_000), declared: policy, dimensions: [.device], triesRace: true)
    options.deviceHeaders = ["X-Device-ID"]
    options.freshDimensions = [.device]
    let workers = Workers(kind, count, policy, random)
    var target = Target(virtual: VirtualTarget(admits: workers.admits, random: random))
    var prober = Prober(operation: "voteLaw", options: options)
    var report = try await prober.run(on: &target)
    if var race = RaceQuestion(prober) { report = try await race.ask(of: &target) }
    if var replicas = ReplicaQuestion(prober, report) { report = try await replicas.ask(of: &target) }
    let isLate = report.facts.contains { if case .lateSync = $0 { true } else { false } }
    let isRight =
      switch kind {
      case .larger: report.replicas == 1 && !isLate
      case .late: isLate && report.replicas == nil
      default: report.replicas ?? 1 == count && !isLate
      }
    return (
      kind, isRight,
      "\(kind.rawValue) \(count) × \(allowance) per \(window), \(policy.algorithm): \(report.replicas ?? 0) "
        + "\(report.sentences)"
    )
  }

  @Test func `the number of separate counters is right`() async throws {
    let count = SimulationSize.count(500, least: 50)
    var (right, all): ([Kind: Int], [Kind: Int]) = ([:], [:])
    try await withThrowingTaskGroup(of: (kind: Kind, isRight: Bool, text: String).self) { group in
      for index in 0..<count { group.addTask { try await Self.probe(index) } }
      for try await outcome in group {
        all[outcome.kind, default: 0] += 1
        right[outcome.kind, default: 0] += outcome.isRight ? 1 : 0
        if !outcome.isRight { print("  missed", outcome.text) }
      }
    }
    for kind in Kind.allCases { print("\(kind.rawValue): \(right[kind] ?? 0) of \(all[kind] ?? 0) right") }
    let share = Double(right.values.reduce(0, +)) / Double(count)
    // Three standard errors below what is promised of 500.
    #expect(share >= (count >= 500 ? 0.95 : 0.95 - 3 * (0.95 * 0.05 / Double(count)).squareRoot()), "\(share)")
  }
}
