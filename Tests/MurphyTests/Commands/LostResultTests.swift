import Foundation
import Murphy
import Testing

/// What was measured or asked for is never lost in silence, and nothing foreign is written over.
@Suite(.serialized) struct LostResultTests {
  static let scenario = """
    name: Short
    contract: CONTRACT
    target: embedded:murphys-laws
    sessions: { read: { steps: [{ call: getLawOfTheDay }] } }
    load: [{ hold: 5/s, for: 1s }]
    """

  @Test func `output that cannot be written is not a success`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      _ = try await Program().run(["run", file, "--report", folder + "/r"])
      try "{\"a\": [1]}".write(toFile: folder + "/a.json", atomically: true, encoding: .utf8)
      let formats = ["html", "junit", "markdown", "json", "sarif"].map { "report r --format \($0)" }
      let commands =
        formats + [
          "check scenario.yaml", "run scenario.yaml --plan", "run scenario.yaml --report s", "report --schema",
          "tune scenario.yaml --operation getLawOfTheDay --sessions 100 --what-if '30/60s key=address'",
          "limits scenario.yaml --operation getLawOfTheDay --max-seconds 5 --max-requests 20 --quick",
          "jsonpath '$.a' a.json", "schema validate --schema a.json a.json", "serve --faults", "--help", "--version",
        ]
      for command in commands {
        let outcome = try await Shell.run("\"$MURPHY\" \(command) > /dev/full", in: folder).said
        // A verdict that is none of a pass stays what it is.
        #expect(outcome.status == (command.hasPrefix("limits") ? 5 : 2), "\(command): \(outcome)")
        #expect(outcome.errors.contains("cannot write to standard output: no space left on device"), "\(command)")
      }
      #expect(try ResultFile.read(folder + "/s/result.json").verdict == .pass)
      let reader = try await Shell.run("\"$MURPHY\" report r | head -c 1", in: folder)
      #expect(reader.said.status == 0)
    }
  }

  @Test func `runs that begin in the same second have a folder each`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      async let first = Program().run(["run", file], in: folder)
      async let second = Program().run(["run", file], in: folder)
      async let third = Program().run(["run", file], in: folder)
      _ = try await (first, second, third)
      let folders = try FileManager.default.contentsOfDirectory(atPath: folder + "/reports")
      #expect(folders.count == 3)
      for name in folders { _ = try ResultFile.read("\(folder)/reports/\(name)/result.json") }
    }
  }

  @Test func `files that murphy did not write stay as they are`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/mine"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for name in ["report.html", "result.json", "junit.xml", "summary.md", "findings.sarif", "metrics.txt"] {
        try "my own".write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        let refused = try await Program().run(["run", file, "--report", folder])
        #expect(refused.status == 2, "\(name)")
        #expect(refused.errors.contains("\(name): a file with that name exists"), "\(refused.errors)")
        #expect(try String(contentsOfFile: folder + "/" + name, encoding: .utf8) == "my own")
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      for _ in 0..<2 { #expect(try await Program().run(["run", file, "--report", folder]).status == 0) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 6)
    }
  }

  @Test func `a file of authorities that is missing is a mistake of the call`() async throws {
    try await withScenario(Self.scenario) { file in
      let outcome = try await Program().run(["run", file, "--cacert", "/nowhere.pem"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("cannot read the certificate authorities /nowhere.pem"))
    }
  }
}
