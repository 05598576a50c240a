import MurphySchema
import Testing

@Suite struct TapeTests {
  /// Parses with a fresh parser and hands the result on while it is valid.
  func parse<Answer>(_ text: String, _ body: (TapeResult) throws -> Answer) rethrows -> Answer {
    let parser = TapeParser(maximumSize: 1 << 20)
    return try Array(text.utf8).withUnsafeBytes { try body(parser.parse($0)) }
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"a":{"b":[1,2.50,-3,18446744073709551615,1e2,true,false,null,"é\n"]},"c":0.1}"#, "-0.0",
    #"["1","-",2,{"3":4}]"#,
  ])
  func `tape and exact parser agree`(_ text: String) throws {
    try parse(text) { result in
      guard case .tape(let tape) = result else {
        Issue.record("no tape for \(text)")
        return
      }
      let value = tape.value(at: tape.root)
      let expected = try JSONValue.parse(text)
      #expect(value.text == expected.text)
    }
  }

  @Test(arguments: ["123456789012345678901234567890", "1e400", "[18446744073709551616]"])
  func `numbers that no tape holds become a value`(_ text: String) {
    parse(text) { result in
      guard case .value(let value) = result else {
        Issue.record("expected a value for \(text)")
        return
      }
      #expect(value.text == text)
    }
  }

  // The text is the unit, so many times: the whole is nothing to print.
  @Test(arguments: [
    ("", 1, JSONError.Reason.syntax), ("{", 1, .syntax), ("\u{1}", 1, .syntax), ("[", 1_000_000, .tooDeep),
    (" ", 2 << 20, .tooLarge),
  ])
  func `malformed documents are explained`(_ unit: String, _ count: Int, _ kind: JSONError.Reason) {
    parse(String(repeating: unit, count: count)) { result in
      guard case .malformed(let error) = result else {
        Issue.record("expected an error")
        return
      }
      #expect(error.kind == kind)
    }
  }

  @Test func `bytes that are not UTF 8 are an error`() {
    let parser = TapeParser()
    [UInt8]([0x22, 0xC3, 0x28, 0x22]).withUnsafeBytes {
      guard case .malformed(let error) = parser.parse($0) else {
        Issue.record("expected an error")
        return
      }
      #expect(error.message == "a string is not valid UTF-8")
    }
  }

  @Test func `a member is found by name`() {
    parse(#"{"a":1,"b":{"a":2},"a":3}"#) { result in
      guard case .tape(let tape) = result else { return #expect(Bool(false), "no tape") }
      #expect(tape.member("a", of: tape.root).map(tape.numberText) == "3")
      #expect(tape.member("c", of: tape.root) == nil)
    }
  }
}
