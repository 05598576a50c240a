import MurphyContract
import MurphyModel
import MurphySchema
import Testing

/// OpenAPI Overlay 1.0 and 1.1, and contracts of several documents.
@Suite struct OverlayTests {
  private static let base = """
    openapi: 3.1.0
    info: { title: Laws, version: "1" }
    tags: [{ name: old }]
    paths:
      /hidden:
        get: { operationId: hidden, responses: { "200": { description: no } } }
      /laws:
        get:
          operationId: listLaws
          tags: [read]
          parameters:
            - { name: q, in: query, schema: { type: string } }
            - { name: old, in: query, schema: { type: string } }
          responses: { "200": { description: a page } }
      /laws/{id}:
        get:
          operationId: getLaw
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses: { "200": { description: a law } }
    """

  private static func load(_ files: [(name: String, text: String)]) throws(ContractError) -> Contract {
    let texts = Dictionary(uniqueKeysWithValues: files.map { ("/c/\($0.name)", Array($0.text.utf8)) })
    let reader = FileReader { path in
      guard let bytes = texts[path] else { throw ContractError([]) }
      return bytes
    }
    return try Contract.load(files.map { "/c/\($0.name)" }, reader: reader)
  }

  private static func mistakes(_ files: [(name: String, text: String)]) -> [String] {
    do throws(ContractError) {
      return try load(files).warnings.map { "\($0.mark.text): \($0.severity.rawValue): \($0.message)" }
    } catch {
      return error.diagnostics.map { "\($0.mark.text): \($0.severity.rawValue): \($0.message)" }
    }
  }

  private static func overlay(_ actions: String) -> String {
    "overlay: 1.0.0\ninfo: { title: Changes, version: '1' }\nactions:\n\(actions)"
  }

  @Test func `an overlay of version 1_1 copies and replaces`() throws {
    let overlay = """
      overlay: 1.1.0
      info: { title: Changes, version: '1', description: Copies }
      actions:
        - target: $.paths['/laws/{id}'].get
          copy: $.paths['/hidden'].get
        - target: $.paths['/laws'].get.operationId
          update: allLaws
        - target: $.paths['/laws'].get.parameters
          update: [{ name: a, in: query, schema: { type: string } }, { name: b, in: query, schema: { type: string } }]
        - target: $.paths['/hidden']
          remove: true
      """
    let contract = try Self.load([("openapi.yaml", Self.base), ("o.yaml", overlay)])
    #expect(contract.operations.map(\.id).sorted() == ["allLaws", "hidden"])
    let list = try #require(contract.operations.first { $0.id == "allLaws" })
    #expect(list.parameters.map(\.name) == ["q", "old", "a", "b"])
    #expect(contract.operations.first { $0.id == "hidden" }?.path == "/laws/{id}")
  }

  @Test(arguments: [
    ("copy: '$.paths[*]'", "error: \"copy\" must select one value; $.paths[*] selects 3"),
    ("copy: $.tags, update: {}", "error: an action cannot have both \"update\" and \"copy\""),
    ("update: [a]", "error: the target selects an object, so \"update\" must be an object; found an array"),
  ])
  func `an action of version 1_1 with a mistake is reported`(action: String, reason: String) {
    let overlay = """
      overlay: 1.1.0
      info: { title: Changes, version: '1' }
      actions: [{ target: $.info, \(action) }]
      """
    let found = Self.mistakes([("openapi.yaml", Self.base), ("o.yaml", overlay)])
    #expect(found.contains { $0.hasPrefix("/c/o.yaml:3:") && $0.hasSuffix(reason) }, "\(found)")
  }

  @Test func `an overlay merges appends replaces and removes`() throws {
    let contract = try Self.load([
      ("openapi.yaml", Self.base),
      (
        "overlay.yaml",
        Self.overlay(
          """
            - target: $.paths['/hidden']
              remove: true
            - target: $.paths['/laws'].get.parameters[?@.name == 'old']
              remove: true
            - target: $.paths['/laws'].get.parameters
              update: { name: page, in: query, required: true, schema: { type: integer } }
            - target: $.paths['/laws'].get
              update:
                operationId: allLaws
                tags: [more]
                responses:
                  "404": { description: none }
            - target: $.paths.*.get
              update: { deprecated: true }
          """)
      ),
    ])
    #expect(contract.warnings == [])
    #expect(contract.operations.map(\.id) == ["allLaws", "getLaw"])
    let list = contract.operations[0]
    #expect(list.parameters.map(\.name) == ["q", "page"])
    #expect(list.responses.map(\.status.text) == ["200", "404"])
    #expect(contract.operations.allSatisfy { $0.isDeprecated })
    // What stood in the document stands there still, what came stands in the overlay.
    #expect(list.source.text == "/c/openapi.yaml:8:5")
    #expect(list.parameters[0].source.text == "/c/openapi.yaml:12:11")
    #expect(list.parameters[1].source.text.hasPrefix("/c/overlay.yaml:9:"))
    #expect(list.responses[1].source.text == "/c/overlay.yaml:15:9")
    #expect(contract.operations[1].source.text == "/c/openapi.yaml:16:5")
  }

  @Test func `mistakes in an overlay are shown with their place`() {
    func said(_ actions: String) -> [String] {
      Self.mistakes([("openapi.yaml", Self.base), ("o.yaml", Self.overlay(actions))])
    }
    #expect(
      said("  - { target: '$.paths[', update: {} }\n  - { update: {} }\n  - { target: $.info, remov: true }\n  - 7")
        == [
          "/c/o.yaml:4:15: error: \"$.paths[\" is not a JSONPath query: expected a quoted name, *, an index, a slice or a "
            + "filter; found the end of the query",
          "/c/o.yaml:5:5: error: an action needs \"target\", a JSONPath query",
          "/c/o.yaml:7:5: error: an action must be an object; found number",
        ])
    #expect(
      said("  - { target: $.nothing, remove: true }\n  - { target: $.info, updat: {} }") == [
        "/c/o.yaml:5:23: warning: an action cannot have \"updat\". Did you mean \"update\"?",
        "/c/o.yaml:5:5: warning: this action changes nothing: it has neither \"update\" nor \"remove: true\"",
        "/c/o.yaml:4:15: warning: $.nothing selects nothing, so this action changes nothing",
      ])
    #expect(
      said(
        "  - { target: $.info.title, update: Other }\n  - { target: $.info, update: [a] }\n  - { target: $, remove: true }"
      )
        == ["/c/o.yaml:6:15: error: the whole document cannot be removed"])
    #expect(
      said(
        "  - { target: $.info.title, update: Other }\n  - { target: $.info, update: [a] }\n  - target: $\n    update: { tags: {} }"
      )
        == [
          "/c/o.yaml:4:29: error: a target must select objects or arrays; found \"Laws\" at /info/title",
          "/c/o.yaml:5:23: error: the target selects an object, so \"update\" must be an object; found an array",
          "/c/o.yaml:7:15: error: \"tags\" is an array in the document, but an object here; remove it with an action "
            + "before this one",
        ])
    #expect(
      Self.mistakes([
        ("openapi.yaml", Self.base), ("o.yaml", "overlay: 2.0.0\ninfo: { title: a, version: b }\nactions: []"),
      ]) == [
        "/c/o.yaml:1:10: error: Overlay 2.0.0 is not supported; 1.0.0 and 1.1.0 are",
        "/c/o.yaml:3:1: error: an overlay needs \"actions\", a list with at least one action",
      ])
    #expect(
      Self.mistakes([("o.yaml", Self.overlay("  - { target: $.info, remove: true }")), ("openapi.yaml", Self.base)])
        == [
          "/c/o.yaml:1:1: error: the scenario's contract has no OpenAPI document before this overlay"
        ])
  }

  @Test func `what an overlay breaks is said at the overlay`() {
    let said = Self.mistakes([
      ("openapi.yaml", Self.base),
      ("o.yaml", Self.overlay("  - target: $.paths['/laws'].get.parameters\n    update: { name: page, in: nowhere }")),
    ])
    #expect(said.count == 1)
    #expect(said[0].hasPrefix("/c/o.yaml:5:"))
  }

  @Test func `several documents are one contract`() throws {
    let other = """
      openapi: 3.1.0
      info: { title: Votes, version: "1" }
      components: { schemas: { Vote: { type: object, required: [up] } } }
      paths:
        /votes:
          get:
            operationId: listVotes
            responses:
              "200":
                description: a vote
                content: { application/json: { schema: { $ref: "#/components/schemas/Vote" } } }
      """
    let contract = try Self.load([("a.yaml", Self.base), ("b.yaml", other)])
    #expect(contract.operations.map(\.id) == ["hidden", "listLaws", "getLaw", "listVotes"])
    #expect(contract.title == "Laws, Votes")
    let head = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".utf8)
    let body = Array(#"{"down":1}"#.utf8)
    let judge = ResponseJudge(contract: contract)
    let judgement = head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        judge.judge(ResponseView(status: 200, headerBlock: head, body: body), operation: 3)
      }
    }
    guard case .violating(let violations) = judgement else { return #expect(Bool(false), "\(judgement)") }
    #expect(violations.first?.source?.file == "/c/b.yaml")
  }

  @Test func `what two documents both name is a mistake with both places`() {
    let copy = Self.base.replacing("/hidden", with: "/laws/{id}/x").replacing("/laws:", with: "/other:")
    #expect(
      Self.mistakes([("a.yaml", Self.base), ("b.yaml", copy)]) == [
        "/c/b.yaml:6:25: error: the operationId \"hidden\" is already used at /c/a.yaml:6:12. The documents of one contract need unique operationIds: use an overlay to change them",
        "/c/b.yaml:9:20: error: the operationId \"listLaws\" is already used at /c/a.yaml:9:7. The documents of one contract need unique operationIds: use an overlay to change them",
        "/c/b.yaml:16:5: error: GET /laws/{id} is also documented at /c/a.yaml:16:5; use an overlay to remove one of them",
        "/c/b.yaml:17:20: error: the operationId \"getLaw\" is already used at /c/a.yaml:17:7. The documents of one contract need unique operationIds: use an overlay to change them",
      ])
    #expect(
      Self.mistakes([("a.yaml", Self.base), ("a.yaml2", Self.base)]).isEmpty == false)
  }

  @Test func `keys of one name mean the same in all documents`() throws {
    func document(_ id: String, _ scheme: String) -> String {
      """
      openapi: 3.1.0
      info: { title: \(id), version: "1" }
      components: { securitySchemes: { key: \(scheme) } }
      security: [{ key: [] }]
      paths: { /\(id): { get: { operationId: \(id), responses: { "200": { description: a } } } } }
      """
    }
    let bearer = "{ type: http, scheme: bearer }"
    #expect(
      try Self.load([("a.yaml", document("a", bearer)), ("b.yaml", document("b", bearer))]).operations.count == 2)
    let said = Self.mistakes([
      ("a.yaml", document("a", bearer)), ("b.yaml", document("b", "{ type: apiKey, name: X-Key, in: header }")),
    ])
    #expect(
      said == [
        "/c/b.yaml:3:34: error: the security scheme \"key\" is defined differently in /c/a.yaml:3:34; "
          + "use an overlay to rename it"
      ])
  }

  @Test func `a document of the target leads to no file`() throws {
    let remote = Self.base.replacing("{ description: no }", with: "{ $ref: '/etc/passwd' }")
    let contract = try Contract.load(["http://h/openapi.yaml"], fetched: ["http://h/openapi.yaml": Array(remote.utf8)])
    // The response is not checked, with the reason.
    let defects = contract.operations.flatMap(\.responses).compactMap(\.defect).map { String(describing: $0) }
    #expect(defects.count == 1 && defects[0].contains("is another document"), "\(defects)")
  }

  @Test func `actions that multiply a document end with an error`() {
    let action = "  - { target: '$..*', update: { x: { a: { b: {} }, c: { d: {} } } } }\n"
    let found = Self.mistakes([
      ("openapi.yaml", Self.base), ("overlay.yaml", Self.overlay(String(repeating: action, count: 10))),
    ])
    #expect(found.contains { $0.contains("values, but murphy reads at most 1000000") }, "\(found.prefix(3))")
  }
}
