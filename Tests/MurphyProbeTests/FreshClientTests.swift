import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Probes with clients without a history: they take less time, and confirm no wrong declaration.
@Suite struct FreshClientTests {
  static let kinds: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket]

  /// A limiter by device, with one counter for each.
  private struct Devices {
    let make: () -> LimiterModel
    var counters: [String: LimiterModel] = [:]

    mutating func admits(_ request: ProbeRequest, _ moment: Double) -> Bool {
      var name = "base"
      if let client = request.client { name = "client \(client.number)" }
      if let variant = request.variant, variant.dimension == .device { name = "variant \(variant.number)" }
      return counters[name, default: make()].admits(at: moment)
    }
  }

  /// - Returns: the result, and its time in windows.
  private static func probe(
    _ kind: LimitAlgorithm, declared: LimitAlgorithm? = nil, quota: Double = 1, window factor: Double = 1, seed: Int
  ) async throws -> (report: ProbeReport, windows: Double) {
    var random = RandomSource(seed: 53, stream: UInt64(seed))
    let (allowance, window) = (12 + Int(random.next() % 50), random.uniform(3, 30))
    let phase = random.uniform(0, window)
    var devices = Devices { LimiterModel(kind, allowance: allowance, window: window, phase: phase) }
    let policy = LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: declared ?? kind,
      allowance: Int((Double(allowance) * quota).rounded()), window: .seconds(window * factor),
      key: .header("x-device-id"))
    var options = ProbeOptions(
      maxRequests: 100_000, time: .seconds(10_000), declared: policy, dimensions: [.device], triesInvalid: true,
      triesRace: true)
    options.deviceHeaders = ["x-device-id"]
    options.freshDimensions = [.device]
    var target = VirtualTarget(admits: { devices.admits($0, $1) }, random: random)
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    #expect(target.earliest >= 0, "something was sent before the last response")
    return (report, report.duration.inSeconds / window)
  }

  @Test(arguments: kinds) func `a declared limit is confirmed in fewer windows`(_ kind: LimitAlgorithm) async throws {
    let count = SimulationSize.count(100, least: 8)
    var agreed = 0
    var windows: [Double] = []
    for seed in 0..<count {
      let (report, time) = try await Self.probe(kind, seed: seed)
      #expect(report.agreesWithDeclared != false, "\(report.sentences)")
      agreed += report.agreesWithDeclared == true ? 1 : 0
      windows.append(time)
    }
    print("fresh clients, \(kind.rawValue): \(agreed) of \(count) agree, \(windows.sorted()[count / 2]) windows")
    #expect(10 * agreed >= 7 * count)
    // Without fresh clients these take seven windows and more.
    if kind == .fixed || kind == .slidingLog { #expect(windows.sorted()[count / 2] < 3) }
  }

  @Test(arguments: kinds) func `a wrong declaration is not confirmed`(_ kind: LimitAlgorithm) async throws {
    let other: LimitAlgorithm = kind == .fixed ? .slidingLog : .fixed
    for seed in 0..<SimulationSize.count(60, least: 4) {
      for quota in [0.8, 1.2] {
        let report = try await Self.probe(kind, quota: quota, seed: seed).report
        #expect(report.agreesWithDeclared != true, "\(quota) times the quota: \(report.sentences)")
      }
      for factor in [0.5, 2] {
        let report = try await Self.probe(kind, window: factor, seed: seed).report
        #expect(report.agreesWithDeclared != true, "\(factor) times the window: \(report.sentences)")
      }
      let report = try await Self.probe(kind, declared: other, seed: seed).report
      #expect(report.agreesWithDeclared != true, "declared \(other.text): \(report.sentences)")
    }
  }

  @Test(arguments: [true, false]) func `a route counts as the key only if another route is limited`(
    _ isLimited: Bool
  ) async throws {
    var (base, other) = (FixedWindowLimiter(allowance: 10, window: 5), FixedWindowLimiter(allowance: 10, window: 5))
    var options = ProbeOptions(time: .seconds(100), dimensions: [.route])
    options.declared = LimitPolicy(
      name: "votes", operations: ["voteLaw"], algorithm: .fixed, allowance: 10, window: .seconds(5), key: .global)
    options.isQuick = true
    var target = VirtualTarget(
      admits: { request, moment in
        guard request.dimension == .route else { return base.admits(at: moment) }
        return !isLimited || other.admits(at: moment)
      }, random: RandomSource(seed: 3))
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    #expect(report.keys.map(\.separates) == [true], "\(report.sentences)")
    #expect(report.keys.map(\.hasOwnCounter) == [isLimited], "\(report.sentences)")
    #expect(report.keys.map(\.isCounted) == [isLimited] && report.keys.map(\.isOpen) == [!isLimited])
  }
}
