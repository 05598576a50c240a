import Foundation
import MurphyScenario
import Testing

/// docs/gallery.md: what each shipped scenario shows, in its own first words.
@Suite struct GalleryTests {
  @Test func theGalleryIsThatOfTheScenarios() throws {
    let root = LanguageSchemaTests.root
    var lines = [
      "# Scenarios to learn from", "",
      "Each runs as it stands, against the reference API that it names: `murphy run scenarios/…`, or `murphy try scenarios/…` to see",
      "every step. This page is made from their first comments.",
    ]
    for folder in ["murphys-laws", "monica", "journal", "milo"] {
      lines += ["", "## \(folder)", "", "| scenario | what it shows |", "|---|---|"]
      for name in LanguageSchemaTests.scenarios where name.hasPrefix(folder + "/") {
        let text = try String(contentsOf: root.appending(path: "scenarios/\(name)"), encoding: .utf8)
        let comment = text.split(separator: "\n").prefix { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }
        let words = comment.joined(separator: " ").dropFirst("Shows ".count)
        let file = name.dropFirst(folder.count + 1)
        lines.append("| [\(file)](../scenarios/\(name)) | \(words.prefix(1).uppercased() + words.dropFirst()) |")
      }
    }
    let page = lines.joined(separator: "\n") + "\n"
    let file = root.appending(path: "docs/gallery.md")
    if ProcessInfo.processInfo.environment["MURPHY_RECORD"] != nil {
      try Data(page.utf8).write(to: file)
      Issue.record("recorded docs/gallery.md: look at the difference, and run again")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == page, "MURPHY_RECORD=1 writes it anew")
  }
}
