import Murphy
import MurphyModel
import Testing

/// The reference API's limiter in each of its algorithms, end to end over real HTTP.
@Suite struct ReferenceLimiterTests {
  @Test(arguments: ["fixed", "fixed-aligned", "sliding-log", "sliding-counter", "token-bucket"])
  func aBlackBoxIsRecognised(limiter: String) async throws {
    let probed = try await ProbeBench.places.use {
      try await ProbeBench.probe(scale: 0.03, limiter: limiter, blackBox: true, followUps: false)
    }
    let report = probed.report
    print("\(limiter): \(report.sentences.first ?? "") \(report.requests) requests, \(report.seconds) s")
    let algorithm = try #require(LimitAlgorithm(rawValue: limiter))
    #expect(report.candidates.first?.algorithm == algorithm.text)
    #expect(report.isVerified)
    #expect(report.allowance?.value == 30)
    // Of a sliding counter little but the rate can be seen from outside (ALGORITHMS.md A4.3).
    let tolerance = limiter == "sliding-counter" ? 0.15 : 0.03
    #expect(abs((report.window?.value ?? 0) / 1.8 - 1) < tolerance)
    #expect(probed.verdict == .pass)
  }

  @Test func whatIsDeclaredIsConfirmed() async throws {
    let probed = try await ProbeBench.places.use { try await ProbeBench.probe(scale: 0.03) }
    #expect(probed.report.agreesWithDeclared == true, "\(probed.report.sentences)")
    #expect(probed.findings.filter { $0.severity == .error } == [])
    #expect(probed.verdict == .pass)
    let device = probed.report.keys.first { $0.dimension == "device header" }
    #expect(device?.separates == true)
    #expect(probed.report.keys.filter { $0.bypasses } == [])
  }

  @Test func anotherAlgorithmThanDeclaredIsContradicted() async throws {
    let probed = try await ProbeBench.places.use { try await ProbeBench.probe(scale: 0.03, limiter: "token-bucket") }
    #expect(probed.report.agreesWithDeclared == false)
    #expect(probed.findings.contains { $0.kind == "limit.terms" })
    #expect(probed.verdict == .fail)
  }
}
