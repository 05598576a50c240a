import Murphy
import MurphyModel
import TestSupport
import Testing

/// The reference API's limiter in each of its algorithms, end to end over real HTTP.
@Suite(.timed) struct ReferenceLimiterTests {
  /// All at a time: they mostly wait.
  @Test func `a black box is recognised`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for algorithm in LimitAlgorithm.concrete { group.addTask { try await Self.recognise(algorithm) } }
      try await group.waitForAll()
    }
  }

  private static func recognise(_ algorithm: LimitAlgorithm) async throws {
    let limiter = algorithm.rawValue
    let probed = try await ProbeBench.decided(limiter, isOpen: { $0.report.outcome == .ambiguous }) {
      try await ProbeBench.places.use {
        try await ProbeBench.probe(scale: 0.03, limiter: limiter, blackBox: true, followUps: false)
      }
    }
    let report = probed.report
    print("\(limiter): \(report.sentences.first ?? "") \(report.requests) requests, \(report.duration)")
    #expect(report.candidates.first?.algorithm == algorithm.text, "\(limiter): \(report.sentences)")
    #expect(report.isVerified, "\(limiter): \(report.sentences)")
    // What is said of the terms holds; of a sliding counter little but the rate can be seen (docs/rate-limits.md §3.3).
    let allowance = try #require(report.allowance)
    let window = try #require(report.window)
    #expect(allowance.low <= 30 && 30 <= allowance.high, "\(report.sentences)")
    #expect(window.holds(1.8), "\(report.sentences)")
    #expect(probed.verdict == .pass, "\(limiter): \(report.sentences)")
  }

  @Test func `what is declared is confirmed`() async throws {
    let probed = try await ProbeBench.decided("the declaration", isOpen: { $0.report.agreesWithDeclared == nil }) {
      try await ProbeBench.places.use { try await ProbeBench.probe(scale: 0.03) }
    }
    #expect(probed.report.agreesWithDeclared == true, "\(probed.report.sentences)")
    #expect(probed.findings.filter { $0.severity == .error } == [])
    #expect(probed.verdict == .pass)
    let device = probed.report.keys.first { $0.dimension == .device }
    #expect(device?.separates == true)
    #expect(probed.report.keys.filter { $0.bypasses } == [])
  }

  @Test func `another algorithm than declared is contradicted`() async throws {
    let probed = try await ProbeBench.decided("another algorithm", isOpen: { $0.report.agreesWithDeclared == nil }) {
      try await ProbeBench.places.use { try await ProbeBench.probe(scale: 0.03, limiter: "token-bucket") }
    }
    #expect(probed.report.agreesWithDeclared == false)
    #expect(probed.verdict == .fail)
    // What it is instead may be left open on a busy machine; that it is not what is declared may not.
    let isOpen = probed.report.wasLate && probed.report.outcome != .identified
    #expect(isOpen || probed.findings.contains { $0.kind == .limitTerms }, "\(probed.report.sentences)")
  }

  /// A minute's window, and half a minute allowed: the key is told, and of the window what is known.
  @Test func `a window that is too long is taken from the declaration`() async throws {
    let gate = try ProbeBench.gate("rate-limits")
    var options = LimitsOptions()
    options.target = try Target("embedded:murphys-laws")
    options.operation = "voteLaw"
    options.time = .seconds(30)
    let probed = try await gate.probeLimits(options).limits[0]
    #expect(probed.report.outcome == .partial)
    #expect(probed.report.facts.contains { if case .windowNotMeasured = $0 { true } else { false } })
    #expect(probed.verdict == .noData, "the window was not tested")
    #expect(probed.report.duration < .seconds(30))
  }

  /// The sessions of the release gate read the identifiers of laws from lists.
  @Test(arguments: [("getLaw", 60), ("voteLaw", 30)])
  func `identifiers come from the sessions`(operation: String, quota: Int) async throws {
    let gate = try ProbeBench.gate("release-gate")
    var options = LimitsOptions()
    options.target = try Target("embedded:murphys-laws")
    options.operation = operation
    options.isQuick = true
    let probed = try await gate.probeLimits(options).limits[0]
    #expect(probed.report.facts.contains(.admittedAtOnce(quota)), "\(probed.report.sentences)")
  }

  @Test func `a quick probe responds allowance and key`() async throws {
    let gate = try ProbeBench.gate("rate-limits")
    var options = LimitsOptions()
    options.target = try Target("embedded:murphys-laws")
    options.operation = "voteLaw"
    options.isQuick = true
    let probed = try await gate.probeLimits(options).limits[0]
    #expect(probed.report.facts.contains(.admittedAtOnce(30)))
    #expect(probed.report.keys.first { $0.dimension == .device }?.separates != false)
    #expect(probed.report.duration < .seconds(60), "within one window")
  }
}
