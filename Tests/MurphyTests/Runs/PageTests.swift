import Foundation
import HeadlessBrowser
import Murphy
import MurphyModel
import MurphyReport
import TestSupport
import Testing

/// What the reports of real runs say, in a real browser and as text.
@Suite(.serialized, .requires(.chromium)) struct PageTests {
  private static let hostile = [
    "missing-field", "number-as-string", "null-field", "extra-field", "bad-enum", "bad-header", "fractional-count",
    "server-error", "html-error", "teapot", "reset", "cut-body", "limit-plus-one",
  ]

  static let runs: [(name: String, scenario: String, faults: [String])] = [
    ("sound", EveryOperation.scenario(for: "2s"), []),
    ("hostile", EveryOperation.scenario(for: "3s"), hostile),
    ("slow", EveryOperation.scenario(for: "2s"), ["slow-vote", "slow-list"]),
    ("nothing measured", nothing, []),
    ("unchecked", unchecked, []),
  ]

  @Test func `a page tells each thing once and its figures add up`() async throws {
    try await withTemporaryFolder { folder in
      for (index, run) in Self.runs.enumerated() {
        let result = try await Self.result(run.scenario, faults: run.faults)
        try AtomicFile.write(HTMLReport(result).text, to: "\(folder)/\(index).html")
      }
      let mistakes = try await onThread { try Self.mistakes(in: folder) }
      #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }
  }

  /// What is wrong with each run's page, on a phone in light and on a desk in dark.
  private static func mistakes(in folder: String) throws -> [String] {
    let browser = try Chromium()
    defer { browser.close() }
    let page = try BrowserPage(browser)
    var mistakes: [String] = []
    for (index, run) in runs.enumerated() {
      for (dark, width) in [(false, 390), (true, 1280)] {
        try page.show(dark: dark, width: width, height: 900)
        try page.open("\(folder)/\(index).html")
        mistakes += try page.mistakes().map { "\(run.name), \(width) px: \($0)" }
      }
    }
    return mistakes
  }

  /// Every report says the operation before the message, so no message begins with it.
  @Test func `no line repeats its operation`() async throws {
    for run in Self.runs {
      let result = try await Self.result(run.scenario, faults: run.faults)
      if run.name == "hostile" { #expect(Set(result.findings.map(\.kind)).count > 5) }
      for finding in result.findings {
        guard let operation = finding.operation else { continue }
        let words = finding.headline.matches(of: try Regex("\\b\(operation)\\b")).count
        #expect(words == 1, "\(finding.kind): \(finding.headline)")
      }
      for text in Self.texts(result) {
        for line in text.split(separator: "\n") {
          for operation in result.operations.map(\.operation) {
            #expect(!line.contains("\(operation): \(operation)"), "\(run.name): \(line)")
          }
        }
      }
    }
  }

  @Test func `a finding says all that was found`() async throws {
    let result = try await Self.result(EveryOperation.scenario(for: "2s"), faults: ["number-as-string"])
    let finding = try #require(result.findings.first { $0.kind == .contractBody && $0.operation == "listLaws" })
    let found = try #require(finding.found)
    #expect(found.values.count > 1)
    #expect(found.values.reduce(found.others) { $0 + $1.count } == finding.places ?? finding.count)
    #expect(finding.message.hasPrefix("/data/*/upvotes: expected an integer, found \""), "\(finding.message)")
    #expect(finding.message.hasSuffix("times)"), "\(finding.message)")
    for text in Self.texts(result) { #expect(text.contains("expected an integer, found")) }
  }

  /// Sessions that ended, and why, are in every report that a person reads.
  @Test func `ended sessions and their reasons are in every report`() async throws {
    let result = try await Self.result(EveryOperation.scenario(for: "2s"), faults: ["teapot"])
    let reasons = result.sessions.flatMap(\.earlyEnds)
    #expect(reasons.contains { $0.hasSuffix("getLaw: status 418") })
    for text in Self.texts(result) {
      for reason in reasons { #expect(text.contains(reason), "\(reason) is missing") }
    }
  }

  @Test func `an operation whose responses all violate has none that is ok`() async throws {
    let result = try await Self.result(EveryOperation.scenario(for: "2s"), faults: ["missing-field"])
    let operation = try #require(result.operations.first { $0.operation == "getLaw" })
    let ends = try #require(operation.ends)
    // Half of the calls ask for a law that is gone, and their 404 is as documented.
    #expect(ends.violating > 0 && ends.ok > 0)
    #expect(ends.violating + ends.ok == ends.responses)
    #expect(ends.ok == operation.statuses.first { $0.status == 404 }?.count)
    for operation in result.operations {
      #expect(operation.ends?.total == operation.requests, "\(operation.operation)")
    }
    #expect(result.operations.reduce(0) { $0 + ($1.ends?.violating ?? 0) } == result.ledger.violating)
  }

  private static func texts(_ result: RunResult) -> [String] {
    [TerminalDetails(result, width: 200).text, MarkdownReport(result).text, HTMLReport(result).text]
      .map { $0.replacing("\\", with: "").replacing("&quot;", with: "\"") }
  }

  private static func result(_ scenario: String, faults: [String]) async throws -> RunResult {
    try await withScenario(scenario) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = 42
      options.loops = 1
      options.reference.faults = try faults.map { try ReferenceAPI.murphysLaws.fault($0) }
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  private static let nothing = """
    name: Nothing measured
    contract: CONTRACT
    target: embedded:murphys-laws
    settings: { grace: 500ms }
    sessions:
      browse:
        steps:
          - think: 30s
          - call: listLaws
            query: { limit: 25 }
    load:
      - { hold: 4/s, for: 1s }
    expect:
      budgets:
        listLaws: { p95: 800ms }
    """

  private static let unchecked = """
    name: Outside of the contract
    contract: CONTRACT
    target: embedded:murphys-laws
    sessions:
      browse:
        steps:
          - call: { method: HEAD, url: /api/v1/laws }
          - call: { method: GET, url: /api/v1/nowhere }
            expect: { status: 404 }
          - call: getLawOfTheDay
    load:
      - { hold: 8/s, for: 1s }
    """
}
