import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

@Suite struct FeedReadingTests {
  private func rows(_ text: String, file: String = "laws.csv") throws -> FeedRows {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- { call: listLaws, query: { q: \"${feed}\" } }", head: "feeds: { feed: { file: \(file) } }"),
      files: [file: text])
    return scenario.feeds[0].rows
  }

  private func mistake(_ text: String, file: String = "laws.csv") -> String? {
    do {
      _ = try rows(text, file: file)
      return nil
    } catch let error as ScenarioError {
      return error.diagnostics.first.map { "\($0.mark.text): \($0.message)" }
    } catch {
      return "\(error)"
    }
  }

  @Test func `quotes commas and line breaks are read`() throws {
    let rows = try rows("a,b\r\n\"x, \"\"y\"\"\",2\r\n\"two\r\nlines\",\r\n")
    #expect(rows.columns == ["a", "b"])
    #expect(rows.rows == [["a": "x, \"y\"", "b": "2"], ["a": "two\r\nlines", "b": ""]])
  }

  @Test(arguments: ["a,b\n1,2", "a,b\n1,2\n", "a,b\r\n1,2\r\n\r\n", "\u{FEFF}a,b\n1,2\n"])
  func `the end of the file may have a line break or not`(text: String) throws {
    let rows = try rows(text)
    #expect(rows.rows == [["a": "1", "b": "2"]])
  }

  @Test func `a file with many columns costs no more than its columns`() throws {
    let names = (0..<80_000).map { "c\($0)" }.joined(separator: ",")
    let clock = ContinuousClock()
    let begin = clock.now
    #expect(try rows(names + "\n" + names + "\n").columns.count == 80_000)
    #expect(mistake(names + ",c7\n") == "laws.csv:1:1: the header line contains the column \"c7\" twice")
    #expect(clock.now - begin < .seconds(20))
  }

  @Test func `a feed that cannot be read is the only mistake`() {
    let scenario = LawsAPI.scenario(
      steps: "- { call: listLaws, query: { q: \"${feed.word}\" } }", head: "feeds: { feed: { file: none.csv } }")
    let error = #expect(throws: ScenarioError.self) { try LawsAPI.read(scenario, files: [:]) }
    #expect(error?.diagnostics.map(\.message) == ["cannot read the file none.csv"])
  }

  @Test func `what is no CSV is shown with its line`() {
    #expect(mistake("a,b\n1,2\n3\n") == "laws.csv:3:1: this row has 1 field, but the header line has 2")
    #expect(mistake("a,b\n1,\"open\n") == "laws.csv:2:3: the closing quotation mark of this field is missing")
    #expect(mistake("a,b\n1,x\"y\n")?.hasPrefix("laws.csv:2:4: a quotation mark in a field") == true)
    #expect(mistake("a,b\n\"x\"y,2\n")?.hasPrefix("laws.csv:2:4: expected a comma") == true)
    #expect(mistake("a,a\n1,2\n") == "laws.csv:1:1: the header line contains the column \"a\" twice")
    #expect(mistake("a,b\n")?.hasSuffix("has no rows") == true)
  }

  @Test func `json feeds keep their types`() throws {
    let rows = try rows("[{\"a\": 1}, {\"a\": [true], \"b\": null}]", file: "laws.json")
    #expect(rows.columns == ["a", "b"])
    #expect(rows.rows == [["a": 1], ["a": [true], "b": .null]])
    let lines = try self.rows("{\"a\": 1}\n\n{\"a\": 2}\n", file: "laws.jsonl")
    #expect(lines.rows == [["a": 1], ["a": 2]])
    #expect(mistake("{\"a\": 1}", file: "laws.json")?.contains("must contain an array") == true)
    #expect(mistake("{\"a\": 1}\n{\"a\": }\n", file: "laws.jsonl")?.hasPrefix("laws.jsonl:2:") == true)
  }
}
