import Foundation
import MurphyContract
import MurphyModel
import Testing

/// A row of the table.
struct DiffCase: CustomTestStringConvertible, Sendable {
  let rule: String
  private let part: String
  private let before: String
  private let after: String
  /// The severity that oasdiff documents; nil if it has no rule.
  let documented: ContractChange.Severity?
  let expected: ContractChange.Severity
  let reason: String?

  init(_ row: Substring) {
    let cells = row.split(separator: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
    let levels: [String: ContractChange.Severity] = ["E": .breaking, "W": .possiblyBreaking, "I": .compatible]
    (rule, part, before, after) = (cells[0], cells[1], cells[2], cells[3])
    documented = levels[cells[4]]
    let own = cells.count > 5 ? cells[5] : nil
    reason = own.map { String($0.dropFirst(3)) }
    expected = own.flatMap { levels[String($0.prefix(1))] } ?? documented ?? .compatible
  }

  static let all = contractDiffTable.split(separator: "\n").map { DiffCase($0) }

  var testDescription: String { rule }

  /// The two documents.
  var documents: (old: String, new: String) { (document(before), document(after)) }

  private func document(_ text: String) -> String {
    let text = text.hasPrefix("\"/") ? String(text.dropFirst().dropLast()) : text
    func post(_ schema: String) -> String {
      "/t: {post: {requestBody: {content: {application/json: {schema: \(schema)}}}, responses: {}}}"
    }
    func get(_ response: String) -> String { "/t: {get: {responses: {\"200\": {description: x, \(response)}}}}" }
    let paths =
      switch part {
      case "paths": text
      case "root": "/t: {get: {responses: {}}}"
      case "op": "/t: {put: \(text)}"
      case "parameters": "/t: {get: {parameters: \(text), responses: {}}}"
      case "q": "/t: {get: {parameters: [{name: q, in: query, \(text.dropFirst())], responses: {}}}"
      case "headers": get("headers: \(text)")
      case "request": post(text)
      case "request.p": post("{type: object, properties: {p: \(text)}}")
      case "response": get("content: {application/json: {schema: \(text)}}")
      default: get("content: {application/json: {schema: {type: object, properties: {p: \(text)}}}}")
      }
    return """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      \(part == "root" ? text : "")
      paths:
        \(paths)
      components:
        schemas: {S: {type: object, properties: {b: {type: string}}}}
        securitySchemes:
          key: {type: apiKey, name: k, in: header}
          oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: "https://a/t", scopes: {read: x}}}}
      """
  }
}

@Suite struct ContractDiffTests {
  static func changes(_ old: String, _ new: String) throws -> [ContractChange] {
    ContractDiff(
      from: try Contract.parse(old, file: "/old.yaml"), to: try Contract.parse(new, file: "/new.yaml"),
      today: "2026-11-27"
    ).changes
  }

  static func worst(_ changes: [ContractChange]) -> ContractChange.Severity {
    ContractChange.Severity.allCases.first { severity in changes.contains { $0.severity == severity } } ?? .compatible
  }

  @Test(arguments: DiffCase.all) func `a change has the documented effect`(_ row: DiffCase) throws {
    let (old, new) = row.documents
    let changes = try Self.changes(old, new)
    let found = changes.map { "\($0.severity) \($0.rule) \($0.part) \($0.text)" }
    #expect(Self.worst(changes) == row.expected, "\(row.rule): \(found)")
    #expect(!changes.isEmpty || row.rule.contains("annotations") || row.rule.contains("example"))
    #expect(changes.allSatisfy { ($0.reason != nil) == ($0.severity == .possiblyBreaking) })
    #expect(try Self.changes(old, old).isEmpty)
    #expect(try Self.changes(new, new).isEmpty)
  }

  @Test func `the table covers the documented rules, and each difference has a reason`() {
    let documented = DiffCase.all.filter { $0.documented != nil }
    let agreeing = documented.filter { $0.expected == $0.documented }
    #expect(DiffCase.all.count >= 120)
    #expect(agreeing.count * 100 >= documented.count * 90, "\(agreeing.count) of \(documented.count) agree")
    #expect(DiffCase.all.allSatisfy { $0.expected == $0.documented || $0.reason?.isEmpty == false })
    #expect(Set(DiffCase.all.map(\.rule)).count == DiffCase.all.count)
  }

  private static let pets = """
    openapi: 3.0.3
    info: { title: T, version: "1" }
    paths:
      /pets:
        get:
          responses:
            "200":
              description: x
              content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
    components:
      schemas:
        Pet: { type: object, required: [kind], discriminator: { propertyName: kind }, properties: { kind: { type: string } } }
        Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { lives: { type: integer, nullable: true } } }] }

    """

  @Test func `subtypes of a discriminator are compared`() throws {
    let changed = try Self.changes(
      Self.pets, Self.pets.replacing("lives: { type: integer", with: "lives: { type: string"))
    #expect(
      changed.map { "\($0.rule) \($0.part)" } == ["response-type-changed response 200 application/json, <Cat>.lives"])
    #expect(changed.first?.old?.text == "/old.yaml:13:83")
    let renamed = try Self.changes(Self.pets, Self.pets.replacing("Cat:", with: "Dog:"))
    #expect(renamed.map(\.rule) == ["response-subtype-added", "response-subtype-removed"])
  }

  @Test func `versions of OpenAPI with the same meaning are equal`() throws {
    let newer = Self.pets.replacing("3.0.3", with: "3.1.0")
      .replacing("type: integer, nullable: true", with: "type: [integer, \"null\"]")
    #expect(try Self.changes(Self.pets, newer).isEmpty)
    let limits = ("minimum: 1, exclusiveMinimum: true", "exclusiveMinimum: 1")
    #expect(
      try Self.changes(
        Self.pets.replacing("nullable: true", with: limits.0),
        newer.replacing("[integer, \"null\"]", with: "integer, \(limits.1)")
      ).isEmpty)
  }

  @Test func `a reference that leads nowhere is not compatible`() throws {
    let changes = try Self.changes(Self.pets, Self.pets.replacing("schemas/Pet\" } } }", with: "schemas/Pat\" } } }"))
    #expect(Self.worst(changes) != .compatible)
  }
}
