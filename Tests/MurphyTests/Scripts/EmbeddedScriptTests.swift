import Foundation
import Murphy
import TestSupport
import Testing

/// Scripts of a run against a reference API that murphy started itself: it is gone when somebody pastes them.
@Suite(.requires(.bash, .curl)) struct EmbeddedScriptTests {
  private static let scenario = """
    name: Embedded
    contract: \(Repository.scenarios)/openapi.yaml
    target: embedded:murphys-laws?fault=missing-field
    sessions:
      reader:
        steps:
          - { call: getLaw, path: { id: 1 } }
    load: [{ hold: 5/s, for: 2s }]
    """

  @Test func `a script asks where the API is, and shows the violation there`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "embedded-\(UUID().uuidString).yaml")
    try Self.scenario.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let gate = try Gate.load(file.path, environment: [:])
    var options = RunOptions()
    options.reference.faults = [try ReferenceAPI.murphysLaws.fault("extra-field")]
    let result = gate.judge(try await gate.run(options), options: options)
    let found = result.findings.filter { $0.kind.family == .contract && $0.severity == .error }
    #expect(!found.isEmpty)
    var reference = ReferenceOptions()
    reference.faults = [
      try ReferenceAPI.murphysLaws.fault("missing-field"), try ReferenceAPI.murphysLaws.fault("extra-field"),
    ]
    let server = try await ReferenceAPI.murphysLaws.start(reference)
    for finding in found {
      let script = try #require(finding.evidence?.curl?.text)
      #expect(!script.contains(result.run.target), "\(script)")
      let serve = "murphy serve murphys-laws --port 0 --fault missing-field --fault extra-field"
      #expect(
        script.hasPrefix(": \"${TARGET:?set it to the address that this command prints: \(serve)}\"; "), "\(script)")
      let unset = try await Command.shell(script).run()
      #expect(unset.output.isEmpty && unset.status != 0)
      let set = try await Command.shell(script, environment: ["TARGET": server.url]).run()
      #expect(set.output.hasPrefix("HTTP/1.1 200") && set.status == 0, "\(script)\n\(set.output)")
    }
    await server.stop()
  }
}
