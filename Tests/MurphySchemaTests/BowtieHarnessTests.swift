import BowtieHarness
import MurphySchema
import Testing

@Suite struct BowtieHarnessTests {
  /// The responses to a conversation.
  func converse(_ lines: [String]) -> [BowtieHarness.Reply] {
    var harness = BowtieHarness(version: "1.2.3", homepage: "https://example.org/murphy")
    return lines.map { harness.reply(to: $0) }
  }

  @Test func `a conversation is answered line by line`() throws {
    let replies = converse([
      #"{"cmd":"start","version":1}"#,
      ##"{"cmd":"dialect","dialect":"http://json-schema.org/draft-07/schema#"}"##,
      #"{"cmd":"run","seq":7,"case":{"description":"x","schema":{"$ref":"http://example.com/other.json"},"registry":{"http://example.com/other.json":{"type":"integer"}},"tests":[{"description":"a","instance":12},{"description":"b","instance":"x"}]}}"#,
      ##"{"cmd":"run","seq":8,"case":{"description":"x","schema":{"$ref":"#/nowhere"},"tests":[{"description":"a","instance":12}]}}"##,
      #"{"cmd":"stop"}"#,
    ])
    guard case .line(let first) = replies[0] else {
      Issue.record("start was not answered")
      return
    }
    let start = try JSONValue.parse(first)
    #expect(start["version"] == 1)
    #expect(start["implementation"]?["name"] == "murphy")
    #expect(start["implementation"]?["version"] == "1.2.3")
    #expect(start["implementation"]?["dialects"]?.array?.count == 5)
    #expect(replies[1] == .line(#"{"ok":true}"#))
    #expect(replies[2] == .line(#"{"seq":7,"results":[{"valid":true},{"valid":false}]}"#))
    guard case .line(let error) = replies[3] else {
      Issue.record("run was not answered")
      return
    }
    #expect(try JSONValue.parse(error)["errored"] == true)
    #expect(replies[4] == .stop)
  }

  @Test func `the dialect decides what a keyword means`() {
    let run =
      #"{"cmd":"run","seq":1,"case":{"description":"","schema":{"type":"integer"},"tests":[{"description":"","instance":1.0}]}}"#
    let start = #"{"cmd":"start","version":1}"#
    #expect(
      converse([start, ##"{"cmd":"dialect","dialect":"http://json-schema.org/draft-04/schema#"}"##, run]).last
        == .line(#"{"seq":1,"results":[{"valid":false}]}"#))
    #expect(
      converse([start, #"{"cmd":"dialect","dialect":"https://json-schema.org/draft/2020-12/schema"}"#, run]).last
        == .line(#"{"seq":1,"results":[{"valid":true}]}"#))
    #expect(
      converse([start, ##"{"cmd":"dialect","dialect":"http://json-schema.org/draft-03/schema#"}"##]).last
        == .line(#"{"ok":false}"#))
  }

  @Test(arguments: ["not json", #"{"cmd":"dance"}"#, #"{"cmd":"run"}"#, #"{"cmd":"start","version":2}"#])
  func `what is no command is rejected with a sentence`(_ line: String) {
    guard case .failure(let sentence) = converse([line])[0] else {
      Issue.record("expected a failure")
      return
    }
    #expect(sentence.hasPrefix("bowtie: "))
  }
}
