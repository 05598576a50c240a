import MurphyContract
import MurphyModel
import Testing

@Suite struct ResponseJudgeTests {
  private static let paths = """
      /laws:
        get:
          operationId: listLaws
          responses:
            "200":
              description: fine
              headers:
                X-Limit: { required: true, schema: { type: integer, minimum: 1 } }
                X-Tags: { schema: { type: array, items: { type: integer }, maxItems: 3 } }
                X-Flag: { schema: { type: boolean } }
                X-Point: { explode: true, schema: { type: object, properties: { x: { type: integer } }, required: [x] } }
                Content-Type: { required: true, schema: { type: integer } }
              content:
                application/json:
                  schema: { $ref: "#/components/schemas/Law" }
            "202": { description: no body }
            "206": { description: text, content: { text/plain: { schema: { type: string, maxLength: 3 } } } }
            "207": { description: xml, content: { application/xml: { schema: { type: object } }, application/pdf: {}, application/jsonl: { itemSchema: {} } } }
            4XX: { description: mistakes, content: { "application/*": { schema: { type: object, required: [error] } } } }
            default: { description: else, content: { application/problem+json: { schema: { type: object } } } }
        head:
          operationId: headLaws
          responses: { "200": { description: fine, content: { application/json: { schema: { type: object } } } } }
    """
  private static let rest = """
    components:
      schemas:
        Law:
          type: object
          required: [id, title, secret]
          properties:
            id: { type: integer }
            title: { type: string }
            secret: { type: string, writeOnly: true }
    """
  private let judge: ResponseJudge
  private let limit = ("x-limit", "5")

  init() throws {
    judge = ResponseJudge(contract: try Contracts.load(Self.paths, rest: Self.rest))
  }

  private func answer(_ body: String, _ headers: (String, String)..., status: Int = 200) -> Answer {
    Answer(status: status, headers: [("content-type", "application/json; charset=utf-8")] + headers, body: body)
  }

  @Test func `a conformant response is conformant`() {
    #expect(judge.judge(answer(#"{"id":1,"title":"x"}"#, limit)).text == "conformant")
  }

  @Test func `a body that breaks its schema says where and what with the line`() throws {
    let violation = try #require(judge.judge(answer(#"{"id":"1","title":"x"}"#, limit)).violations.first)
    #expect(violation.kind == .contractBody)
    #expect(violation.message.hasPrefix("/id: "))
    #expect(violation.instancePointer == "/id")
    #expect(violation.schemaPointer == "#/components/schemas/Law/properties/id/type")
    #expect(violation.source == SourceMark(file: "/test/openapi.yaml", line: 33, column: 15))
  }

  /// The claim holds no value, so equal violations with other values are one finding that tells them all.
  @Test func `a violation says apart what is expected and what was found`() throws {
    let violation = try #require(judge.judge(answer(#"{"id":"1","title":"x"}"#, limit)).violations.first)
    #expect(violation.claim == "/id: expected an integer")
    #expect(violation.found == ["\"1\""])
    let missing = try #require(judge.judge(answer(#"{"id":1}"#, limit)).violations.first)
    #expect(missing.claim == #"the body: expected the required property "title""#)
    #expect(missing.found == ["no \"title\""])
    let header = try #require(judge.judge(answer(#"{"id":1,"title":"x"}"#, ("x-limit", "many"))).violations.first)
    #expect(header.message == "the header X-Limit is \"many\"; expected an integer")
    #expect(header.claim == "the header X-Limit: expected an integer")
    #expect(header.found == ["\"many\""])
  }

  @Test func `a write only property must not come though it is required`() throws {
    let violation = try #require(judge.judge(answer(#"{"id":1,"title":"x","secret":"s"}"#, limit)).violations.first)
    #expect(violation.instancePointer == "/secret")
  }

  @Test func `the discriminator does not depend on the response`() throws {
    let first = judge.judge(answer(#"{"id":"1","title":"x"}"#, limit)).violations
    let second = judge.judge(answer(#"{"id":"long","title":"y"}"#, limit)).violations
    #expect(first.map(\.discriminator) == second.map(\.discriminator))
    #expect(first != second)
  }

  @Test func `headers are judged against their schemas`() {
    let body = #"{"id":1,"title":"x"}"#
    #expect(
      judge.judge(answer(body)).text == "contract.header: the header X-Limit is missing; the contract requires it")
    for wrong in ["0", "x", "1.5", ""] {
      let violations = judge.judge(answer(body, ("X-LIMIT", wrong))).violations
      #expect(violations.map(\.kind) == [.contractHeader], "\(wrong)")
    }
    let fine = [("X-Tags", "1, 2,3"), ("X-Tags", ""), ("X-Flag", "true"), ("X-Point", "x=4,y=5")]
    for header in fine { #expect(judge.judge(answer(body, limit, header)).text == "conformant", "\(header)") }
    let wrong = [("X-Tags", "1,a"), ("X-Flag", "yes"), ("X-Point", "x=b"), ("X-Point", "y=1")]
    for header in wrong { #expect(judge.judge(answer(body, limit, header)).violations.count == 1, "\(header)") }
  }

  @Test func `several lines of a header are one value`() {
    let body = #"{"id":1,"title":"x"}"#
    #expect(judge.judge(answer(body, limit, limit)).violations.map(\.kind) == [.contractHeader])
    #expect(judge.judge(answer(body, limit, ("X-Flag", "true"), ("X-Flag", "true"))).violations.count == 1)
    #expect(judge.judge(answer(body, limit, ("X-Tags", "1"), ("X-Tags", "2"))).text == "conformant")
    #expect(judge.judge(answer(body, limit, ("X-Point", "x=4"), ("X-Point", "y=5"))).text == "conformant")
  }

  @Test func `the rule of a violation is the same wherever the line of the contract is broken`() throws {
    let schema = "{ $ref: '#/components/schemas/Note' }"
    func operation(_ path: String, _ schema: String) -> String {
      "  /\(path): { get: { operationId: \(path), responses: { \"200\": { description: a, content: { application/json: { schema: "
        + "\(schema) } } }, \"201\": { description: b } } } }\n"
    }
    let contract = try Contracts.load(
      operation("one", schema) + operation("many", "{ type: array, items: \(schema) }"),
      rest: "components: { schemas: { Note: { type: object, properties: { id: { type: integer } } } } }")
    func rules(_ operation: Int, _ body: String, status: Int = 200) -> [String] {
      ResponseJudge(contract: contract).judge(Answer.json(body, status: status), operation).violations.map(\.rule)
    }
    let one = rules(0, #"{"id":"a"}"#)
    #expect(one.count == 1 && one[0].contains("/components/schemas/Note/properties/id"), "\(one)")
    #expect(rules(1, #"[{"id":1},{"id":"longer"}]"#) == one)
    #expect(rules(0, "{}", status: 201) == rules(1, #"{"a":1}"#, status: 201))
    #expect(rules(0, "{}", status: 503) == ["status 503 is not documented"])
  }

  @Test func `null has one rule at all places whose schemas do not allow it`() throws {
    let contract = try Contracts.load(
      """
        /one: { get: { operationId: one, responses: { "200": { description: a, content: { application/json: { schema:
          { properties: { a: { type: string }, b: { enum: [1] }, c: { type: [string, "null"] } } } } } } } } }
      """)
    let answer = Answer.json(#"{"a":null,"b":null,"c":null}"#)
    let violations = ResponseJudge(contract: contract).judge(answer, 0).violations
    #expect(violations.map(\.rule) == Array(repeating: "null where the schema does not allow it", count: 2))
  }

  @Test func `values of one form that break a format have one rule in all schemas`() throws {
    let contract = try Contracts.load(
      """
        /one: { get: { operationId: one, responses: { "200": { description: a, content: { application/json: { schema:
          { properties: { a: { type: string, format: date-time }, b: { type: string, format: date-time } } } } } } } } }
      """)
    let answer = Answer.json(#"{"a":"2026-11-28T11:30:58.467557","b":"2025-01-02T03:04:05.6"}"#)
    let rules = ResponseJudge(contract: contract).judge(answer, 0).violations.map(\.rule)
    #expect(rules.count == 2 && Set(rules).count == 1, "\(rules)")
    #expect(rules.first?.contains("0000-00-00T00:00:00.0") == true, "\(rules)")
  }

  @Test func `a list header is collected over its lines`() {
    let body = #"{"id":1,"title":"x"}"#
    #expect(judge.judge(answer(body, limit, ("X-Tags", "1"), ("X-Tags", "2, 3"))).text == "conformant")
    #expect(judge.judge(answer(body, limit, ("X-Tags", "1,2"), ("X-Tags", "3,4"))).violations.count == 1)
  }

  @Test func `undocumented statuses and types are violations`() {
    var html = answer("<html>", limit)
    html.headers[0].1 = "text/html"
    #expect(judge.judge(html).violations.map(\.kind) == [.contractContentType])
    #expect(judge.judge(html).text.contains("documented: application/json"))
    html.headers.removeFirst()
    #expect(judge.judge(html).violations.map(\.kind) == [.contractContentType])
    #expect(
      judge.judge(Answer(status: 202, headers: [], body: "x")).violations.map(\.kind) == [.contractContentType])
    #expect(judge.judge(Answer(status: 202, headers: [])).text == "conformant")
    #expect(
      judge.judge(Answer(status: 404), 1).text == "contract.status: status 404 is not documented; documented: 200")
  }

  @Test func `ranges and default response for statuses that are not listed`() {
    #expect(judge.judge(.json(#"{"error":1}"#, status: 418)).text == "conformant")
    #expect(judge.judge(.json("{}", status: 418)).violations.map(\.kind) == [.contractBody])
    let problem = Answer(status: 503, headers: [("Content-Type", "application/problem+json")], body: "[]")
    #expect(judge.judge(problem).violations.map(\.kind) == [.contractBody])
  }

  @Test func `what cannot be checked is never passed`() {
    var xml = Answer(status: 207, headers: [("Content-Type", "application/xml")], body: "<a>b</a>")
    #expect(judge.judge(xml).text == "unchecked: well-formed XML; text next to elements cannot be mapped")
    xml.headers = [("Content-Type", "application/pdf")]
    #expect(judge.judge(xml).violations.map(\.kind) == [.contractBody])
    xml.body = "%PDF-1.4"
    #expect(judge.judge(xml).text == "conformant")
    xml.headers = [("Content-Type", "application/jsonl")]
    #expect(judge.judge(xml).text.hasPrefix("unchecked: application/jsonl is a sequence"))
    var cut = answer(#"{"id":1"#, limit)
    cut.isIncomplete = true
    #expect(judge.judge(cut).text == "unchecked: the body was cut off at the size limit")
  }

  /// `opaque` would count as a check that passed.
  @Test(arguments: ["{ pattern: '(' }", "{ $ref: '#/none' }", "{ pattern: '(a|aa)+$' }"])
  func `a header whose schema decides nothing leaves its response unchecked`(_ schema: String) throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '204': { description: a, headers: { X-Mark: { schema: \(schema) } } } } } }"
    )
    let judge = ResponseJudge(contract: contract)
    let marked = Answer(status: 204, headers: [("X-Mark", String(repeating: "a", count: 5_000) + "b")])
    guard case .unchecked(let reason) = judge.judge(marked) else {
      Issue.record("\(judge.judge(marked))")
      return
    }
    #expect(reason.contains("header X-Mark"), "\(reason)")
    #expect(judge.judge(Answer(status: 204, headers: [])).text == "conformant")
  }

  @Test func `an XML body whose schema decides nothing leaves its response unchecked`() throws {
    let schema = "{ type: object, properties: { a: { type: string, pattern: '(' } } }"
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { application/xml: { schema: \(schema) } } } } } }"
    )
    let judgement = ResponseJudge(contract: contract).judge(
      Answer(headers: [("Content-Type", "application/xml")], body: "<r><a>x</a></r>"))
    guard case .unchecked = judgement else {
      Issue.record("\(judgement)")
      return
    }
  }

  @Test func `plain text is judged against a string schema`() {
    var text = Answer(status: 206, headers: [("Content-Type", "text/plain")], body: "a\"b")
    #expect(judge.judge(text).text == "conformant")
    text.body = "four"
    #expect(judge.judge(text).violations.map(\.kind) == [.contractBody])
  }

  @Test func `responses without content by protocol have no body to check`() {
    #expect(judge.judge(Answer(headers: []), 1).text == "conformant")
    #expect(judge.judge(Answer(status: 304, headers: [])).text == "conformant")
    #expect(judge.judge(Answer(status: 204, headers: [])).text == "conformant")
  }

  @Test(arguments: ["", "{", "<html>", "{\"id\":1,}", "\u{FEFF}{}", "nul"]) func `bodies that are not JSON`(
    _ body: String
  ) {
    #expect(judge.judge(answer(body, limit)).violations.map(\.kind) == [.contractBody])
  }

  @Test func `the number of violations is bounded`() throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { application/json: { schema: "
        + "{ items: { type: integer }, additionalProperties: { type: integer } } } } } } } }")
    let judge = ResponseJudge(contract: contract)
    let list = "[" + (0..<3000).map { _ in "\"x\"" }.joined(separator: ",") + "]"
    #expect(judge.judge(.json(list)).violations.map(\.places) == [30], "equal ones are one, with bounded places")
    let object = "{" + (0..<100).map { "\"k\($0)\":\"x\"" }.joined(separator: ",") + "}"
    #expect(judge.judge(.json(object)).violations.count == 32)
  }

  @Test func `numbers beyond the tape are judged exactly`() {
    #expect(judge.judge(answer(#"{"id":123456789012345678901234567890,"title":"x"}"#, limit)).text == "conformant")
    #expect(judge.judge(answer(#"{"id":123456789012345678901234567890.5,"title":"x"}"#, limit)).violations.count == 1)
  }

  @Test func `a deep body ends in a judgement`() {
    let deep = String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)
    if case .conformant = judge.judge(answer(deep, limit)) { Issue.record("a body that was not read passed") }
  }

  /// What the client has read of a stream is not all of it, so nothing that its schema says can be checked.
  @Test(arguments: ["text/event-stream", "text/*", "'*/*'"])
  func `a stream of events is unchecked whatever the contract calls its type`(_ type: String) throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '200': { description: a, content: { \(type): { schema: "
        + "{ type: string, maxLength: 3 } } } } } } }")
    let judge = ResponseJudge(contract: contract)
    let stream = Answer(headers: [("Content-Type", "Text/Event-Stream; charset=utf-8")], body: "data: 1\n\n")
    #expect(
      judge.judge(stream).text == "unchecked: a stream of events: murphy counts the events, but does not check them")
  }

  @Test func `a switch of protocols is unchecked`() throws {
    let contract = try Contracts.load(
      "  /a: { get: { operationId: a, responses: { '101': { description: switched } } } }")
    let text = ResponseJudge(contract: contract).judge(Answer(status: 101, headers: [("Upgrade", "websocket")])).text
    #expect(text == "unchecked: the connection switched protocols (101); murphy does not follow it")
  }
}
