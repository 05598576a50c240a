import Foundation
import Murphy
import Testing

/// `murphy compare` as a user runs it.
@Suite(.serialized) struct CompareCommandTests {
  static let smoke = Repository.scenarios + "/smoke.yaml"

  @Test func storedRunsAreComparedFromTwoFolders() async throws {
    try await withTemporaryFolder { folder in
      for (side, fault) in [("base", [String]()), ("candidate", ["--fault", "missing-field"])] {
        for number in 1...2 {
          _ = try await Program().run(
            ["run", Self.smoke, "--duration", "2s", "--seed", "5", "--report", "\(folder)/\(side)/\(number)"] + fault)
        }
      }
      let json = folder + "/compare.json"
      let outcome = try await Program().run(
        ["compare", folder + "/base", folder + "/candidate", "--json", json, "--metric", "errors"])
      #expect(outcome.output.contains("findings new: "), "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "FAIL")
      #expect(outcome.status == 1)
      let text = try String(contentsOfFile: json, encoding: .utf8)
      #expect(text.contains("\"murphy-compare/1\""))

      let files = ["\(folder)/base/1/result.json", "\(folder)/base/2"]
      let same = try await Program().run(["compare", "--base"] + files + ["--candidate"] + files)
      #expect(same.lastLine == "NO DATA")
      #expect(same.status == 5, "\(same.output)")
      #expect(same.output.contains("are the same run"))
    }
  }

  @Test(arguments: [
    ["compare"], ["compare", "one"], ["compare", smoke, "--base", "embedded:murphys-laws"],
    ["compare", "/nowhere/a", "/nowhere/b"], ["compare", "a", "--base", "b", "--candidate", "c"],
    ["compare", smoke, "--base", "embedded:murphys-laws", "--candidate", "embedded:nobody"],
    ["compare", "a", "b", "--metric", "p98"],
  ])
  func wrongUsageIsASentenceAndStatusTwo(arguments: [String]) async throws {
    let outcome = try await Program().run(arguments)
    #expect(outcome.status == 2)
    #expect(!outcome.errors.isEmpty)
    #expect(outcome.output.isEmpty)
  }

  @Test func aTargetThatIsDownIsStatusThree() async throws {
    let down = "http://127.0.0.1:1"
    let outcome = try await Program().run(["compare", Self.smoke, "--base", down, "--candidate", down])
    #expect(outcome.status == 3, "\(outcome.errors)")
  }
}
