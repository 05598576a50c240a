import MurphyJudge
import MurphyModel
import MurphyProbe
import Simulation
import Testing

/// Each number of a report is an interval that contains the true value, however late requests and responses are.
@Suite struct DelayedProberTests {
  private struct Outcome {
    /// Claims that are not true of the limiter.
    var falsehoods: [String] = []
    /// The terms are identified, with the likeliest values as near as without delays.
    var isExact = false
    var isOpen = false
  }

  /// - Parameter isDeclared: a wrong allowance or window is declared, with the right algorithm.
  private static func probe(_ index: Int, _ longest: Double, isDeclared: Bool) async throws -> Outcome {
    var random = RandomSource(seed: 2121, stream: UInt64(index))
    let kind = ProberTests.kinds[index % ProberTests.kinds.count]
    let isUsual = index / ProberTests.kinds.count % 2 == 0
    let allowance = isUsual ? 30 : Int(random.logUniform(3, 100).rounded())
    let window = isUsual ? 1.8 : random.logUniform(1, 30)
    var limiter = LimiterModel(
      kind.0, allowance: allowance, window: window, phase: random.uniform(0, window), countsRefused: kind.countsRefused)
    var options = ProbeOptions(maxRequests: 100_000, time: .saturating(seconds: max(60 * window, 90)))
    if isDeclared {
      let isMore = index % 2 == 0
      options.declared = LimitPolicy(
        name: "voteLaw", operations: ["voteLaw"], algorithm: kind.0, allowance: allowance + (isMore ? 1 : 0),
        window: .seconds(isMore ? window : 1.4 * window), key: .global)
    }
    var target = DelayedTarget(longest: longest, random: random) { limiter.admits(at: $1) }
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    let name = kind.countsRefused ? ProbeHypothesis.logCountingRefused.text : kind.0.text
    let said = "\(name), \(allowance) per \(window) s: \(report.outcome) \(report.sentences)"
    var outcome = Outcome()
    func check(_ isTrue: Bool, _ claim: String) { if !isTrue { outcome.falsehoods.append("\(claim): \(said)") } }
    check(report.agreesWithDeclared != true, "confirms terms that are wrong")
    let isFound = report.candidates.first?.algorithm == name
    outcome.isOpen = report.outcome != .identified
    check(isFound || outcome.isOpen, "another algorithm")
    guard isFound, let counts = report.allowance, let windows = report.window, let rates = report.rate else {
      return outcome
    }
    let (count, rate) = (Double(allowance), Double(allowance) / window)
    check(counts.low <= count && count <= counts.high, "allowance \(counts)")
    check(windows.low <= window && window <= windows.high, "window \(windows)")
    check(rates.low <= rate && rate <= rates.high, "rate \(rates)")
    outcome.isExact =
      !outcome.isOpen && (counts.value / count - 1).magnitude <= 0.01 && (windows.value / window - 1).magnitude <= 0.03
    return outcome
  }

  @Test(arguments: [0, 0.02, 0.2], [false, true])
  func `no claim is false, however late requests and responses are`(_ longest: Double, _ isDeclared: Bool) async throws
  {
    let count = SimulationSize.count(300, least: 12, part: longest == 0 ? 0.2 : 0.05)
    var outcomes: [Outcome] = []
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for index in 0..<count { group.addTask { try await Self.probe(index, longest, isDeclared: isDeclared) } }
      for try await outcome in group { outcomes.append(outcome) }
    }
    let falsehoods = outcomes.flatMap(\.falsehoods)
    let exact = outcomes.count(where: \.isExact)
    print("delays up to \(longest) s: \(exact) of \(count) exact, \(outcomes.count(where: \.isOpen)) open")
    #expect(falsehoods.isEmpty, "\(falsehoods.joined(separator: "\n"))")
    // Without delays a probe is as exact as `ProberTests` requires.
    if longest == 0, !isDeclared { #expect(Double(exact) >= 0.9 * Double(count)) }
  }

  @Test func `a number is printed alone only where its interval rounds to it`() {
    func text(_ low: Double, _ value: Double, _ high: Double) -> String {
      ProbeReport.Estimate(low: low, value: value, high: high).text
    }
    #expect(text(9.98, 10, 10.02) == "10")
    #expect(text(9.3, 10, 10.7) == "9.3 to 10.7")
    #expect(text(1.796, 1.8, 1.804) == "1.8")
    #expect(text(0.9996, 1, 1.0004) == "1")
    #expect(text(5.999, 20, 90_000) == "at least 5.99")
    #expect(ProbeReport.Estimate(low: 30, value: 30, high: 31).countText == "30 to 31")
  }
}
