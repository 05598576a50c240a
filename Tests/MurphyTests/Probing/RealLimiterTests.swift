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

  /// What `murphy tune --emit` writes for the page that the probe requests.
  private static func configuration(_ product: LimiterProduct, _ policy: String) throws -> String {
    let page = LimiterSettings.Route(id: "page", method: "GET", path: "/{page}.html")
    return try product.configuration(LimiterSettings(WhatIf(policy).policy, routes: [page]))
  }

  @Test(.requires(.nginx)) func `nginx applies the emitted token bucket`() async throws {
    let nginx = try LimiterProgram.nginx(Self.configuration(.nginx, "20/s burst=21 key=address"))
    defer { nginx.stop() }
    let report = try await ProbeBench.decided("nginx without delay", isOpen: Self.isOpen) {
      try await ProbeBench.probe(nginx.url, dimensions: [.sourceAddress, .forwardedFor]).report
    }
    print("nginx burst 21 at 20/s:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.tokenBucket.text)
    #expect(report.allowance?.holds(21) == true, "\(report.sentences)")
    #expect(report.rate?.holds(20) == true, "\(report.sentences)")
    #expect(report.keys.first { $0.dimension == .sourceAddress }?.separates == true)
    #expect(report.keys.first { $0.dimension == .forwardedFor }?.separates == false)
  }

  @Test(.requires(.nginx)) func `nginx with delay shapes`() async throws {
    let nginx = try LimiterProgram.nginx(
      "limit_req_zone $binary_remote_addr zone=probed:1m rate=20r/s; limit_req zone=probed burst=20;")
    defer { nginx.stop() }
    let report = try await ProbeBench.decided("nginx with delay", isOpen: { $0.outcome != .shaping }) {
      try await ProbeBench.probe(nginx.url).report
    }
    print("nginx burst=20:", report.sentences.joined(separator: " "))
    #expect(report.rate?.holds(20) == true, "\(report.sentences)")
  }

  @Test(.requires(.haproxy)) func `haproxy applies the emitted sliding counter`() async throws {
    let haproxy = try LimiterProgram.haproxy(
      Self.configuration(.haproxy, "20/2s algorithm=sliding-counter key=address"))
    defer { haproxy.stop() }
    let report = try await ProbeBench.decided("HAProxy", isOpen: Self.isOpen) {
      try await ProbeBench.probe(haproxy.url, dimensions: [.sourceAddress]).report
    }
    print("haproxy 20 per 2 s:", report.sentences.joined(separator: " "))
    #expect(report.candidates.first?.algorithm == LimitAlgorithm.slidingCounter.text)
    #expect(report.rate?.holds(10) == true, "\(report.sentences)")
    #expect(report.keys.first?.separates == true)
  }
}
