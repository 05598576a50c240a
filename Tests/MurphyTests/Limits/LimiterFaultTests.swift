import Foundation
import Murphy
import MurphyModel
import TestSupport
import Testing

/// Every fault of the reference API's limiter is found by name, by a probe of a few seconds.
@Suite(.timed) struct LimiterFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: String
    /// The finding that names it.
    var finding: FindingKind
    /// Another that says the same: what is proven first depends on which experiments were chosen.
    var orElse: FindingKind?
    /// What is proven even where this machine was too late for the question that names it.
    var whenLate: FindingKind?
    /// Of a minute; whole seconds of Retry-After need longer windows than counting does.
    var scale = 0.03

    var testDescription: String { fault }
  }

  static let cases = [
    Case(fault: "limit-plus-one", finding: .limitOverAdmission),
    Case(fault: "limit-minus-one", finding: .limitOverThrottling),
    Case(fault: "limit-window-short", finding: .limitOverAdmission, orElse: .limitTerms),
    Case(
      fault: "limit-window-long", finding: .limitOverThrottling, orElse: .limitTerms, whenLate: .limitOverAdmission),
    Case(fault: "limit-key-global", finding: .limitKeyDeviceHeader),
    Case(fault: "limit-key-address", finding: .limitKeySourceAddress, whenLate: .limitKeyDeviceHeader),
    Case(fault: "limit-key-path", finding: .limitKeyRoute),
    Case(fault: "limit-spoofable", finding: .limitBypassXForwardedFor),
    Case(fault: "limit-race", finding: .limitRace, whenLate: .limitOverAdmission),
    Case(fault: "limit-per-process", finding: .limitOverAdmission),
    Case(fault: "limit-per-connection", finding: .limitOverAdmission, orElse: .limitRace),
    Case(fault: "limit-counts-refused", finding: .limitOverThrottling),
    Case(fault: "limit-counts-failed", finding: .limitCountsFailed),
    Case(fault: "limit-never-resets", finding: .limitOverThrottling),
    Case(fault: "limit-unlimited", finding: .limitUnlimited),
    Case(fault: "limit-silent", finding: .limitUnlimited),
    Case(fault: "limit-html", finding: .limitRefusalBody),
    Case(fault: "limit-503", finding: .limitWrongStatus),
    Case(fault: "retry-after-short", finding: .limitRetryAfterTooShort, scale: 0.1),
    Case(fault: "retry-after-long", finding: .limitRetryAfterTooLong),
    Case(fault: "retry-after-constant", finding: .limitRetryAfterDrift, scale: 0.1),
    Case(fault: "retry-after-milliseconds", finding: .limitRetryAfterTooLong),
    Case(fault: "retry-after-missing", finding: .limitNoRetryHint),
    Case(fault: "retry-after-fraction", finding: .limitHeaderSyntax),
    Case(fault: "retry-after-mismatch", finding: .limitBodyContradictsHeader),
  ]

  /// Several at a time: probes mostly wait, and one that is kept from being on time knows it.
  @Test func `a probe finds them`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for one in Self.cases { group.addTask { try await Self.expect(one) } }
      try await group.waitForAll()
    }
  }

  /// Whether the question that a finding responses was asked too late, each time, to be told.
  private static func isOpen(_ finding: FindingKind, _ report: ProbeReport) -> Bool {
    guard let asked = ProbeDimension.allCases.first(where: { [$0.keyKind, $0.bypassKind].contains(finding) }) else {
      return false
    }
    return report.keys.allSatisfy { $0.dimension != asked || $0.separates == nil }
  }

  private static func expect(_ wanted: Case) async throws {
    let isOpen: (ProbedLimit) -> Bool = { probed in
      probed.report.wasLate && Self.isOpen(wanted.finding, probed.report) && wanted.whenLate == nil
    }
    let probed = try await ProbeBench.decided(wanted.fault, isOpen: isOpen) {
      try await ProbeBench.places.use { try await ProbeBench.probe(scale: wanted.scale, fault: wanted.fault) }
    }
    let kinds = Set(probed.findings.map(\.kind))
    let fault = wanted.fault.padding(toLength: 26, withPad: " ", startingAt: 0)
    print("\(fault)→ \(kinds.map(\.rawValue).sorted().joined(separator: ", "))")
    #expect(
      kinds.contains(wanted.finding) || wanted.orElse.map(kinds.contains) == true
        || probed.report.wasLate && wanted.whenLate.map(kinds.contains) == true,
      "\(wanted.fault): \(probed.report.sentences)")
    #expect(
      !kinds.contains(.limitRace) || ["limit-race", "limit-per-connection"].contains(wanted.fault),
      "\(wanted.fault): \(probed.report.sentences)")
    #expect(probed.verdict == .fail || wanted.finding.rule.severity != .error, "\(wanted.fault)")
  }
}
