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
      #expect(script.hasPrefix(": \"${TARGET:?set it to the address that this prints: \(serve)}\"; "), "\(script)")
      let unset = try await Self.shell(script, [:])
      #expect(unset.output.isEmpty && unset.status != 0)
      let set = try await Self.shell(script, ["TARGET": server.url])
      #expect(set.output.hasPrefix("HTTP/1.1 200") && set.status == 0, "\(script)\n\(set.output)")
    }
    await server.stop()
  }

  private static func shell(_ script: String, _ variables: [String: String]) async throws -> (
    output: String, status: Int32
  ) {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script]
    var environment = ProcessInfo.processInfo.environment
    environment["TARGET"] = nil
    shell.environment = environment.merging(variables) { $1 }
    let output = Pipe()
    shell.standardOutput = output
    shell.standardError = FileHandle.nullDevice
    let ended = AsyncStream<Void> { stream in shell.terminationHandler = { _ in stream.finish() } }
    try shell.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    for await _ in ended {}
    return (String(decoding: bytes, as: UTF8.self), shell.terminationStatus)
  }
}
