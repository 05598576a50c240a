import Foundation
import Murphy
import Testing

/// What a newcomer copies out of README.md.
@Suite struct ReadmeScenarioTests {
  @Test func `the scenario of the readme is checked without a mistake or a warning`() async throws {
    let readme = try String(contentsOfFile: Repository.root + "/README.md", encoding: .utf8)
    let block = try #require(readme.firstMatch(of: /```yaml\n([^`]*)```/))
    let text = String(block.1).replacing("contract: openapi.yaml", with: "contract: CONTRACT")
    try await withScenario(text) { file in
      let report = try FileCheck.check(file)
      #expect(report.subject.hasPrefix("scenario "))
      #expect(report.diagnostics.map(\.message) == [])
    }
  }
}
