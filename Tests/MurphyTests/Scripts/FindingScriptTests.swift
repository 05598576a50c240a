import Foundation
import Murphy
import TestSupport
import Testing

/// Every line that a report prints, pasted into a shell, shows its finding again.
@Suite(.serialized, .requires(.bash, .curl)) struct FindingScriptTests {
  /// Faults that do not hide each other, so that few runs show them all.
  static let groups: [[String]] = [
    [
      "missing-field", "number-as-string", "null-field", "extra-field", "bad-enum", "fractional-count", "bare-error",
      "bad-header",
    ],
    ["bad-date", "negative-total", "html-error", "undocumented-status"],
    ["long-text", "object-for-array", "empty-body", "missing-header"],
    ["teapot", "error-as-200"], ["truncated-json", "server-error"], ["invalid-utf8", "wrong-content-type"],
    ["missing-content-type", "page-too-long"], ["reset", "cut-body"], ["garbage"],
  ]

  static let scenario = """
    name: Scripts
    contract: CONTRACT
    target: http://127.0.0.1:1
    client:
      headers: { X-Device-ID: "${uuid()}" }
    settings: { timeout: 30s, grace: 30s }
    sessions:
      tour:
        share: 90
        steps:
          - call: getLawOfTheDay
          - call: listLaws
            query: { limit: 25 }
            on: { error: continue, 5XX: continue, 4XX: continue }
          - call: getLaw
            path: { id: "${int(1, 20)}" }
            on: { error: continue, 5XX: continue, 4XX: continue }
          - call: getLaw
            path: { id: 999999 }
            on: { 4XX: continue }
          - call: listCategories
            on: { 5XX: continue }
          - call: listAttributions
          - call: voteLaw
            path: { id: "${int(1, 20)}" }
            body: { vote_type: up }
      pick:
        share: 10
        steps:
          - call: listLaws
            query: { limit: 25 }
            save: { ids: "$.data[*].id" }
          - call: getLaw
            path: { id: "${pick(ids)}" }
    load: [{ hold: 10/s, for: 3s }]
    """

  @Test(arguments: groups) func `a printed line shows the violation again`(faults: [String]) async throws {
    var reference = ReferenceOptions()
    reference.faults = try faults.map { try ReferenceAPI.murphysLaws.fault($0) }
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    let (result, contract) = try await Self.run(Self.scenario, at: server.url)
    let shown = result.findings.filter {
      $0.severity == .error && ($0.kind.family == .contract || $0.kind.family == .transport)
    }
    #expect(shown.count >= faults.count, "\(shown.map(\.message))")
    for finding in shown {
      let script = try #require(finding.evidence?.curl?.text, "\(finding.kind) has no script")
      let seen = try await Replay(script: script, contract: contract, operation: try #require(finding.operation))
      let label: Comment = "\(finding.kind): \(finding.message)\n\(script)\n\(seen.summary)"
      if finding.kind.family == .transport {
        #expect(seen.failures > 0, label)
      } else {
        #expect(seen.fingerprints.contains(finding.fingerprint), label)
        #expect(seen.statuses.contains(try #require(finding.evidence?.exchange?.status)), label)
      }
    }
    await server.stop()
  }

  /// A rare fault takes more requests to see again than one device may send.
  @Test func `a script that repeats a call draws its device anew each time`() async throws {
    var reference = ReferenceOptions()
    reference.faults = [try ReferenceAPI.murphysLaws.fault("error-as-200")]
    try reference.set("limit", to: "reads=5/60s")
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    let text = """
      name: Devices
      contract: CONTRACT
      target: http://127.0.0.1:1
      client:
        headers: { X-Device-ID: "${uuid()}" }
      sessions:
        tour:
          steps:
            - call: listLaws
              query: { limit: 5 }
      load: [{ hold: 20/s, for: 3s }]
      """
    let (result, contract) = try await Self.run(text, at: server.url)
    let finding = try #require(result.findings.first { $0.severity == .error && $0.kind.family == .contract })
    let script = try #require(finding.evidence?.curl?.text)
    #expect(script.contains("for i in"), "\(script)")
    let seen = try await Replay(script: script, contract: contract, operation: "listLaws")
    #expect(seen.fingerprints.contains(finding.fingerprint), "\(script)\n\(seen.summary)")
    #expect(!seen.statuses.contains(429), "\(script)")
    await server.stop()
  }

  /// A request that the API rejects is rejected again: one of 40 sessions sends it, and its script sends it once.
  @Test func `a script of a rejected request sends it once`() async throws {
    var reference = ReferenceOptions()
    reference.faults = [try ReferenceAPI.murphysLaws.fault("bare-error")]
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    let text = """
      name: Rejected
      contract: CONTRACT
      target: http://127.0.0.1:1
      sessions:
        fine: { share: 95, steps: [{ call: getLaw, path: { id: 1 } }] }
        wrong: { share: 5, steps: [{ call: getLaw, path: { id: 999999 }, on: { 4XX: continue } }] }
      load: [{ hold: 40/s, for: 2s }]
      """
    let (result, contract) = try await Self.run(text, at: server.url)
    let finding = try #require(
      result.findings.first { $0.kind.family == .contract && $0.evidence?.exchange?.status == 404 })
    let script = try #require(finding.evidence?.curl?.text)
    #expect(!script.contains("seq"), "\(script)")
    let seen = try await Replay(script: script, contract: contract, operation: "getLaw")
    #expect(seen.fingerprints.contains(finding.fingerprint), "\(script)\n\(seen.summary)")
    await server.stop()
  }

  @Test func `every finding has a script, one per cause`() async throws {
    let server = try await ReferenceAPI.murphysLaws.start(ReferenceOptions())
    let text =
      Self.scenario.replacing("id: 999999 }", with: "id: 999999 }\n        expect: { status: 200 }")
        + """

        expect:
          budgets: { listLaws: { p95: 1us, errors: 0.1% } }
          coverage: 100%
        """
    let (result, _) = try await Self.run(text, at: server.url)
    let kinds = Set(result.findings.map(\.kind))
    #expect(kinds.contains(.contractExpectation))
    #expect(kinds.contains { $0.family == .budget })
    for finding in result.findings {
      let script = try #require(finding.evidence?.curl?.text, "\(finding.kind) has no script")
      #expect(script.contains("curl ") || script.hasPrefix("murphy run "))
    }
    await server.stop()
  }

  static func run(_ text: String, at url: String) async throws -> (RunResult, Contract) {
    try await withScenario(text) { file in
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = 42
      options.loops = 1
      options.target = .url(url)
      return (gate.judge(try await gate.run(options), options: options), gate.contract)
    }
  }
}
