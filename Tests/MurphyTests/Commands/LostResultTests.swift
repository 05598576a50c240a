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

  @Test func `output that cannot be written is no success`() async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      _ = try await Program().run(["run", file, "--report", folder + "/r"])
      let commands = ["report \(folder)/r", "check \(file)", "run \(file) --plan", "report --schema"]
      for command in commands {
        let outcome = try Self.shell("'\(Program.folder.path)/murphy' \(command) > /dev/full")
        #expect(outcome.status == 2, "\(command): \(outcome.text)")
        #expect(outcome.text.contains("cannot write to standard output: no space left on device"), "\(command)")
      }
      #expect(try Self.shell("'\(Program.folder.path)/murphy' report \(folder)/r | head -c 1").status == 0)
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
      try "my own page".write(toFile: folder + "/report.html", atomically: true, encoding: .utf8)
      let refused = try await Program().run(["run", file, "--report", folder])
      #expect(refused.status == 2)
      #expect(refused.errors.contains("report.html: a file of that name is there"))
      #expect(try String(contentsOfFile: folder + "/report.html", encoding: .utf8) == "my own page")
      try FileManager.default.removeItem(atPath: folder + "/report.html")
      for _ in 0..<2 { #expect(try await Program().run(["run", file, "--report", folder]).status == 0) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 5)
    }
  }

  @Test func `a file of authorities that is missing is a mistake of the call`() async throws {
    try await withScenario(Self.scenario) { file in
      let outcome = try await Program().run(["run", file, "--cacert", "/nowhere.pem"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("cannot read the certificate authorities /nowhere.pem"))
    }
  }

  private static func shell(_ command: String) throws -> (status: Int32, text: String) {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["-c", "set -o pipefail; " + command]
    let errors = Pipe()
    shell.standardError = errors
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    return (shell.terminationStatus, text)
  }
}
