import Murphy
import MurphyModel
import TestSupport
import Testing

/// Limiters that nobody here wrote, told by the prober through real HTTP.
@Suite(.timed) struct RealLimiterTests {
  private static func isOpen(_ report: ProbeReport) -> Bool {
    report.outcome == .ambiguous || report.outcome == .unfinished || report.rate?.isVague != false
      || report.keys.contains { $0.separates == nil }
  }

  @Test(.requires(.nginx)) func `nginx without delay is a token bucket`() async throws {
    let nginx = try LimiterProgram.nginx(rate: "20r/s", limit: "burst=20 nodelay")
    defer { nginx.stop() }
    let report = try await ProbeBench.decided("nginx without delay", isOpen: Self.isOpen) {
      try await ProbeBench.probe(nginx.url, dimensions: [.sourceAddress, .forwardedFor]).report
    }
    print("nginx burst=20 nodelay:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.tokenBucket.text)
    // `burst` stands beside the one request that the rate itself allows.
    #expect(report.allowance?.holds(21) == true, "\(report.sentences)")
    #expect(report.rate?.holds(20) == true, "\(report.sentences)")
    #expect(report.keys.first { $0.dimension == .sourceAddress }?.separates == true)
    #expect(report.keys.first { $0.dimension == .forwardedFor }?.separates == false)
  }

  @Test(.requires(.nginx)) func `nginx with delay shapes`() async throws {
    let nginx = try LimiterProgram.nginx(rate: "20r/s", limit: "burst=20")
    defer { nginx.stop() }
    let report = try await ProbeBench.decided("nginx with delay", isOpen: { $0.outcome != .shaping }) {
      try await ProbeBench.probe(nginx.url).report
    }
    print("nginx burst=20:", report.sentences.joined(separator: " "))
    #expect(report.rate?.holds(20) == true, "\(report.sentences)")
  }

  @Test(.requires(.haproxy)) func `haproxy is a sliding counter`() async throws {
    let haproxy = try LimiterProgram.haproxy(allowance: 20, period: "2s")
    defer { haproxy.stop() }
    let report = try await ProbeBench.decided("HAProxy", isOpen: Self.isOpen) {
      try await ProbeBench.probe(haproxy.url, dimensions: [.sourceAddress]).report
    }
    print("haproxy gpc0_rate(2s) ge 20:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.slidingCounter.text)
    #expect(report.rate?.holds(10) == true, "\(report.sentences)")
    #expect(report.keys.first?.separates == true)
  }
}
