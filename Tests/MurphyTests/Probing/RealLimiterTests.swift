import Murphy
import MurphyModel
import TestSupport
import Testing

/// Limiters that nobody here wrote, told by the prober through real HTTP.
@Suite(.timed) struct RealLimiterTests {
  @Test(.requires(.nginx)) func nginxWithoutDelayIsATokenBucket() async throws {
    let nginx = try LimiterProgram.nginx(rate: "20r/s", limit: "burst=20 nodelay")
    defer { nginx.stop() }
    let report = try await ProbeBench.probe(nginx.url, dimensions: [.sourceAddress, .forwardedFor]).report
    print("nginx burst=20 nodelay:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.tokenBucket.text)
    // `burst` stands beside the one request that the rate itself allows.
    #expect(report.allowance?.value == 21)
    #expect(abs((report.rate ?? 0) - 20) < 0.6)
    #expect(report.keys.first { $0.dimension == .sourceAddress }?.separates == true)
    #expect(report.keys.first { $0.dimension == .forwardedFor }?.separates == false)
  }

  @Test(.requires(.nginx)) func nginxWithDelayShapes() async throws {
    let nginx = try LimiterProgram.nginx(rate: "20r/s", limit: "burst=20")
    defer { nginx.stop() }
    let report = try await ProbeBench.probe(nginx.url).report
    print("nginx burst=20:", report.sentences.joined(separator: " "))
    #expect(report.outcome == .shaping)
    #expect(abs((report.rate ?? 0) - 20) < 1)
  }

  @Test(.requires(.haproxy)) func haproxyIsASlidingCounter() async throws {
    let haproxy = try LimiterProgram.haproxy(allowance: 20, period: "2s")
    defer { haproxy.stop() }
    let report = try await ProbeBench.probe(haproxy.url, dimensions: [.sourceAddress]).report
    print("haproxy gpc0_rate(2s) ge 20:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.slidingCounter.text)
    #expect(abs((report.rate ?? 0) - 10) < 0.5)
    #expect(report.keys.first?.separates == true)
  }
}
