import Foundation
import MurphyModel
import MurphyReport
import Testing

/// The command on the terminal reproduces a finding also if its script is long.
@Suite struct ReproductionScriptTests {
  /// The first finding of a failed run, with this script.
  private func failed(_ script: String) -> RunResult {
    var result = Sample.fail
    result.findings = [
      Finding(
        kind: .contractStatus, operation: "getLaw", message: "status 418 \u{1B}[31m\nis not documented",
        evidence: Evidence(curl: ShellScript(script)))
    ]
    return result
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "murphy script's " + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  /// The command after `Reproduce 1`.
  private func command(_ result: RunResult, report: String?) throws -> String {
    let text = TerminalSummary(result, report: report, again: "murphy run gate.yaml").text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Reproduce 1") }
    #expect(lines.count == 1, "\(text)")
    return try #require(lines.first).dropFirst("Reproduce 1".count).drop { $0 == " " }.description
  }

  /// The output of a command in a shell.
  private func output(_ command: String) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(arguments: [1, 60]) func `the command runs the script, whatever the length`(parts: Int) throws {
    let script = (1...parts).map { "echo part-\($0)" }.joined(separator: " && ")
    let result = failed(script)
    try withFolder { folder in
      try Report.write(result, to: folder)
      let command = try command(result, report: folder + "/report.html")
      #expect(command.hasPrefix("sh ") == (parts > 1))
      #expect(try output(command) == (1...parts).map { "part-\($0)\n" }.joined())
      let details = TerminalDetails(result, report: folder + "/report.html").text
      #expect(details.contains("reproduce 1  \(command)\n"), "\(details)")
    }
    let without = try self.command(result, report: nil)
    #expect(without == (parts > 1 ? "run with --report FOLDER: the folder gets the script" : script))
  }

  @Test func `a later run removes the scripts of an earlier run, and no other file`() throws {
    try withFolder { folder in
      try Report.write(failed(String(repeating: "true;", count: 200)), to: folder)
      let scripts = folder + "/reproduce"
      try "mine".write(toFile: scripts + "/notes.sh", atomically: false, encoding: .utf8)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scripts).sorted() == ["finding-1.sh", "notes.sh"])
      try Report.write(SampleRun(seconds: 4).result(.pass), to: folder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scripts) == ["notes.sh"])
    }
  }
}
