import Foundation
import Testing

/// The commands that docs/ci.md and docs/capacity.md tell people to put into their pipelines.
@Suite struct CIDocumentTests {
  @Test(arguments: ["ci.md", "capacity.md", "compare.md"]) func `every option in them is one of the command`(
    name: String
  )
    async throws
  {
    let text = try String(contentsOfFile: Repository.root + "/docs/" + name, encoding: .utf8)
      // Commands go on behind a backslash, and in a folded text of YAML; what they start is quoted.
      .replacing(/"[^"\n]*"/, with: "").replacing(/\\\n\s*/, with: " ").replacing(/\n\s+--/, with: " --")
    var used: [String: Set<String>] = [:]
    for match in text.matches(of: /murphy (run|compare|capacity)\b([^\n`]*)/) {
      for option in match.2.matches(of: /(?:^|\s)--([a-z-]+)/) {
        used[String(match.1), default: []].insert(String(option.1))
      }
    }
    #expect(!used.isEmpty)
    for (verb, options) in used {
      let help = try await Program().run([verb, "--help-hidden"]).output
      for option in options {
        #expect(help.contains("--\(option)"), "murphy \(verb) has no --\(option), but \(name) says so")
      }
    }
  }
}
