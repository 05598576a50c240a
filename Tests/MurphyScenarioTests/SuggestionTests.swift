import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import Testing

/// The rules that a draft suggests as comments.
@Suite struct SuggestionTests {
  private static let document = """
    openapi: 3.1.0
    info: { title: Posts, version: "1" }
    components:
      parameters:
        id: { name: id, in: path, required: true, schema: { type: string, format: uuid } }
      schemas:
        Post: { type: object, properties: { id: { type: string }, text: { type: string }, likes: { type: integer } } }
      requestBodies:
        Text: { required: true, content: { application/json: { schema: {
          type: object, required: [text], properties: { text: { type: string } } } } } }
      responses:
        Post: { description: It, content: { application/json: { schema: { $ref: "#/components/schemas/Post" } } } }
        Done: { description: Done }
        Often: { description: At most 60 requests per minute }
    paths:
      /posts:
        get: { operationId: listPosts, parameters: [{ name: limit, in: query, schema: { type: integer } }], responses: {
          "200": { description: All, content: { application/json: { schema: {
            type: array, items: { $ref: "#/components/schemas/Post" } } } } },
          "429": { $ref: "#/components/responses/Often" } } }
        post: { operationId: addPost, requestBody: { $ref: "#/components/requestBodies/Text" },
          responses: { "201": { $ref: "#/components/responses/Post" } } }
      /posts/{id}:
        parameters: [{ $ref: "#/components/parameters/id" }]
        get: { operationId: getPost, responses: { "200": { $ref: "#/components/responses/Post" } } }
        delete: { operationId: deletePost, responses: { "204": { $ref: "#/components/responses/Done" } } }
      /posts/{id}/like:
        parameters: [{ $ref: "#/components/parameters/id" }]
        post: { operationId: likePost, responses: { "200": { $ref: "#/components/responses/Done" } } }
      /notes/{id}:
        parameters: [{ $ref: "#/components/parameters/id" }]
        get: { operationId: getNote, responses: { "200": { $ref: "#/components/responses/Post" } } }
        put: { operationId: putNote, requestBody: { $ref: "#/components/requestBodies/Text" },
          responses: { "200": { $ref: "#/components/responses/Post" } } }
    """

  private static func draft(_ contract: Contract, writes: Bool = true) -> String {
    var options = ScenarioDraft.Options(contract: "api.yaml")
    options.writes = writes
    return ScenarioDraft(contract, options).text
  }

  /// The lines of the suggestions, without the comment marks.
  private static func suggestions(in text: String) -> [String] {
    let lines = text.components(separatedBy: "\n")
    return lines.drop { !$0.hasPrefix("  # Suggested rules") }.dropFirst().prefix { $0.hasPrefix("  # ") }.map {
      String($0.dropFirst(4))
    }
  }

  @Test func `names and schemas suggest rules`() throws {
    let text = Self.draft(try Contract.parse(Self.document, file: "api.yaml"))
    let expected = """
      state:
        - set:
            key: path.id
            create: addPost
            id: "$.id"
            list: { listPosts: "$[*].id" }
            paged: true
            get: getPost
            delete: deletePost
        - counter: { key: path.id, write: likePost, read: { getPost: $.likes } }
        - register:
            key: path.id
            put: putNote
            get: getNote
            value: body.text
      limits:
        listPosts: { allow: 60, per: 60s, key: address }
      """
    #expect(Self.suggestions(in: text) == expected.components(separatedBy: "\n"), "\(text)")
  }

  @Test func `operations without a step suggest nothing`() throws {
    let text = Self.draft(try Contract.parse(Self.document, file: "api.yaml"), writes: false)
    #expect(Self.suggestions(in: text).first == "limits:", "\(text)")
  }

  @Test(arguments: [nil, "murphys-laws", "journal"])
  func `suggestions without comment marks are read without a mistake`(_ system: String?) throws {
    let contract =
      if let system {
        try Contract.load("\(LanguageSchemaTests.root.path)/scenarios/\(system)/openapi.yaml")
      } else { try Contract.parse(Self.document, file: "api.yaml") }
    let text = Self.draft(contract)
    let suggestions = Self.suggestions(in: text)
    var whole = text
    for line in suggestions { whole = whole.replacingOccurrences(of: "\n  # \(line)\n", with: "\n  \(line)\n") }
    let scenario = try Scenario.parse(
      text: whole, file: "scenario.yaml", operations: contract.summaries, environment: [:])
    #expect(!scenario.expectations.state.isEmpty)
    for tap in scenario.expectations.state.flatMap(\.taps) {
      guard case .path(let name)? = tap.action.key, let index = tap.operation.index else { continue }
      #expect(contract.operations[index].path.contains("{\(name)}"), "\(tap.operation.id) has no \(name)")
    }
  }

  /// The parameter may have any name.
  @Test(arguments: ["post_id", "post-id"])
  func `a suggestion names the path parameter of its operations`(_ name: String) throws {
    let document = Self.document.replacingOccurrences(of: "{id}", with: "{\(name)}")
      .replacingOccurrences(of: "{ name: id, in: path", with: "{ name: \(name), in: path")
    let suggestions = Self.suggestions(in: Self.draft(try Contract.parse(document, file: "api.yaml")))
    #expect(suggestions.contains("      key: path.\(name)"), "\(suggestions)")
    #expect(!suggestions.contains { $0.contains("path.id") }, "\(suggestions)")
  }
}

extension StateTap.Action {
  /// The part of the request with the key; nil for an action that reads keys from the response.
  fileprivate var key: StateSource? {
    switch self {
    case .vote(let key, _, _, _), .raise(let key, _), .measure(let key, _), .put(let key, _), .get(let key, _),
      .delete(let key), .look(let key), .ordered(let key, _, _):
      key
    case .push(let push): push.key
    case .show(.request(let key), _), .entries(.request(let key), _): key
    case .show, .entries, .create, .list, .send, .receipts: nil
    }
  }
}
