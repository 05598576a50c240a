import MurphyModel
import MurphyReport
import Testing

/// What a probe found of a limit, beside what is declared.
@Suite struct ProbeTableTests {
  private static let policy = LimitPolicy(
    name: "votes", operations: ["voteLaw"], algorithm: .fixed, allowance: 30, window: .seconds(60),
    key: .header("X-Device-ID"), counts: LimitCounting(failed: .perhaps, refused: .no))

  private static let report: ProbeReport = {
    var report = ProbeReport(operation: "voteLaw", outcome: .identified)
    report.allowance = .init(low: 30, value: 30, high: 30)
    report.window = .init(low: 59.8, value: 60, high: 60.3)
    report.candidates = [.init(algorithm: "fixed window", probability: 0.981)]
    report.keys = [
      .init(dimension: .device, separates: true, bypasses: false),
      .init(dimension: .sourceAddress, separates: false, bypasses: false),
      .init(dimension: .forwardedFor, separates: true, bypasses: true),
    ]
    report.countsRefused = true
    return report
  }()

  @Test func `each property has a row with what is declared, what was found, and how sure that is`() {
    let lines = ProbeTable(Self.policy, Self.report).table(of: "votes").lines(width: 120)
    #expect(
      lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") } == [
        "property declared measured evidence", "quota 30 30 exact", "window 60 s 60 s 59.8 s to 60.3 s",
        "algorithm fixed window fixed window 98.1%",
        "key x-device-id device header, X-Forwarded-For not by source address", "bypassed by – X-Forwarded-For",
        "rejections count no yes",
      ])
  }

  private static func key(_ findings: [ProbeReport.KeyFinding]) -> String {
    var report = ProbeReport(operation: "voteLaw", outcome: .identified)
    report.keys = findings
    let lines = ProbeTable(nil, report).table(of: "votes").lines(width: 120)
    return lines.first { $0.hasPrefix("key") }?.split(separator: " ").dropFirst(2).joined(separator: " ") ?? ""
  }

  @Test func `a route is a key only if another route has its own counter`() {
    func route(_ hasOwnCounter: Bool?) -> ProbeReport.KeyFinding {
      .init(dimension: .route, separates: true, bypasses: false, hasOwnCounter: hasOwnCounter)
    }
    #expect(Self.key([route(true)]) == "route")
    #expect(Self.key([route(false)]) == "not tested not tested: route")
    #expect(Self.key([route(nil)]) == "not tested not tested: route")
  }

  @Test func `a key is not tested if no dimension has a result`() {
    let open = ProbeReport.KeyFinding(dimension: .device, separates: nil, bypasses: false)
    let shared = ProbeReport.KeyFinding(dimension: .sourceAddress, separates: false, bypasses: false)
    #expect(Self.key([open]) == "not tested not tested: device header")
    #expect(
      Self.key([open, shared]) == "none of the tested ones not by source address; not tested: device header")
  }

  @Test func `a black box has no declared values, and a narrow terminal no evidence`() {
    let lines = ProbeTable(nil, Self.report).table(of: "votes").lines(width: 60)
    #expect(lines.allSatisfy { TerminalText.columns($0) <= 60 && !$0.contains("exact") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("quota") && $0.contains("–") }, "\(lines)")
    #expect(
      ProbeTable(nil, ProbeReport(operation: "voteLaw", outcome: .unfinished)).table(of: "votes").lines(width: 80)
        .isEmpty)
  }
}
