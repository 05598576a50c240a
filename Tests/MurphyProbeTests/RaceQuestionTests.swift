import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// A race is claimed of limiters that check and count in two steps, and of no other, however busy the machine is.
@Suite struct RaceQuestionTests {
  static let declared = LimitPolicy(
    name: "voteLaw", operations: ["voteLaw"], algorithm: .fixed, allowance: 30, window: .seconds(1.8), key: .global)

  /// Limiters that check and count in one step; most of them are not what is declared.
  static let atomic: [(algorithm: LimitAlgorithm, allowance: Int, window: Double)] = [
    (.fixed, 30, 1.8), (.fixed, 29, 1.8), (.fixed, 30, 1.35), (.fixed, 30, 2.4), (.fixedAligned, 30, 1.8),
    (.slidingLog, 30, 1.8), (.slidingCounter, 30, 1.8), (.tokenBucket, 30, 1.8),
  ]

  /// Answers each request after it counted it, and counts it some time after it looked.
  private struct RacyTarget: ProbeTarget {
    let lag: Double
    private var start = -Double.infinity
    private var counted: [Double] = []
    private var now = 0.0

    init(lag: Double) { self.lag = lag }

    mutating func send(_ volley: ProbeVolley) -> [ProbeObservation] {
      let begin = max(now, volley.at)
      var observations: [ProbeObservation] = []
      for (index, request) in volley.requests.enumerated() {
        let sent = begin + Double(index) * volley.spacing
        let refused = observations.count { $0.decision == .refused && $0.settled <= sent }
        if let most = volley.stopsAfterRefusals, refused >= most { break }
        let decided = sent + 0.0005
        if decided >= start + 1.8 { (start, counted) = (decided, []) }
        let isAdmitted = request.isInvalid || counted.count(where: { $0 <= decided }) < 30
        let settled = decided + (isAdmitted ? lag : 0.0005)
        if isAdmitted { counted.append(settled) }
        observations.append(
          ProbeObservation(
            index: index, sent: sent, settled: settled, decision: isAdmitted ? .admitted : .refused,
            status: isAdmitted ? 200 : 429))
        now = max(now, settled)
      }
      return observations
    }
  }

  private static func probe(_ target: inout some ProbeTarget) async throws -> ProbeReport {
    var prober = Prober(
      operation: "voteLaw",
      options: ProbeOptions(maxRequests: 100_000, time: .seconds(90), declared: declared, triesRace: true))
    let report = try await prober.run(on: &target)
    guard var race = RaceQuestion(prober) else { return report }
    return try await race.ask(of: &target)
  }

  @Test(arguments: BusyProberTests.loads)
  func `nobody who counts as he checks is accused of a race`(_ load: BusyProberTests.Load) async throws {
    var accused: [String] = []
    for (number, terms) in Self.atomic.enumerated() {
      for round in 0..<2 {
        var random = RandomSource(seed: 77, stream: UInt64(number * 10 + round))
        var limiter = LimiterModel(
          terms.algorithm, allowance: terms.allowance, window: terms.window, phase: random.uniform(0, terms.window))
        var target = BusyTarget(client: load.client, server: load.server, thinking: 0.05, random: random) {
          limiter.admits(at: $1)
        }
        let report = try await Self.probe(&target)
        if report.raceExcess ?? 0 > 0 { accused.append("\(terms): \(report.sentences)") }
      }
    }
    #expect(accused == [])
  }

  @Test(arguments: [0.01, 0.02, 0.05]) func `a limiter that counts late has a race`(_ lag: Double) async throws {
    var target = RacyTarget(lag: lag)
    let report = try await Self.probe(&target)
    #expect(report.agreesWithDeclared == false, "\(report.sentences)")
    #expect(report.raceExcess ?? 0 > 0, "\(report.sentences)")
  }

  /// It counts so late that its burst is over by then; one after the other, a window is too short for its allowance.
  @Test func `a limiter that admits a whole burst is not called unlimited`() async throws {
    var target = RacyTarget(lag: 0.15)
    let report = try await Self.probe(&target)
    #expect(report.outcome != .unlimited, "\(report.sentences)")
    #expect(report.agreesWithDeclared == false, "\(report.sentences)")
  }

  @Test func `what never rejects is unlimited, and so many as are allowed prove nothing`() async throws {
    var target = VirtualTarget(admits: { _, _ in true }, random: RandomSource(seed: 5))
    #expect(try await Self.probe(&target).outcome == .unlimited)
    for most in [8, 30] {
      var prober = Prober(
        operation: "voteLaw", options: ProbeOptions(maxRequests: most, time: .seconds(90), declared: Self.declared))
      let report = try await prober.run(on: &target)
      #expect(report.outcome == .unfinished && report.agreesWithDeclared == nil, "\(report.sentences)")
    }
  }
}
