import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// What a probe says that it takes at most is never put off, and holds.
@Suite struct ProbeBoundTests {
  /// Seconds by which the last volley's responses may come after the bound.
  private static let lastAnswers = 1.0

  private struct Watched: CustomStringConvertible {
    var report: ProbeReport
    /// The moments at which it would be over at the latest, in the order in which they were said.
    var ends: [Double]
    var description: String { "\(ends) \(report.duration) \(report.sentences)" }
  }

  private static func probe(_ index: Int, window: Double, isQuick: Bool) async throws -> Watched {
    var random = RandomSource(seed: 404, stream: UInt64(index))
    let kind = ProberTests.kinds[index % ProberTests.kinds.count]
    let allowance = 5 + Int(random.unit() * 60)
    var limiter = LimiterModel(
      kind.0, allowance: allowance, window: window, phase: random.uniform(0, window), countsRefused: kind.countsRefused)
    // Declared are fixed windows of 6 s, whatever the limiter does.
    let declared = LimitPolicy(
      name: "voteLaw", operations: ["voteLaw"], algorithm: .fixed, allowance: allowance, window: .seconds(6),
      key: .global)
    var options = ProbeOptions(
      maxRequests: 100_000, time: .seconds(600), declared: declared, dimensions: FollowUpTests.dimensions,
      triesInvalid: true, triesRace: true)
    options.isQuick = isQuick
    var target = VirtualTarget(admits: { _, moment in limiter.admits(at: moment) }, random: random)
    var prober = Prober(operation: "voteLaw", options: options)
    var ends: [Double] = []
    func note(_ progress: ProbeProgress) { ends.append((progress.elapsed + progress.remaining).inSeconds) }
    var report = try await prober.run(on: &target) { note($0) }
    if var race = RaceQuestion(prober) { report = try await race.ask(of: &target) { note($0) } }
    return Watched(report: report, ends: ends)
  }

  @Test(arguments: [1.5, 6, 8, 40]) func `the time left never grows`(_ window: Double) async throws {
    for index in ProberTests.kinds.indices {
      let watched = try await Self.probe(index, window: window, isQuick: false)
      for (said, next) in zip(watched.ends, watched.ends.dropFirst()) {
        #expect(next <= max(said, 0) + 1e-6, "\(index): \(watched)")
      }
      #expect(watched.report.duration.inSeconds <= (watched.ends.first ?? 0) + Self.lastAnswers, "\(index): \(watched)")
      #expect((watched.ends.first ?? 600) < 600, "a declared window of 6 s bounds the probe")
    }
  }

  @Test func `a quick probe takes one window at most`() async throws {
    for index in ProberTests.kinds.indices {
      let watched = try await Self.probe(index, window: 6, isQuick: true)
      #expect(watched.ends.allSatisfy { $0 <= 6 + 1e-6 }, "\(index): \(watched)")
      #expect(watched.report.duration.inSeconds <= 6 + Self.lastAnswers, "\(index): \(watched)")
      #expect(watched.report.outcome == .partial)
      #expect(watched.report.keys.count == FollowUpTests.dimensions.count, "open or answered, each is named")
    }
  }
}
