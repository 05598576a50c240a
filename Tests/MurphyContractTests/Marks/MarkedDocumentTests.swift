import MurphyContract
import MurphyModel
import MurphySchema
import Testing

@Suite struct MarkedDocumentTests {
  private func read(_ text: String, as format: MarkedDocument.Format = .yaml) -> MarkedDocument {
    MarkedDocument(SourceText(file: "a.yaml", text: text), as: format, keepsSpelling: true)
  }

  @Test(
    arguments: [
      "{\"a\": [1, 2.50, true, null, \"x\"], \"b\": {\"c\": \"é\"}, \"007\": -1e3}",
      "[]", "{\"a\": {}}", "\"text\"", "{\"a\\nb\": \"\\u00e9\\t\"}",
    ])
  func `JSON means and stands the same as YAML`(_ text: String) throws {
    let json = try #require(read(text, as: .json).contents)
    let yaml = try #require(read(text).contents)
    #expect(json.value == yaml.value)
    for pointer in json.value.pointers {
      #expect(
        json.marks.place(of: pointer, in: json.value, ofName: true)
          == yaml.marks.place(of: pointer, in: yaml.value, ofName: true), "\(pointer)")
    }
  }

  @Test func `a tree keeps how its scalars were written`() throws {
    let root = try #require(read("a: 1.50\nb: '1.50'\n\"c\": &x [yes, True]\nd: *x\n").root)
    var members: [MarkedValue.Member] = []
    if case .object(let all) = root.content { members = all }
    #expect(members.map(\.key) == ["a", "b", "c", "d"])
    #expect(members.map(\.isQuoted) == [false, false, true, false])
    func scalar(_ value: MarkedValue) throws -> MarkedValue.Scalar {
      guard case .scalar(let scalar) = value.content else { throw NotAScalar() }
      return scalar
    }
    let (number, text) = (try scalar(members[0].value), try scalar(members[1].value))
    #expect(number.value == 1.5 && number.text == "1.50" && !number.isQuoted)
    #expect(text.value == "1.50" && text.text == "1.50" && text.isQuoted)
    var items: [MarkedValue] = []
    if case .array(let all) = members[3].value.content { items = all }
    #expect(try scalar(items[1]).value == true && scalar(items[1]).text == "True")
    #expect(members[3].name.place.line == 4 && items[1].place.line == 3)
  }

  @Test func `merged members stand behind a mapping's own, through several levels`() throws {
    let document = read("x: &x { a: 1, b: 1 }\ny: &y { <<: *x, b: 2, c: 2 }\nz: { <<: [*y, { d: 4 }], c: 3 }\n")
    #expect(document.mistakes == [])
    #expect(document.contents?.value["z"]?.text == #"{"c":3,"b":2,"a":1,"d":4}"#)
  }

  @Test func `every duplicate key is told where it stands again, and the last one counts`() throws {
    let document = read("a: 1\nb: { c: 1, \"c\": 2 }\na: 3\nécole: 1\n'école': 2\n")
    #expect(document.contents?.value.text == #"{"b":{"c":2},"a":3,"école":2}"#)
    #expect(
      document.mistakes.map(\.message).sorted() == [
        "duplicate key \"a\"; it is first defined in line 1", "duplicate key \"c\"; it is first defined in line 2",
        "duplicate key \"école\"; it is first defined in line 4",
      ])
    #expect(Set(document.mistakes.map(\.mark.line)) == [2, 3, 5])
  }

  @Test(arguments: [
    ("a: [1, 2\n", "not YAML: expected , or ]"), ("a:\n\t- 1\n", "not YAML: a tab cannot indent"),
    ("", "the file is empty"),
    ("? [a, b]\n: 1\n", "a key must be a string; found a list"), ("a: *b\n", "no anchor of this name"),
    ("<<: 1\n", "<< needs an alias of a mapping"), ("a: \"", "ends within quotes"),
  ])
  func `what is not a document is told`(_ text: String, _ part: String) throws {
    let mistake = try #require(read(text).mistakes.first)
    #expect(mistake.message.contains(part), "\(mistake.text)")
  }

  @Test func `neither values, merges nor keys can be made to unfold without bound`() throws {
    func levels(_ line: (Int) -> String) -> String { (1...40).map { line($0) + "\n" }.joined() }
    let values = "a0: &a0 [1, 1]\n" + levels { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
    #expect(read(values).mistakes.first?.message.contains("expand to more than") == true)
    let merges = "a0: &a0 { k: 1 }\n" + levels { "a\($0): &a\($0) { <<: [*a\($0 - 1), *a\($0 - 1)] }" }
    #expect(read(merges).mistakes.first?.message.contains("expand to more than") == true)
    for key in ["? *a40\n: 1\n", "*a40 : 1\n", "[*a40, 1]: 2\n", "{ *a40 : 1 }: 2\n"] {
      #expect(read(values + key).mistakes.first?.message.contains("expand to more than") == true, "\(key)")
    }
  }

  @Test func `thousands of anchors and equal keys are read`() {
    let anchors = (0..<20_000).map { "a\($0): &x\($0) { b: \($0) }\n" }.joined()
    let document = read(anchors + "last: *x19999\n")
    #expect(document.mistakes == [])
    #expect(document.contents?.value["last"]?["b"] == 19_999)
    let twice = read((0..<100).map { "a\($0 % 50): \($0)\n" }.joined())
    #expect(twice.mistakes.count == 50)
    #expect(twice.mistakes.first?.message == "duplicate key \"a0\"; it is first defined in line 1")
    #expect(twice.mistakes.first?.mark.line == 51)
    #expect(twice.contents?.value["a0"] == 50)
  }

  @Test func `an anchor within its own collection is not defined yet, and the latest of two counts`() {
    #expect(read("a: &x [1, *x]\n").mistakes.first?.message.contains("no anchor of this name") == true)
    #expect(read("a: &x 1\nb: &x 2\nc: *x\n*x : 3\n").contents?.value.text == #"{"a":1,"b":2,"c":2,"2":3}"#)
    #expect(read("a: 1\n---\nb: 2\n").mistakes.first?.message.contains("another document") == true)
  }

  @Test func `braces and asterisks in texts are not taken for keys that unfold`() {
    let anchors = (1...20).map { "a\($0): &a\($0) { b: \($0) }\n" }.joined()
    let document = read(
      anchors + "c: 'see {id}: it is [not]: a key'\nd: |\n  * item: x\n  **note**: y\ne: { f: *a1 }\n")
    #expect(document.mistakes == [])
    #expect(document.contents?.value["e"]?["f"]?["b"] == 1)
  }

  @Test func `lines are counted as libyaml counts them`() throws {
    let document = read("a: 'x\u{2028}y'\nb: [1\n")
    let mistake = try #require(document.mistakes.first)
    #expect(document.source.line(mistake.mark.line) != nil)
    let carriage = read("a: 1\rb: 2\r\nc: { d: 1, d: 2 }\r\n")
    #expect(carriage.mistakes.map(\.mark.line) == [3])
    #expect(carriage.mistakes.first?.sourceLine == "c: { d: 1, d: 2 }")
  }

  @Test func `columns count characters, in JSON too`() {
    let document = read("{\"a\": 1,\n \"é\": }", as: .json)
    #expect(document.mistakes.map(\.mark.text) == ["a.yaml:2:7"])
    let long = read("{\"a\": \"\(String(repeating: "é", count: 300))\", \"b\": }", as: .json)
    #expect(long.mistakes.map(\.mark.text) == ["a.yaml:1:316"])
    #expect(long.mistakes.first?.message.hasSuffix("éé\", \"b\": ") == true, "\(long.mistakes)")
    let twice = read("{\"é\": \"ü\", \"é\": 2}", as: .json)
    #expect(twice.mistakes.map(\.mark.text) == ["a.yaml:1:12"])
  }

  @Test func `a text that is not UTF-8 is rejected`() {
    let document = MarkedDocument(SourceText(file: "a.yaml", bytes: [0x61, 0x3A, 0x20, 0xFF]), as: .yaml)
    #expect(document.mistakes.map(\.message) == ["not UTF-8"])
  }
}

private struct NotAScalar: Error {}

extension JSONValue {
  /// Every place of the value, itself included.
  fileprivate var pointers: [JSONPointer] {
    var all: [JSONPointer] = []
    func add(_ value: JSONValue, _ pointer: JSONPointer) {
      all.append(pointer)
      switch value {
      case .object(let object): for member in object.members { add(member.value, pointer.appending(member.key)) }
      case .array(let items): for (index, item) in items.enumerated() { add(item, pointer.appending(index)) }
      default: break
      }
    }
    add(self, .root)
    return all
  }
}
