import Foundation
import Murphy
import Testing

/// Each fault of the reference API is found, and the operation that shows it is named.
@Suite(.serialized) struct ContractFaultTests {
  /// The operation that shows a fault; nil where any may.
  static let shownBy: [(fault: String, operation: String?)] = [
    ("missing-field", "getLaw"), ("number-as-string", "listLaws"), ("null-field", "getLawOfTheDay"),
    ("extra-field", "listCategories"), ("bad-date", "getLaw"), ("bad-enum", "listAttributions"),
    ("long-text", "getLaw"), ("invalid-utf8", "getLaw"), ("negative-total", "listLaws"),
    ("fractional-count", "voteLaw"), ("object-for-array", "listLaws"), ("page-too-long", "listLaws"),
    ("undocumented-status", "voteLaw"), ("teapot", "getLaw"), ("error-as-200", "listLaws"),
    ("server-error", "listLaws"), ("html-error", "listCategories"), ("wrong-content-type", "listLaws"),
    ("missing-content-type", "getLaw"), ("missing-header", "getLaw"), ("bad-header", "voteLaw"),
    ("truncated-json", "getLaw"), ("empty-body", "voteLaw"), ("bare-error", "getLaw"), ("limit-html", "voteLaw"),
    ("limit-503", "voteLaw"), ("retry-after-missing", "voteLaw"), ("retry-after-fraction", "voteLaw"),
    ("time-with-seconds", "getPreferences"), ("enabled-as-number", "setPreferences"),
  ]

  @Test func `the list holds every contract fault`() {
    let contract = ReferenceAPI.murphysLaws.faults.filter { $0.family == .contract }.map(\.name)
    #expect(Set(contract).subtracting(Self.shownBy.map(\.fault)) == [])
  }

  /// Four at a time: no finding of the contract depends on when a response came.
  static let groups = stride(from: 0, to: shownBy.count, by: 4).map {
    shownBy[$0..<min($0 + 4, shownBy.count)].map(\.fault)
  }

  @Test(arguments: groups) func `a contract fault fails the run`(faults: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fault in faults { group.addTask { try await Self.expect(fault) } }
      try await group.waitForAll()
    }
  }

  private static func expect(_ fault: String) async throws {
    let operation = shownBy.first { $0.fault == fault }?.operation
    let result = try await result(fault: fault)
    let found = result.findings.filter {
      $0.severity == .error && ($0.kind.family == .contract || $0.kind.family == .limit)
        && $0.operation == operation
    }
    print("fault \(fault) -> \(found.first.map { "\($0.kind): \($0.message)" } ?? "nothing")")
    #expect(
      !found.isEmpty, "\(fault): no finding on \(operation ?? "any operation"): \(result.findings.map(\.message))")
    #expect(result.verdict == .fail, "\(fault)")
    #expect(result.ledger.contradictions == [], "\(fault)")
  }

  @Test func `without a fault nothing is found`() async throws {
    let result = try await Self.result(fault: nil)
    // A busy machine may be slower than the budgets allow; any other finding would be false.
    #expect(
      result.findings.filter { $0.severity != .note && $0.kind.family != .budget }.map(\.message) == [])
    #expect(result.ledger.violating == 0)
    #expect(result.ledger.unchecked == [])
    #expect(result.ledger.conformant == result.ledger.answered)
    #expect(result.ledger.answered > 200)
  }

  static func result(fault: String?, scenario: String = EveryOperation.patient) async throws -> RunResult {
    try await withScenario(scenario) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = 42
      options.loops = 1
      if let fault { options.reference.faults = [try ReferenceAPI.murphysLaws.fault(fault)] }
      return gate.judge(try await gate.run(options), options: options)
    }
  }
}
