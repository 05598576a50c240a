import Foundation
import MurphyContract
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

@Suite("Result file")
struct ResultFileTests {
  @Test func `what is read is what was written, to the byte`() throws {
    for (name, result) in Sample.all {
      let text = try ResultFile.encode(result)
      #expect(try ResultFile.encode(ResultFile.decode(text)) == text, "\(name)")
    }
  }

  @Test func `every result is valid against the published schema`() throws {
    let schema = try Schema(json: ResultFile.schema)
    for (name, result) in Sample.all {
      let value = try JSONValue.parse(try ResultFile.encode(result))
      #expect(schema.validate(value).map(\.description) == [], "\(name)")
      #expect(schema.verdict(value) == .valid, "\(name)")
    }
  }

  /// docs/results.md promises it. The file is the first of its format, with fewer operations and shorter histograms.
  @Test func `the first result of this format is read, valid, and drawn by every report`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "result-2-first.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let value = try JSONValue.parse(text)
    #expect(try Schema(json: ResultFile.schema).validate(value).map(\.description) == [])
    let result = try ResultFile.read(file.path)
    #expect(result.verdict == .pass && result.operations.map(\.operation) == ["listLaws", "submitLaw"])
    for (name, text) in try Report.texts(result) { #expect(text.contains("listLaws"), "\(name)") }
    #expect(TerminalSummary(result).text.hasSuffix("PASS\n"))
  }

  @Test func `the schema is closed and complete: a key more or less is a violation, anywhere`() throws {
    let schema = try Schema(json: ResultFile.schema)
    let value = try JSONValue.parse(try ResultFile.encode(Sample.limits))
    let required: Set<String> = [
      "verdict", "run", "seed", "planned", "histogram", "kind", "policy", "sent", "at", "users",
    ]
    var broken = 0
    for key in required {
      let without = value.removing(key)
      #expect(without != value, "\(key)")
      #expect(!schema.validate(without).isEmpty, "without \(key)")
      broken += 1
    }
    #expect(broken == required.count)
    #expect(!schema.validate(value.addingEverywhere("surprise")).isEmpty)
    for description in try objects(in: JSONValue.parse(ResultFile.schema)) where description["properties"] != nil {
      #expect(description["additionalProperties"]?.bool == false)
    }
  }

  private func objects(in value: JSONValue) throws -> [JSONValue] {
    switch value {
    case .object(let object): try [value] + object.values.flatMap(objects)
    case .array(let values): try values.flatMap(objects)
    default: []
    }
  }

  @Test func `keys are in snake_case and in the order of the record, the verdict first`() throws {
    let value = try JSONValue.parse(try ResultFile.encode(Sample.fail))
    #expect(
      value.object?.keys == [
        "format", "verdict", "reasons", "run", "operations", "sessions", "ledger", "findings", "budgets", "traffic",
        "limits",
        "state", "coverage", "generator", "timeline",
      ])
    #expect(value["ledger"]?["in_flight_at_end"]?.int == 0)
    #expect(value["findings"]?[0]?["evidence"]?["instance_pointer"]?.string == "/data/3/score")
  }

  @Test func `the greatest seed survives, and a number that is none does not cost the record`() throws {
    var result = Sample.empty
    result.run.seed = .max
    result.generator.offered = .nan
    result.generator.achieved = .infinity
    let read = try ResultFile.decode(try ResultFile.encode(result))
    #expect(read.run.seed == .max)
    #expect(read.generator.offered == 0)
    #expect(read.generator.achieved == .greatestFiniteMagnitude)
  }

  @Test func `a file that is not a result is rejected in a sentence`() throws {
    let good = try ResultFile.encode(Sample.empty)
    let texts: [String] = [
      "", "{", "[]", "{}", #"{"format":"murphy-result/9"}"#,
      good.replacing("\"verdict\": \"invalid\"", with: "\"verdict\": 7"),
      good.replacing("\"seed\"", with: "\"sead\""), good.replacing("\"loops\": 2", with: "\"loops\": \"two\""),
    ]
    let sentences = texts.map { text -> String in
      do {
        _ = try ResultFile.decode(text, path: "a/result.json")
        return "accepted"
      } catch {
        return "\(error)"
      }
    }
    try Golden.expect(sentences.joined(separator: "\n") + "\n", is: "result-mistakes.txt")
  }

  @Test func `a missing file is an error that names it`() {
    #expect(throws: ReportError.self) { try ResultFile.read("/nowhere/result.json") }
  }
}

extension JSONValue {
  /// Without every member of that name.
  func removing(_ key: String) -> JSONValue {
    switch self {
    case .object(let object):
      .object(JSONObject(object.members.filter { $0.key != key }.map { ($0.key, $0.value.removing(key)) }))
    case .array(let values): .array(values.map { $0.removing(key) })
    default: self
    }
  }

  func addingEverywhere(_ key: String) -> JSONValue {
    switch self {
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.key, $0.value.addingEverywhere(key)) } + [(key, .null)]))
    case .array(let values): .array(values.map { $0.addingEverywhere(key) })
    default: self
    }
  }
}
