import Foundation
import Murphy
import MurphyReport
import Testing

/// docs/guide.md: each of its commands does what it says.
@Suite struct GuideTests {
  @Test func `every command of the guide runs`() async throws {
    let guide = try String(contentsOfFile: Repository.root + "/docs/guide.md", encoding: .utf8)
    let commands = guide.split(separator: "\n").filter { $0.hasPrefix("murphy ") }
    #expect(commands.count == 4)
    try await withTemporaryFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/scenarios", withDestinationPath: Repository.root + "/scenarios")
      for command in commands {
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let outcome = try await Program().run(words, in: folder)
        // Others may share the machine, so a run may be late (4), have too few samples (5) or break a budget (1).
        let expected: Set<Int32> = words[0] == "run" ? [0, 1, 4, 5] : [0]
        #expect(expected.contains(outcome.status), "\(command): \(outcome.status)\n\(outcome.output)\(outcome.errors)")
      }
      #expect(FileManager.default.fileExists(atPath: folder + "/reports/first/report.html"))
      let result = try ResultFile.read(folder + "/reports/first/result.json")
      let errors = result.findings.filter { $0.severity == .error && !$0.kind.rule.isTimingSensitive }
      #expect(errors.isEmpty, "\(errors.map(\.message))")
    }
  }
}
