import MurphyReport
import MurphySchema
import Testing

/// Text of a server is text wherever it goes.
@Suite struct SinkTests {
  static let hostile = "a\u{1B}[2Jb\u{9B}31m\u{7F}\u{202E}c\u{2028}d"

  @Test func `no line is a command to GitHub Actions`() {
    let text = "fine\n::warning::x\n  ::add-mask::y\r\n\t::set-env name=a::b\nx ##[command]z\nlast :: fine\n"
    let safe = TerminalText.withoutWorkflowCommands(text)
    for line in safe.split(whereSeparator: \.isNewline) {
      #expect(!line.drop { $0.isWhitespace }.hasPrefix("::"))
      #expect(!line.contains("##["))
    }
    #expect(safe.hasPrefix("fine\n: :warning::x\n"))
    #expect(safe.hasSuffix("last :: fine\n"))
  }

  @Test func `JSON and Markdown hold nothing that a terminal acts on`() throws {
    let json = JSONLayout.text(.object(["a": .string(Self.hostile)]))
    let texts = [json, MarkdownText.code(Self.hostile), MarkdownText.block(Self.hostile, language: "")]
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
      #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
    #expect(try JSONValue.parse(json)["a"]?.string == Self.hostile)
  }
}
