import Foundation
import Murphy
import MurphyModel
import Testing

/// Every fault of the reference API's limiter is found by name, by a probe of a few seconds.
@Suite struct LimiterFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: String
    /// The finding that names it.
    var finding: String
    /// Another that says the same: what is proven first depends on which experiments were chosen.
    var orElse: String?
    /// What is proven even where this machine was too late for the question that names it.
    var whenLate: String?
    /// Of a minute; whole seconds of Retry-After need longer windows than counting does.
    var scale = 0.03

    var testDescription: String { fault }
  }

  static let cases = [
    Case(fault: "limit-plus-one", finding: "limit.over-admission"),
    Case(fault: "limit-minus-one", finding: "limit.over-throttling"),
    Case(fault: "limit-window-short", finding: "limit.over-admission", orElse: "limit.terms"),
    Case(fault: "limit-window-long", finding: "limit.over-throttling", orElse: "limit.terms"),
    Case(fault: "limit-key-global", finding: "limit.key.device-header"),
    Case(fault: "limit-key-address", finding: "limit.key.source-address", whenLate: "limit.key.device-header"),
    Case(fault: "limit-key-path", finding: "limit.key.route"),
    Case(fault: "limit-spoofable", finding: "limit.bypass.x-forwarded-for"),
    Case(fault: "limit-race", finding: "limit.race", whenLate: "limit.over-admission"),
    Case(fault: "limit-per-process", finding: "limit.over-admission"),
    Case(fault: "limit-counts-refused", finding: "limit.over-throttling"),
    Case(fault: "limit-counts-failed", finding: "limit.counts-failed"),
    Case(fault: "limit-never-resets", finding: "limit.over-throttling"),
    Case(fault: "limit-unlimited", finding: "limit.unlimited"),
    Case(fault: "limit-silent", finding: "limit.unlimited"),
    Case(fault: "limit-html", finding: "limit.refusal-body"),
    Case(fault: "limit-503", finding: "limit.wrong-status"),
    Case(fault: "retry-after-short", finding: "limit.retry-after-too-short", scale: 0.1),
    Case(fault: "retry-after-long", finding: "limit.retry-after-too-long"),
    Case(fault: "retry-after-constant", finding: "limit.retry-after-drift", scale: 0.1),
    Case(fault: "retry-after-milliseconds", finding: "limit.retry-after-too-long"),
    Case(fault: "retry-after-missing", finding: "limit.no-retry-hint"),
    Case(fault: "retry-after-fraction", finding: "limit.header-syntax"),
    Case(fault: "retry-after-mismatch", finding: "limit.body-contradicts-header"),
  ]

  /// Several at a time: probes mostly wait, and one that is kept from being on time knows it.
  @Test func aProbeFindsThem() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for one in Self.cases { group.addTask { try await Self.expect(one) } }
      try await group.waitForAll()
    }
  }

  /// Whether the question that a finding answers was asked too late, each time, to be told.
  private static func isOpen(_ finding: String, _ report: ProbeReport) -> Bool {
    let parts = finding.split(separator: ".")
    guard parts.count == 3 else { return false }
    let dimension = parts[2].replacing("-", with: " ")
    return report.keys.allSatisfy {
      $0.dimension.lowercased().replacing("-", with: " ") != dimension || $0.separates == nil
    }
  }

  private static func expect(_ wanted: Case) async throws {
    let probed = try await ProbeBench.places.use {
      try await ProbeBench.probe(scale: wanted.scale, fault: wanted.fault)
    }
    if probed.report.wasLate, isOpen(wanted.finding, probed.report), wanted.whenLate == nil {
      #expect(probed.verdict != .pass, "\(wanted.fault): \(probed.report.sentences)")
      return
    }
    let kinds = Set(probed.findings.map(\.kind)).sorted()
    let fault = wanted.fault.padding(toLength: 26, withPad: " ", startingAt: 0)
    print("\(fault)→ \(kinds.joined(separator: ", "))")
    #expect(
      kinds.contains(wanted.finding) || wanted.orElse.map(kinds.contains) == true
        || probed.report.wasLate && wanted.whenLate.map(kinds.contains) == true,
      "\(wanted.fault): \(probed.report.sentences)")
    #expect(
      !kinds.contains("limit.race") || wanted.fault == "limit-race", "\(wanted.fault): \(probed.report.sentences)")
    #expect(probed.verdict == .fail || wanted.finding == "limit.no-retry-hint", "\(wanted.fault)")
  }
}
