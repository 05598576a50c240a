import Foundation
import MurphyScenario
import Testing

/// What `murphy check` says of files with mistakes, whole.
@Suite struct MistakeTests {
  /// One byte more than may be sent.
  private static let long = String(repeating: "x", count: (64 << 20) + 1)

  @Test(arguments: [
    "names", "values", "flow", "promises", "state", "expressions", "checks", "undocumented", "duplicates", "tab",
    "brackets", "bomb", "clients", "bodies", "tokens",
  ])
  func `every mistake is shown with its place and the nearest right name`(name: String) throws {
    let text = try Golden.input("\(name).yaml")
    var shown = ""
    do throws(ScenarioError) {
      _ = try LawsAPI.read(text, files: ["laws.csv": "text,title\none,two\n", "long.bin": Self.long])
      Issue.record("\(name).yaml has no mistake")
    } catch {
      shown = error.description
    }
    try Golden.check(shown.replacing("scenario.yaml", with: "\(name).yaml") + "\n", "\(name).txt")
  }
}
