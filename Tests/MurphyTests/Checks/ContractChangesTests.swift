import Foundation
import Murphy
import MurphyModel
import MurphyReport
import MurphySchema
import Testing

/// `murphy check NEW --against OLD --used-by …`
@Suite struct ContractChangesTests {
  /// Two documents and the files of clients, in a folder that is removed.
  private func changes(
    _ new: (String) -> String, clients: [String: String] = [:], allowsUnused: Bool = false
  ) throws -> ContractChanges {
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-changes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String) throws -> String {
      let path = folder.appending(path: name).path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    return try ContractChanges(
      from: try write(Self.old, "old.yaml"), to: try write(new(Self.old), "new.yaml"),
      usedBy: try clients.sorted { $0.key < $1.key }.map { try write($0.value, $0.key) }, allowsUnused: allowsUnused)
  }

  private static let old = """
    openapi: 3.1.0
    info: { title: T, version: "1" }
    paths:
      /laws:
        get:
          operationId: listLaws
          parameters:
            - { name: sort, in: query, schema: { enum: [up, down] } }
            - { name: limit, in: query, schema: { type: integer, maximum: 100 } }
          responses:
            "200":
              description: x
              headers: { ETag: { required: true, schema: { type: string } } }
              content: { application/json: { schema: { type: object, required: [data],
                properties: { data: { type: array, items: { $ref: "#/components/schemas/Law" } } } } } }
            "404": { description: x, content: { application/json: { schema: { required: [code] } } } }
        post:
          operationId: addLaw
          requestBody: { content: { application/json: { schema: { type: object,
            properties: { name: { type: string, maxLength: 90 }, kind: { enum: [a, b] } } } } } }
          responses: { "201": { description: x } }
    components:
      schemas:
        Law:
          type: object
          required: [id, title]
          properties:
            id: { type: integer }
            title: { type: string }
            parent: { $ref: "#/components/schemas/Law" }
            author: { $ref: "#/components/schemas/Author" }
        Author: { type: object, required: [name], properties: { name: { type: string } } }

    """

  private static func scenario(_ steps: String) -> String {
    """
    name: Client
    contract: old.yaml
    load: [{ hold: 1/s, for: 1s }]
    sessions:
      s:
        steps:
    \(steps.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))

    """
  }

  private static func recording(_ request: String, status: Int = 200, response: String) -> String {
    let text = JSONValue.string(response).text
    return """
      {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": \(request),
       "response": {"status": \(status), "headers": [{"name": "ETag", "value": "1"}],
       "content": {"size": 9, "mimeType": "application/json", "text": \(text)}}}]}}
      """
  }

  private static let list = #"{"method": "GET", "url": "http://a/laws?sort=up", "headers": []}"#

  /// The rule and the users of each change that is not compatible.
  private func uses(_ changes: ContractChanges) throws -> [String: [String]] {
    let value = try JSONValue.parse(Array(try JSONEncoder().encode(changes)))
    var found: [String: [String]] = [:]
    for change in value["changes"]?.array ?? [] where change["severity"] != "compatible" {
      let users = (change["usedBy"]?.array ?? []).map {
        ($0.string ?? "").split(separator: "/").last.map(String.init) ?? ""
      }
      found[change["rule"]?.string ?? "", default: []] += users
    }
    return found
  }

  @Test func `without clients every breaking change fails`() throws {
    let changes = try changes { $0.replacing("title: { type: string }", with: "title: { type: integer }") }
    #expect(changes.verdict == .fail)
    #expect(changes.breakingUnused == nil)
    let text = changes.text.split(separator: "\n")
    #expect(text[0].contains("FAIL, 1 breaking, 0 possibly breaking"))
    #expect(text[1] == "GET /laws")
    #expect(
      text[2].contains(
        "breaking  response-type-changed  response 200 application/json, data[*].title: string → integer"))
    #expect(text[2].contains("old.yaml:29:18 → ") && text[2].contains("new.yaml:29:18"))
  }

  @Test(arguments: [
    ("$.data[*].title", true), ("$.data[0].parent.parent.title", true), ("$.data[0]", true), ("$..title", true),
    ("$.data[?@.id == 1].title", true), ("$['data'][*]['title','id']", true), ("$.data[*].id", false),
    ("$.data[*].author.name", false), ("$.data[0].parent.id", false),
  ]) func `a field is used by the queries that read it`(_ query: String, _ isUsed: Bool) throws {
    let scenario = Self.scenario("- call: listLaws\n  save: { x: \"\(query)\" }")
    let changes = try changes(
      { $0.replacing("title: { type: string }", with: "title: { type: integer }") }, clients: ["app.yaml": scenario],
      allowsUnused: true)
    #expect(changes.breaking == 1)
    #expect(changes.breakingUnused == (isUsed ? 0 : 1))
    #expect(changes.verdict == (isUsed ? .fail : .pass))
    #expect(changes.text.contains(isUsed ? "read by" : "(1 used by no known client, allowed)"))
  }

  @Test func `a field is used wherever its schema is`() throws {
    let scenario = Self.scenario("- call: listLaws\n- set: { x: \"${$.data[0].parent.author.name}\" }")
    let changes = try changes(
      { $0.replacing("name: { type: string } } }", with: "name: { type: integer } } }") },
      clients: ["app.yaml": scenario])
    #expect(try uses(changes) == ["response-type-changed": ["app.yaml"]])
  }

  @Test(arguments: [
    ("query: { sort: down }", true), ("query: { sort: up }", false),
    ("query: { sort: \"${choose(up: 1, down: 1)}\" }", true),
    ("query: { limit: 5 }", false),
  ]) func `a removed value concerns the clients that send it`(_ query: String, _ isUsed: Bool) throws {
    let scenario = Self.scenario("- call: listLaws\n  \(query)")
    let changes = try changes({ $0.replacing("[up, down]", with: "[up]") }, clients: ["app.yaml": scenario])
    #expect(try uses(changes) == ["request-enum-value-removed": isUsed ? ["app.yaml"] : []])
  }

  @Test(arguments: [
    ("body: { kind: b }", ["app.yaml"], []), ("body: { kind: a }", [], []), ("body: { name: x }", [], ["app.yaml"]),
    ("body: \"${uuid()}\"", ["app.yaml"], ["app.yaml"]), ("text: x", ["app.yaml"], ["app.yaml"]),
  ]) func `a field of a body concerns the clients that send it`(
    _ body: String, _ kind: [String], _ name: [String]
  ) throws {
    let scenario = Self.scenario("- call: addLaw\n  \(body)")
    let changes = try changes(
      { $0.replacing("[a, b]", with: "[a]").replacing("maxLength: 90", with: "maxLength: 9") },
      clients: ["app.yaml": scenario])
    #expect(try uses(changes) == ["request-enum-value-removed": kind, "request-max-length-tightened": name])
  }

  @Test func `a new required field concerns each client that sends the body`() throws {
    let scenario = Self.scenario("- call: addLaw\n  body: { name: x }")
    let changes = try changes(
      { $0.replacing("kind: { enum: [a, b] } }", with: "kind: { enum: [a, b] }, rank: {} }, required: [rank]") },
      clients: ["app.yaml": scenario, "list.yaml": Self.scenario("- call: listLaws")])
    #expect(try uses(changes) == ["request-required-property-added": ["app.yaml"]])
  }

  @Test func `a recording shows received fields, statuses and headers`() throws {
    let recording = Self.recording(Self.list, response: #"{"data": [{"id": 1, "author": {"name": "x"}}]}"#)
    let changes = try changes(
      {
        $0.replacing("title: { type: string }", with: "title: { type: integer }")
          .replacing("name: { type: string } }", with: "name: { type: integer } }")
          .replacing("ETag: { required: true,", with: "ETag: {").replacing("required: [code]", with: "required: []")
          .replacing("[up, down]", with: "[down]").replacing("maximum: 100", with: "maximum: 10")
      }, clients: ["app.har": recording])
    #expect(
      try uses(changes) == [
        "response-type-changed": ["app.har"], "header-became-optional": ["app.har"],
        "response-property-became-optional": [], "request-enum-value-removed": ["app.har"],
        "request-maximum-tightened": [],
      ])
    #expect(changes.text.contains("received by") && changes.text.contains("sent by"))
    #expect(changes.breakingUnused == 3)
  }

  @Test func `unknown content counts as used`() throws {
    let recording = Self.recording(
      #"{"method": "POST", "url": "http://a/laws", "headers": [], "bodySize": 9}"#, status: 201, response: "<x/>")
    let changes = try changes({ $0.replacing("maxLength: 90", with: "maxLength: 9") }, clients: ["app.har": recording])
    #expect(try uses(changes) == ["request-max-length-tightened": ["app.har"]])
  }

  @Test func `a file without a call of the contract is an error`() throws {
    let foreign = Self.recording(#"{"method": "GET", "url": "http://a/other/path", "headers": []}"#, response: "{}")
    for file in [["app.har": foreign], ["app.txt": "x"], ["app.json": "{}"]] {
      #expect(throws: GateError.self) { try changes({ $0 }, clients: file) }
    }
  }

  @Test func `the output conforms to the published schema`() throws {
    let scenario = Self.scenario("- call: listLaws")
    let changes = try changes(
      { $0.replacing("operationId: addLaw", with: "operationId: newLaw").replacing("[up, down]", with: "[up, left]") },
      clients: ["app.yaml": scenario])
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let schema = try Schema(json: ReportSchema.changes)
    let output = try JSONValue.parse(Array(try encoder.encode(changes)))
    #expect(schema.check(output).violations.map { $0.text(indent: 0) } == [])
    #expect(output["changes"]?.array?.count == 3)
  }
}
