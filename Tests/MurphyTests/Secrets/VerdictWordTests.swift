import Foundation
import Murphy
import TestSupport
import Testing

/// A secret that is spelt like a verdict or a part of a result takes neither away.
@Suite(.timed) struct VerdictWordTests {
  private static let scenario = """
    name: Words
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { headers: { X-Token: "${env(MURPHY_WORD)}" } }
    sessions: { read: { steps: [{ call: getLawOfTheDay }] } }
    load: [{ hold: 5/s, for: 1s }]
    """

  @Test(arguments: ["PASS", "FAIL", "\"verdict\":\"PASS\"", "exit_status", "verdict", "curl"])
  func `the last line and the result name the verdict`(_ secret: String) async throws {
    try await withScenario(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/r"
      let environment = ["MURPHY_WORD": secret]
      let text = try await Program().run(["run", file, "--report", folder], environment: environment)
      #expect(text.lastLine == "PASS", "\(text)")
      #expect(text.status == 0)
      #expect(try ResultFile.read(folder + "/result.json").verdict == .pass)
      let json = try await Program().run(["run", file, "--format", "json"], environment: environment)
      let line = try JSONValue.parse(json.lastLine)
      #expect(line["verdict"]?.string == "PASS", "\(json.lastLine)")
    }
  }
}
