import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

/// The requests of a draft are those that its document allows.
@Suite struct RequestDraftTests {
  /// A document in which a POST requires the field `value` with a schema.
  private static func contract(_ schema: String) throws -> Contract {
    let text = """
      openapi: 3.1.0
      info: { title: Things, version: "1" }
      paths:
        /things:
          post:
            operationId: addThing
            requestBody: { required: true, content: { application/json: { schema: {
              type: object, additionalProperties: false, required: [value], properties: { value: \(schema) } } } } }
            responses: { "201": { description: Made }, "400": { description: Wrong }, "409": { description: Exists } }
      """
    return try Contract.parse(text, file: "api.yaml")
  }

  private static func draft(_ contract: Contract, _ change: (inout ScenarioDraft.Options) -> Void = { _ in }) -> String
  {
    var options = ScenarioDraft.Options(contract: "api.yaml")
    options.writes = true
    change(&options)
    return ScenarioDraft(contract, options).text
  }

  /// The bodies that the draft sends, with the mistakes that the document finds in them.
  private static func bodies(
    _ text: String, _ contract: Contract
  ) throws -> [(value: JSONValue, mistakes: [ContractViolation])] {
    let scenario = try Scenario.parse(
      text: text, file: "scenario.yaml", operations: contract.summaries, environment: [:])
    let check = RequestCheck(contract, operations: [0])
    return Plan(scenario: scenario, seed: 3).drawnCalls(sessions: 50).flatMap { call in
      call.judged(by: check) { place, _ in place == "body" }.map { (value: $0.value.value, mistakes: $0.mistakes) }
    }
  }

  private static let schemas = [
    "{ type: string, pattern: '^[0-9]{13}$' }", #"{ type: string, pattern: '^\d+$' }"#,
    "{ type: string, pattern: '^97[89][0-9]{10}$' }", "{ type: string, pattern: '^[A-Z]{2}[0-9]{8}$' }",
    "{ type: string, pattern: '^[1-9][0-9]{9}$', maxLength: 10 }", "{ type: string, pattern: '^[0-9]{5}$' }",
    "{ type: string, format: uuid }", "{ type: string, format: email }", "{ type: string, format: date }",
    "{ type: string, minLength: 3, maxLength: 8 }", "{ type: string, minLength: 40 }", "{ type: boolean }",
    "{ type: integer, minimum: 1, maximum: 9 }", "{ type: number, exclusiveMinimum: 0 }", "{ enum: [a, b] }",
    "{ const: 7 }", "{ type: array, minItems: 2, items: { type: integer } }", "{ type: [string, 'null'] }",
    "{ anyOf: [{ type: string, pattern: '^[0-9]{12}$' }, { type: 'null' }] }",
    "{ type: object, required: [code], properties: { code: { type: string, pattern: '^[0-9]{8}$' } } }",
    "{ type: string, examples: ['12'] }", "{ type: integer, default: 5 }",
  ]

  @Test(arguments: schemas, [[], ["addThing"]] as [Set<String>])
  func `a drafted body has the types and the bounds of its schema`(schema: String, conflicting: Set<String>) throws {
    let contract = try Self.contract(schema)
    let text = Self.draft(contract) { $0.conflicting = conflicting }
    let bodies = try Self.bodies(text, contract)
    #expect(!bodies.isEmpty && !text.contains("correct this call"), "\(text)")
    for (value, mistakes) in bodies { #expect(mistakes.isEmpty, "\(value.text): \(mistakes.map(\.message))") }
  }

  @Test(arguments: ["^[0-9]{13}$", "^97[89][0-9]{10}$"])
  func `a long number is a string that differs for each user`(pattern: String) throws {
    let contract = try Self.contract("{ type: string, pattern: '\(pattern)' }")
    let values = try Self.bodies(Self.draft(contract), contract).compactMap { $0.value["value"]?.string }
    #expect(values.count == 50 && Set(values).count > 40, "\(values)")
  }

  @Test(arguments: [
    "{ type: string, maxLength: 3, example: toolong }", "{ type: integer, default: many }",
    "{ type: array, minItems: 2, uniqueItems: true, items: { type: boolean } }", "{ type: string, not: {} }",
  ]) func `a body that its document forbids has a comment`(schema: String) throws {
    let contract = try Self.contract(schema)
    let text = Self.draft(contract)
    #expect(try Self.bodies(text, contract).allSatisfy { !$0.mistakes.isEmpty }, "\(text)")
    #expect(text.contains("- call: addThing # correct this call: the body of addThing at /value: "), "\(text)")
  }

  @Test func `an accepted rejection has a comment that the draft is wrong`() throws {
    let contract = try Self.contract("{ type: string }")
    let sometimes = Self.draft(contract) { $0.errors = ["addThing": [StatusCount(status: 400, count: 5)]] }
    #expect(
      sometimes.contains("- call: addThing # the calm run received 400 × 5: correct the values of this call\n"),
      "\(sometimes)")
    let always = Self.draft(contract) { $0.refused = ["addThing": [400]] }
    #expect(
      always.contains("# the calm run received only 400: correct the values of this call\n"), "\(always)")
  }

  /// Half of the limit for all users together, so that the run after a calm run has a quota.
  @Test func `the load stays below a limit that only a description states`() throws {
    let text = """
      openapi: 3.1.0
      info: { title: Rooms, version: "1" }
      components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
      security: [{ bearer: [] }]
      paths:
        /rooms: { get: { operationId: listRooms, responses: { "200": { description: All } } } }
        /free:
          get:
            operationId: listFree
            responses:
              "200": { description: All }
              "429": { description: At most 20 requests per minute and client address }
      """
    let draft = Self.draft(try Contract.parse(text, file: "api.yaml"))
    let hold = try #require(draft.firstMatch(of: /hold: ([0-9.]+)\/s/), "\(draft)")
    // Every second session calls it.
    #expect(try #require(Double(hold.1)) * 60 / 2 <= 10, "\(draft)")
    #expect(draft.contains("  #   listFree: { allow: 20, per: 60s, key: address }\n"), "\(draft)")
    #expect(draft.contains("listFree: 20 requests in 60s.\n"), "\(draft)")
    #expect(!draft.contains("checks documented rate limits"), "\(draft)")
  }

  /// A document with a login whose media type has these keys.
  private static func login(_ media: String, _ properties: String, status: Int = 200) throws -> Contract {
    let text = """
      openapi: 3.1.0
      info: { title: Login, version: "1" }
      components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
      paths:
        /login:
          post:
            operationId: logIn
            requestBody: { required: true, content: { application/json: { \(media) schema: { type: object,
              required: [username, password], properties: { \(properties) } } } } }
            responses: { "\(status)": { description: In, content: { application/json: { schema: {
              type: object, properties: { access_token: { type: string } } } } } } }
        /me:
          get: { operationId: getMe, security: [{ bearer: [] }], responses: { "200": { description: You } } }
      """
    return try Contract.parse(text, file: "api.yaml")
  }

  private static let plain = "username: { type: string }, password: { type: string }"

  @Test(arguments: [
    ("", "username: { type: string, examples: [ann] }, password: { type: string, examples: [pw] }", "ann"),
    ("", "username: { type: string, example: ann }, password: { type: string, example: pw }", "ann"),
    ("example: { username: ann, password: pw },", plain, "ann"),
    ("examples: { first: { value: { username: ann, password: pw } } },", plain, "ann"),
    ("example: { username: ann@example.org, password: pw },", plain, "ann@example.org"),
  ]) func `a login takes user and password from one example`(media: String, properties: String, user: String) throws {
    let contract = try Self.login(media, properties)
    for status in [200, 201] {
      let contract = status == 200 ? contract : try Self.login(media, properties, status: status)
      var options = ScenarioDraft.Options(contract: "api.yaml")
      options.writes = true
      options.login = DraftLogin(contract, WriteRule(contract))
      let text = ScenarioDraft(contract, options).text
      #expect(text.contains("login:\n  - call: logIn\n"), "\(text)")
      #expect(text.contains(#"body: {"username":"\#(user)","password":"pw"}"#), "\(text)")
    }
  }

  @Test(arguments: ["", "- { name: if-match, in: header, schema: { type: string } }"])
  func `a change sends the entity tag of a read before it`(parameter: String) throws {
    let text = """
      openapi: 3.1.0
      info: { title: Notes, version: "1" }
      components: { schemas: { Note: { type: object, required: [id, version], properties: {
        id: { type: integer }, version: { type: integer }, text: { type: string } } } } }
      paths:
        /notes:
          post: { operationId: addNote, responses: { "201": { description: Made, content: { application/json: {
            schema: { $ref: "#/components/schemas/Note" } } } } } }
        /notes/{note_id}:
          parameters: [{ name: note_id, in: path, required: true, schema: { type: integer } }]
          get: { operationId: getNote, responses: { "200": { description: It, content: { application/json: {
            schema: { $ref: "#/components/schemas/Note" } } } } } }
          put:
            operationId: putNote
            parameters:
              - { name: trace, in: header, schema: { type: string } }
              \(parameter)
            requestBody: { required: true, content: { application/json: { schema: { type: object,
              required: [text], properties: { text: { type: string } } } } } }
            responses: { "200": { description: It, content: { application/json: {
              schema: { $ref: "#/components/schemas/Note" } } } }, "428": { description: Needs If-Match } }
      """
    let draft = Self.draft(try Contract.parse(text, file: "api.yaml"))
    #expect(draft.contains(#"save: { noteTag: { header: ETag, default: null } }"#), "\(draft)")
    #expect(draft.contains(#"headers: { If-Match: "${noteTag}" }"#), "\(draft)")
    #expect(draft.contains("  #       based-on: header.If-Match\n"), "\(draft)")
  }
}
