import Foundation
import Murphy
import Testing

@Suite struct RequestValueCheckTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Laws, version: "1" }
    paths:
      /laws:
        get:
          operationId: listLaws
          parameters:
            - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 25 } }
            - { name: sort, in: query, schema: { enum: [score, id] } }
            - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
          responses: { "200": { description: fine }, "400": { description: wrong } }
        post:
          operationId: addLaw
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  required: [text, kind]
                  additionalProperties: false
                  properties:
                    id: { type: integer, readOnly: true }
                    text: { type: string, maxLength: 20 }
                    kind: { enum: [law, corollary] }
              application/x-www-form-urlencoded:
                schema: { type: object, properties: { weight: { type: integer } } }
          responses: { "201": { description: made }, "400": { description: wrong } }
    """

  /// The warnings about a scenario with these steps, each as `line:column: message` and the text over its caret.
  private func warnings(_ steps: String, load: String = "[{ hold: 20/s, for: 10s }]") throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.contract.write(to: folder.appendingPathComponent("laws.yaml"), atomically: true, encoding: .utf8)
    let text = """
      name: test
      contract: laws.yaml
      target: http://127.0.0.1:1
      load: \(load)
      sessions:
        one:
          steps:
      \(steps)
      """
    let file = folder.appendingPathComponent("test.yaml").path
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try FileCheck.check(file).diagnostics.map { diagnostic in
      let line = Array(diagnostic.sourceLine ?? "")
      let from = min(diagnostic.mark.column - 1, line.count)
      let marked = String(line[from..<min(from + diagnostic.width, line.count)])
      return "\(diagnostic.severity.rawValue) \(diagnostic.mark.line):\(marked): \(diagnostic.message)"
    }
  }

  @Test(arguments: [
    ("{ limit: 26 }", "26", "\"limit\""), ("{ limit: abc }", "abc", "\"limit\""),
    ("{ limit: \"26\" }", "\"26\"", "\"limit\""), ("{ sort: best }", "best", "\"sort\""),
    ("{ ids: [1, x] }", "x", "\"ids\""), ("{ limit: \"${20 + 6}\" }", "\"${20 + 6}\"", "\"limit\""),
  ]) func `a constant that its parameter refuses is told at its place`(query: String, marked: String, name: String)
    throws
  {
    let found = try warnings("      - { call: listLaws, query: \(query) }")
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("warning 8:\(marked): the query parameter \(name) of listLaws") == true, "\(found)")
    #expect(found.first?.contains("declared at") == true)
  }

  @Test(arguments: [
    "{ limit: 25 }", "{ limit: \"25\" }", "{ sort: id }", "{ ids: [1, 2] }", "{ ids: \"1,2\" }", "{ ids: 7 }",
    "{ limit: null }", "{ limit: \"${1 + 24}\" }",
  ]) func `what goes over the wire as a conforming text is not a mistake`(query: String) throws {
    #expect(try warnings("      - { call: listLaws, query: \(query) }") == [])
  }

  @Test func `bodies are judged against their schema`() throws {
    let missing = try warnings("      - { call: addLaw, body: { text: a } }")
    #expect(missing.count == 1)
    #expect(missing.first?.contains("kind") == true)
    let more = try warnings("      - { call: addLaw, body: { text: a, kind: law, colour: red } }")
    #expect(more.count == 1)
    #expect(more.first?.contains("red") == true || more.first?.contains("colour") == true)
    #expect(try warnings("      - { call: addLaw, body: { text: a, kind: law } }") == [])
    #expect(try warnings("      - { call: addLaw, form: { weight: 7 } }") == [])
    #expect(try warnings("      - { call: addLaw, form: { weight: heavy } }").count == 1)
  }

  @Test func `what only a response knows is left out and the rest is checked`() throws {
    let steps = """
            - { call: listLaws, save: { all: "$.data" } }
            - { call: addLaw, body: { text: "${join(all, ',')}", kind: sideways } }
      """
    let found = try warnings(steps)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("warning 9:sideways:") == true, "\(found)")
    #expect(try warnings(steps.replacing("sideways", with: "law")) == [])
  }

  @Test func `what is drawn is checked over the draws of the plan`() throws {
    let found = try warnings("      - { call: listLaws, query: { limit: \"${choose(10, 26)}\" } }")
    #expect(found.count == 1, "\(found)")
    let draws = try #require(found.first?.firstMatch(of: #/\(in (\d+) of (\d+) generated values\)/#))
    let (wrong, all) = (try #require(Int(draws.1)), try #require(Int(draws.2)))
    #expect(all == 200)
    #expect(wrong > 50 && wrong < 150)
    #expect(try warnings("      - { call: listLaws, query: { limit: \"${choose(10, 25)}\" } }") == [])
    let closed = try warnings(
      "      - { call: listLaws, query: { limit: \"${choose(10, 26)}\" } }", load: "[{ users: 3, for: 10s }]")
    #expect(closed.count == 1, "\(closed)")
  }

  /// An expression alone keeps its type: the number is not a string.
  @Test(arguments: ["[2XX, 409]", "[201, 400]", "[2XX, 422]"])
  func `a drawn value of a wrong type is told if the step also expects success`(status: String) throws {
    let found = try warnings(
      "      - { call: addLaw, body: { text: \"${int(1, 9)}\", kind: law }, expect: { status: \(status) } }")
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("the body of addLaw at /text") == true, "\(found)")
  }

  @Test func `a step that accepts rejections may send some wrong values`() throws {
    let step = "      - { call: listLaws, query: { limit: \"${choose(10, 26)}\" }, expect: { status: [200, 400] } }"
    #expect(try warnings(step) == [])
    #expect(try warnings(step.replacing("400", with: "404")).count == 1)
  }

  @Test func `a step that means to be rejected is not warned about`() throws {
    #expect(try warnings("      - { call: listLaws, query: { limit: 26 }, expect: { status: 400 } }") == [])
    #expect(try warnings("      - { call: listLaws, query: { limit: 26 }, on: { 400: continue } }") == [])
    #expect(try warnings("      - { call: listLaws, query: { limit: 26 }, expect: { status: 200 } }").count == 1)
  }
}
