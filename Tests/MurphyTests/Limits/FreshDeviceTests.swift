import Foundation
import Murphy
import MurphyServer
import TestSupport
import Testing

/// Devices that are drawn in the run, against a server whose counters nobody knows the past of.
@Suite(.serialized, .requires(.curl)) struct FreshDeviceTests {
  private static let scenario = """
    name: Fresh devices
    contract: \(Repository.scenarios)/openapi.yaml
    client: { headers: { X-Device-ID: "${uuid()}" } }
    sessions:
      vote:
        steps:
          - burst: 5
            over: 100ms
            call: voteLaw
            path: { id: "${index + 1}" }
            body: { vote_type: up }
          - { call: voteLaw, path: { id: 1 }, body: { vote_type: down }, on: { 429: wait } }
    load: [{ hold: 5/s, for: 1s }]
    expect:
      limits:
        votes:
          allow: 3
          per: 2s
          algorithm: fixed
          key: X-Device-ID
          operations: [voteLaw, removeVote]
          tick: 10ms
    """

  /// A result against a server that was started apart, as a deployed one is.
  private static func run(fault: String?, salt: UInt64? = nil, times: Int = 1) async throws -> [RunResult] {
    let file = FileManager.default.temporaryDirectory.appending(path: "fresh-\(UUID().uuidString).yaml")
    // The contract's own windows are a minute; the server is told what the scenario promises.
    let contract = try String(contentsOfFile: Repository.scenarios + "/openapi.yaml", encoding: .utf8)
      .replacing("policy: votes, allow: 30, per: 60s", with: "policy: votes, allow: 3, per: 2s")
    let document = file.deletingPathExtension().appendingPathExtension("openapi.yaml")
    try contract.write(to: document, atomically: true, encoding: .utf8)
    try scenario.replacing(Repository.scenarios + "/openapi.yaml", with: document.path)
      .write(to: file, atomically: true, encoding: .utf8)
    defer {
      try? FileManager.default.removeItem(at: file)
      try? FileManager.default.removeItem(at: document)
    }
    var reference = ReferenceOptions()
    try reference.set("limit", to: "votes=3/2s")
    if let fault { try reference.set("fault", to: fault) }
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    var results: [RunResult] = []
    for _ in 0..<times {
      let gate = try Gate.load(file.path, environment: [:])
      var options = RunOptions()
      options.target = .url(server.url)
      options.seed = 11
      options.salt = salt
      results.append(gate.judge(try await gate.run(options), options: options))
    }
    await server.stop()
    return results
  }

  @Test func `a limiter that rejects new devices fails the run`() async throws {
    let result = try await Self.run(fault: "limit-fresh-refused")[0]
    #expect(result.verdict == .fail, "\(result.reasons)")
    let row = try #require(result.limits.first)
    #expect(row.verdict == .overThrottling)
    #expect(row.sentence.contains("generated in this run"), "\(row.sentence)")
    let finding = try #require(result.findings.first { $0.kind == .limitOverThrottling })
    let script = try #require(finding.evidence?.curl?.text)
    // The device is drawn anew by whoever pastes it; paths and bodies are those that were sent.
    #expect(script.hasPrefix("X_DEVICE_ID=$(uuidgen"), "\(script)")
    #expect(script.contains("/api/v1/laws/") && script.contains("vote_type") && !script.contains("{id}"), "\(script)")
  }

  @Test func `the script of a rejected device shows the rejection again`() async throws {
    let result = try await Self.run(fault: "limit-fresh-refused")[0]
    let finding = try #require(result.findings.first { $0.kind == .limitOverThrottling })
    var reference = ReferenceOptions()
    try reference.set("limit", to: "votes=3/2s")
    try reference.set("fault", to: "limit-fresh-refused")
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    let script = try #require(finding.evidence?.curl?.text).replacing(result.run.target, with: server.url)
    let statuses = try await Command.shell(script).run().output.split(whereSeparator: \.isNewline)
    await server.stop()
    #expect(statuses.contains("429") && statuses.allSatisfy { $0 == "429" }, "\(script)\n\(statuses)")
  }

  @Test func `the second run with the same seed meets new devices`() async throws {
    let results = try await Self.run(fault: nil, times: 2)
    for result in results {
      #expect(result.limits.first?.verdict == .consistent, "\(result.limits.first?.sentence ?? "")")
    }
    #expect(Set(results.map(\.run.salt)).count == 2 && results.allSatisfy { $0.run.salt != nil })
    // With the salt given again the devices are known, and their past is not: no proof, no false alarm.
    let repeated = try await Self.run(fault: nil, salt: 5, times: 2)
    for result in repeated { #expect(result.findings.allSatisfy { $0.kind != .limitOverThrottling }) }
  }
}
