import MurphyContract
import MurphyModel
import MurphySchema
import Testing

@Suite struct SourceMarksTests {
  private func document(_ text: String, _ path: String) throws -> SourceDocument {
    try SourceDocument(text: SourceText(file: path, bytes: Array(text.utf8)), path: "/" + path)
  }

  private func place(_ pointer: String, _ document: SourceDocument, ofName: Bool = true) throws -> String {
    let mark = document.mark(try #require(JSONPointer(pointer)), ofName: ofName)
    return "\(mark.line):\(mark.column)"
  }

  @Test func `every YAML pointer maps to its line and column`() throws {
    let document = try document(
      """
      info:
        title: Laws
      list:
        - a
        - { x: 1, "y": [2, 3] }
      """, "a.yaml")
    #expect(try place("/info", document) == "1:1")
    #expect(try place("/info/title", document) == "2:3")
    #expect(try place("/info/title", document, ofName: false) == "2:10")
    #expect(try place("/list/0", document) == "4:5")
    #expect(try place("/list/1/y", document) == "5:13")
    #expect(try place("/list/1/y/1", document) == "5:22")
    #expect(try place("/list/7/none", document) == "3:1")
  }

  @Test func `every JSON pointer maps to its line and column`() throws {
    let document = try document(
      """
      {
        "a": [1, {"b\\"": true}],
        "c": "x"
      }
      """, "a.json")
    #expect(try place("/a", document) == "2:3")
    #expect(try place("/a", document, ofName: false) == "2:8")
    #expect(try place("/a/1/b\"", document) == "2:13")
    #expect(try place("/a/1/b\"", document, ofName: false) == "2:20")
    #expect(try place("/c", document, ofName: false) == "3:8")
  }

  @Test func `aliases and merge keys are expanded and point to their anchor`() throws {
    let document = try document(
      """
      base: &base
        a: 1
        b: 2
      one: *base
      two:
        <<: *base
        b: 3
      """, "a.yaml")
    #expect(document.value["one"] == ["a": 1, "b": 2])
    #expect(document.value["two"] == ["a": 1, "b": 3])
    #expect(try place("/one/b", document) == "3:3")
    #expect(try place("/two/b", document) == "7:3")
    #expect(try place("/two/a", document) == "2:3")
  }

  @Test func `billion laughs end in an error and not in memory`() throws {
    var text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
    for level in 1...12 {
      text += "a\(level): &a\(level) [\((0..<10).map { _ in "*a\(level - 1)" }.joined(separator: ","))]\n"
    }
    let error = #expect(throws: ContractError.self) { try document(text, "a.yaml") }
    #expect(error?.diagnostics.first?.message.contains("aliases expand to more than") == true)
  }

  @Test func `a syntax error has its line and caret`() throws {
    let error = #expect(throws: ContractError.self) { try document("a: 1\nb: [1, 2\nc: 3\n", "a.yaml") }
    #expect(
      error?.description == """
        a.yaml:3:2: error: not YAML: expected , or ] in a list in brackets; a string with a bracket, a brace or ${…} in it \
        needs quotes there (while parsing a flow sequence, which begins in line 2)
         3 | c: 3
           |  ^
        """)
    let json = #expect(throws: ContractError.self) { try document("{\n  \"a\": }\n", "a.json") }
    #expect(json?.description.hasPrefix("a.json:2:8: error: not JSON:") == true)
    for name in ["a", #"\u0061"#] {
      let twice = #expect(throws: ContractError.self) { try document("{\"a\": 1,\n \"\(name)\": 2}", "a.json") }
      #expect(twice?.description.contains("a.json:2:2: error: the name \"a\" appears here twice") == true)
    }
  }

  @Test func `deep nesting ends in an error`() {
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(throws: ContractError.self) { try document(deep, "a.yaml") }
    #expect(throws: ContractError.self) { try document(deep, "a.json") }
    #expect(throws: ContractError.self) { try document(String(repeating: "- ", count: 100_000) + "x", "a.yaml") }
  }

  @Test func `a place among many members is found without passing all of them`() {
    let count = 100_000
    var marks = SourceMarks()
    let root = marks.open(at: SourceMarks.Place(line: 1, column: 1))
    for number in 0..<count { marks.close(marks.open(at: SourceMarks.Place(line: number + 2, column: 3))) }
    marks.close(root)
    let value = JSONValue.array(Array(repeating: .null, count: count))
    let clock = ContinuousClock()
    let begin = clock.now
    let wrong = (0..<count).count { number in
      marks.place(of: JSONPointer(tokens: [String(number)]), in: value, ofName: false)?.line != UInt32(number + 2)
    }
    #expect(wrong == 0)
    #expect(clock.now - begin < .seconds(30))
  }
}
