import MurphyContract
import MurphyModel
import MurphySchema
import Testing

@Suite struct ContractTests {
  @Test func `the reference contract loads without a warning`() throws {
    let contract = try Contract.load(Repository.referenceContract)
    #expect(contract.warnings.map(\.text) == [])
    #expect(contract.operations.count >= 8)
    #expect(contract.index(of: "listLaws") != nil)
    let vote = try #require(contract.summaries.first { $0.id == "voteLaw" })
    #expect(vote.method == "POST")
    #expect(vote.requiresBody)
    #expect(vote.statuses.contains("429"))
    #expect(vote.parameters.contains { $0.name == "X-Device-ID" && $0.location == .header })
    let index = try #require(contract.index(of: "voteLaw"))
    let limit = try #require(contract.operations[index].documentedLimits.first)
    #expect(limit.allow == 30)
    #expect(limit.per == .seconds(60))
    #expect(limit.key == .header("X-Device-ID"))
    #expect(limit.origin == .operation)
  }

  @Test func `an operation without id has a stable name and a warning`() throws {
    let contract = try Contracts.load(
      """
        /laws/{id}:
          get:
            parameters: [{ name: id, in: path, required: true, schema: {} }]
            responses: { "200": { description: fine } }
      """)
    #expect(contract.operations.map(\.id) == ["GET /laws/{id}"])
    #expect(contract.index(of: "GET /laws/{id}") == 0)
    #expect(contract.warnings.first?.message.contains("GET /laws/{id}") == true)
    #expect(contract.warnings.first?.mark.line == 5)
  }

  @Test func `requests are written by the contract`() throws {
    let contract = try Contracts.load(
      """
        /laws/{id}/{rest}:
          parameters:
            - { name: id, in: path, required: true, schema: { type: integer } }
            - { name: rest, in: path, required: true, style: matrix, explode: true, schema: { type: array } }
          post:
            operationId: act
            parameters:
              - { name: ids, in: query, explode: false, schema: { type: array } }
              - { name: filter, in: query, content: { application/json: { schema: {} } } }
              - { name: X-Tags, in: header, schema: { type: array } }
              - { name: sid, in: cookie, schema: { type: string } }
            requestBody: { content: { application/json: { schema: {} } } }
            responses: { "200": { description: fine } }
      """)
    let target = try contract.request(
      operation: 0, path: ["id": 7, "rest": ["a", "b c"]],
      query: [("ids", [1, 2]), ("filter", ["a": 1]), ("other", "x y"), ("none", .null)],
      headers: [("x-tags", ["a", "b"]), ("X-Plain", "ü")], cookies: [("sid", "1 2"), ("t", true)])
    #expect(target.method == "POST")
    #expect(target.pathAndQuery == "/laws/7/;rest=a;rest=b%20c?ids=1,2&filter=%7B%22a%22%3A1%7D&other=x%20y")
    #expect(
      target.headers == [
        HeaderField("x-tags", "a,b"), HeaderField("X-Plain", "ü"), HeaderField("Cookie", "sid=1%202; t=true"),
      ])
    let body = try contract.body(operation: 0, ["a": [1, 2.50]])
    #expect(String(decoding: body.bytes, as: UTF8.self) == "{\"a\":[1,2.5]}")
    #expect(body.contentType == "application/json")
    #expect(throws: RequestError.self) { try contract.request(operation: 0, path: ["id": 7]) }
    #expect(throws: RequestError.self) { try contract.request(operation: 0, path: ["id": "", "rest": "a"]) }
    #expect(throws: RequestError.self) {
      try contract.request(operation: 0, path: ["id": 7, "rest": "a"], headers: [("X", "a\r\nEvil: 1")])
    }
  }

  @Test func `the fields of a form are written by their encoding`() throws {
    let contract = try Contracts.load(
      """
        /a:
          post:
            operationId: a
            requestBody:
              content:
                application/x-www-form-urlencoded:
                  schema: { type: object }
                  encoding:
                    piped: { style: pipeDelimited, explode: false }
                    comma: { explode: false }
                    deep: { style: deepObject }
                    json: { contentType: application/json }
            responses: { "200": { description: ok } }
      """)
    func body(_ value: JSONValue) throws -> String {
      String(decoding: try contract.body(operation: 0, value).bytes, as: UTF8.self)
    }
    #expect(try body(["plain": [1, 2]]) == "plain=1&plain=2")
    #expect(try body(["piped": [1, 2]]) == "piped=1%7C2")
    #expect(try body(["comma": [1, 2]]) == "comma=1,2")
    #expect(try body(["deep": ["a": 1]]) == "deep%5Ba%5D=1")
    #expect(try body(["json": [1, 2]]) == "json=%5B1%2C2%5D")
    #expect(try body(["other": ["a": 1]]) == "other=%7B%22a%22%3A1%7D")
  }

  @Test func `an empty security overrides that of the document`() throws {
    let contract = try Contracts.load(
      """
        /a: { get: { operationId: a, security: [] } }
        /b: { get: { operationId: b } }
        /c: { get: { operationId: c, security: [{}] } }
      """, rest: "security: [{ k: [] }]\ncomponents: { securitySchemes: { k: { type: http, scheme: basic } } }")
    #expect(contract.operations.map { $0.security.map(\.schemes) } == [[], [["k"]], [[]]])
  }

  @Test(arguments: ["3.0.3", "2.0"]) func `a list under items has a schema for each position`(_ version: String) throws
  {
    let schema = "{ type: array, items: [{ type: string }, { type: integer }], additionalItems: false }"
    let text =
      version == "2.0"
      ? """
      swagger: "2.0"
      info: { title: T, version: "1" }
      paths: { /a: { get: { operationId: a, responses: { 200: { description: x, schema: \(schema) } } } } }
      """
      : Contracts.document(
        """
          /a:
            get:
              operationId: a
              responses: { "200": { description: x, content: { application/json: { schema: \(schema) } } } }
        """, version: version)
    let judge = ResponseJudge(contract: try Contract.parse(text, file: "/t.yaml"))
    #expect(judge.judge(.json("[\"a\",1]")).text == "conformant")
    for wrong in ["[1]", "[\"a\",\"b\"]", "[\"a\",1,2]"] {
      #expect(judge.judge(.json(wrong)).violations.count == 1, "\(wrong)")
    }
    let found = Contract.check("/t.yaml", reader: FileReader { _ in Array(text.utf8) }).map(\.message)
    let name = version == "2.0" ? "Swagger 2.0" : "OpenAPI 3.0"
    #expect(
      found == [
        "\"items\" must be one schema in \(name); murphy reads the list as one schema for each position"
      ])
  }

  @Test func `servers fill in their variables`() throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: {} } }",
      rest: """
        servers:
          - url: https://{region}.example.org/{base}
            variables: { region: { default: eu, enum: [eu, us] }, base: { default: v1 } }
        """)
    #expect(contract.servers.map { $0.url() } == ["https://eu.example.org/v1"])
    #expect(contract.servers[0].url(["region": "us"]) == "https://us.example.org/v1")
  }

  @Test func `credentials come from the environment and are secret`() throws {
    let contract = try Contracts.load(
      """
        /a: { get: { operationId: a, responses: {} } }
        /b: { get: { operationId: b, security: [{ api-key: [] }, { basic: [], crumb: [] }], responses: {} } }
        /c: { get: { operationId: c, security: [], responses: {} } }
      """,
      rest: """
        security: [{ bearerAuth: [] }]
        components:
          securitySchemes:
            bearerAuth: { type: http, scheme: bearer }
            api-key: { type: apiKey, in: query, name: key }
            basic: { type: http, scheme: Basic }
            crumb: { type: apiKey, in: cookie, name: crumb }
        """)
    let bearer = contract.credentials(operation: 0, environment: ["MURPHY_AUTH_BEARERAUTH": "token1"])
    #expect(bearer.headers == [HeaderField("Authorization", "Bearer token1")])
    #expect(bearer.secrets == ["token1"])
    #expect(contract.credentials(operation: 0, environment: [:]).missing == ["MURPHY_AUTH_BEARERAUTH"])
    let other = contract.credentials(operation: 0, environment: ["T": "token2"], variables: ["bearerAuth": "T"])
    #expect(other.headers == [HeaderField("Authorization", "Bearer token2")])
    let both = contract.credentials(
      operation: 1, environment: ["MURPHY_AUTH_BASIC": "user:pass", "MURPHY_AUTH_CRUMB": "c"])
    #expect(both.headers == [HeaderField("Authorization", "Basic dXNlcjpwYXNz")])
    #expect(both.cookies.map(\.name) == ["crumb"])
    #expect(both.cookies.map(\.value) == ["c"])
    #expect(both.secrets.contains("dXNlcjpwYXNz"))
    #expect(contract.credentials(operation: 2, environment: [:]) == Credentials())
  }

  /// OpenAPI ignores such a parameter, and FastAPI writes it.
  @Test func `a header authorization is a credential`() throws {
    let header = "{ name: authorization, in: header, schema: { type: string } }"
    let contract = try Contracts.load(
      """
        /a: { get: { operationId: a, parameters: [\(header)], responses: {} } }
        /b:
          parameters: [{ name: Authorization, in: header, required: true, schema: { type: string } }]
          get: { operationId: b, responses: {} }
        /c: { get: { operationId: c, responses: {} } }
        /d: { get: { operationId: d, security: [], parameters: [\(header)], responses: {} } }
        /e: { get: { operationId: e, security: [{ key: [] }], parameters: [\(header)], responses: {} } }
      """,
      rest: "components: { securitySchemes: { key: { type: apiKey, in: query, name: key } } }")
    let set = ["MURPHY_AUTH_AUTHORIZATION": "Bearer abcdef", "MURPHY_AUTH_KEY": "k"]
    let sent = (0..<5).map { contract.credentials(operation: $0, environment: set) }
    let field = [HeaderField("Authorization", "Bearer abcdef")]
    #expect(sent.map(\.headers) == [field, field, [], [], []])
    #expect(sent[0].secrets.contains("abcdef") && sent[4].query.map(\.value) == ["k"])
    #expect(contract.credentials(operation: 0, environment: [:]).missing == [])
    #expect(contract.credentials(operation: 1, environment: [:]).missing == ["MURPHY_AUTH_AUTHORIZATION"])
    #expect(contract.credentialVariables == ["MURPHY_AUTH_AUTHORIZATION", "MURPHY_AUTH_KEY"])
  }

  @Test(arguments: [
    "x-ratelimit: { limit: 100, window: 1h }", "x-rate-limit: { requests: 100, period: 3600 }",
    "x-ratelimit-limit: 100, x-ratelimit-window: 1h", "X-RateLimit: { max: '100', interval: hour }",
    "x-ratelimit: { x-ratelimit-limit: 100, x-ratelimit-window: 1 hour }",
  ]) func `x-ratelimit is understood in the spellings of other documents`(text: String) throws {
    let contract = try Contracts.load("  /a: { get: { operationId: a, responses: {}, \(text) } }")
    #expect(contract.warnings == [])
    #expect(contract.operations[0].documentedLimits.map(\.allow) == [100])
    #expect(contract.operations[0].documentedLimits.map(\.per) == [.seconds(3600)])
    let outer = try Contracts.load(
      "  /a: { get: { operationId: a, responses: {} } }",
      rest: text.contains("{") ? text : text.replacing(", x-", with: "\nx-"))
    #expect(outer.operations[0].documentedLimits.map(\.allow) == [100])
  }

  @Test(arguments: [
    "x-ratelimit: { limit: many, window: 1h }", "x-ratelimit: { limit: 100 }", "x-ratelimit: 100/h",
    "x-ratelimit-limit: 100", "x-ratelimit: { limit: 100, window: 1h, colour: red }",
  ]) func `a limit that cannot be read is warned about, never dropped in silence`(text: String) throws {
    let contract = try Contracts.load("  /a: { get: { operationId: a, responses: {}, \(text) } }")
    #expect(contract.warnings.count == 1)
  }

  @Test func `limits come from the nearest extension`() throws {
    let contract = try Contracts.load(
      """
        /a:
          x-ratelimit: { allow: 10, per: 1m }
          get: { operationId: a, responses: {}, x-ratelimit: [{ allow: 5, per: 1s, key: ip }, { allow: 100, per: 1h }] }
          put: { operationId: b, responses: {} }
        /c:
          get: { operationId: c, responses: { "429": { description: slow down, headers: { Retry-After: {} } } } }
      """)
    #expect(contract.operations[0].documentedLimits.map(\.allow) == [5, 100])
    #expect(contract.operations[0].documentedLimits.map(\.per) == [.seconds(1), .seconds(3600)])
    #expect(contract.operations[1].documentedLimits.map(\.origin) == [.path])
    #expect(contract.operations[2].documentedLimits.map(\.origin) == [.response])
    #expect(contract.operations[2].documentedLimits.map(\.headers) == [["Retry-After"]])
  }

  @Test func `all mistakes are reported at once`() throws {
    let contract = try Contracts.load(
      """
        /a:
          get:
            operationId: a
            parameters: [{ name: x, in: qury, schema: {} }, { in: query, schema: {} }]
            responses: { "2000": { description: no }, "200": { description: ok, content: { json: {} } } }
      """)
    #expect(contract.mistakes(of: [0]).map(\.mark.line) == [7, 7, 8, 8])
  }

  @Test func `other versions are rejected with a sentence`() {
    for text in ["swagger: '1.2'", "openapi: 4.0.0", "a: 1", "[]", "x"] {
      let error = #expect(throws: ContractError.self) { try Contract.parse(text, file: "/t.yaml") }
      #expect(error?.diagnostics.count == 1)
    }
  }
}
