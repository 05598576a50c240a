import MurphyContract
import MurphyModel
import Testing

@Suite struct TrafficObservationsTests {
  private static let contract = """
      /health:
        get:
          operationId: healthCheck
          responses:
            "200":
              description: fine
              headers: { RateLimit-Limit: { schema: { type: integer } } }
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      ok: { type: boolean }
                      uptime: { type: number }
                      build: { type: object, properties: { commit: { type: string } } }
                      seen_at: { type: string }
      /laws:
        get:
          operationId: listLaws
          responses:
            "200":
              description: fine
              content:
                application/json:
                  schema:
                    type: object
                    required: [data]
                    properties:
                      data:
                        type: array
                        items: { type: object, required: [id], properties: { id: {}, seen_at: {}, note: {} } }
            "429": { description: refused }
    """

  private func notes(
    _ answers: [(operation: Int, Answer)], judges: Int = 2
  ) throws -> [Finding] {
    let contract = try Contracts.load(Self.contract)
    let loops = (0..<judges).map { _ in ResponseJudge(contract: contract) }
    for (index, answer) in answers.enumerated() { _ = loops[index % judges].judge(answer.1, answer.operation) }
    var notes = TrafficObservations()
    for loop in loops { notes.merge(loop.traffic()) }
    return notes.findings(contract)
  }

  private func healthy(_ body: String = #"{"ok":true}"#, headers: [(String, String)] = []) -> (Int, Answer) {
    (0, Answer(headers: [("Content-Type", "application/json")] + headers, body: body))
  }

  @Test func `documented properties that no response has are named with the responses looked into`() throws {
    let findings = try notes(Array(repeating: healthy(), count: 12)).filter { $0.kind == .contractAbsentProperty }
    let finding = try #require(findings.first)
    #expect(findings.count == 1)
    #expect(finding.operation == "healthCheck")
    #expect(finding.severity == .note)
    #expect(finding.message.contains("/uptime, /build, /seen_at"))
    // The object that would hold it never came, so nothing is said of it.
    #expect(!finding.message.contains("commit"))
    #expect(finding.details.first == "/uptime: in none of 12 responses that contain its object")
  }

  @Test func `a property that a violation names is not absent`() throws {
    let many = Array(repeating: healthy(), count: 200) + [healthy(#"{"ok":true,"uptime":"soon"}"#)]
    let absent = try notes(many, judges: 1).first { $0.kind == .contractAbsentProperty }
    #expect(absent?.message.contains("/build, /seen_at") == true, "\(absent?.message ?? "")")
    #expect(absent?.message.contains("/uptime") == false)
  }

  @Test func `an object without any of its documented properties is an error`() throws {
    func severity(_ body: String) throws -> Finding.Severity? {
      try notes(Array(repeating: healthy(body), count: 12)).first { $0.kind == .contractAbsentProperty }?.severity
    }
    #expect(try severity(#"{"state":"up","since":3}"#) == .error)
    // One of them is there, or nothing is in their place.
    #expect(try severity(#"{"ok":true,"state":"up"}"#) == .note)
    #expect(try severity("{}") == .note)
    // The only documented property of an inner object.
    #expect(try severity(#"{"ok":true,"build":{"hash":"a"}}"#) == .note)
  }

  @Test func `one response with the property ends the note`() throws {
    let all = #"{"ok":true,"uptime":1,"build":{"commit":"a"},"seen_at":"x"}"#
    let answers = Array(repeating: healthy(), count: 12) + [healthy(all)]
    #expect(try notes(answers).filter { $0.kind == .contractAbsentProperty }.isEmpty)
    // Too few responses say nothing.
    #expect(try notes(Array(repeating: healthy(), count: 4)).filter { $0.kind == .contractAbsentProperty }.isEmpty)
  }

  @Test func `rate limit headers that the response does not declare are one warning for all operations`() throws {
    let extra = [("X-RateLimit-Limit", "100"), ("RateLimit-Limit", "100"), ("X-Request-ID", "7")]
    let answers =
      Array(repeating: healthy(headers: extra), count: 4)
      + Array(
        repeating: (1, Answer(status: 429, headers: [("X-RateLimit-Limit", "100"), ("X-RateLimit-Limit", "100")])),
        count: 3)
      + [healthy()]
    let found = try notes(answers).filter { $0.kind == .contractUndeclaredHeader }
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.first?.message
        == "7 responses of 2 operations have X-RateLimit-Limit, which the contract does not declare for them (X-RateLimit-Limit: 100)"
    )
    #expect(found.first?.details == ["healthCheck 200: 4 of 5 responses", "listLaws 429: 3 of 3 responses"])
    let refusal = Answer(status: 429, headers: [("retry-after", "3")])
    #expect(try notes([(1, refusal)]).first { $0.kind == .contractUndeclaredHeader }?.operation == "listLaws")
  }

  @Test func `fields that no schema documents are a note where they are welcome`() throws {
    let found = try notes([
      healthy(#"{"ok":true,"dbQueryTime":3}"#), (1, .json(#"{"data":[{"id":1,"path":"a"},{"id":2,"path":"b"}]}"#)),
    ]).filter { $0.kind == .contractExtraField }
    #expect(
      found.map(\.message) == [
        "1 field of 200 application/json is not documented by any schema: /dbQueryTime",
        "1 field of 200 application/json is not documented by any schema: /data/*/path",
      ])
    #expect(found.map(\.severity) == [.note, .note])
    #expect(found[1].details.first == "/data/*/path: in 1 of 1 inspected responses")
    let contract = try Contracts.load(Self.contract)
    var options = JudgeOptions()
    options.undocumentedFields = true
    let strict = ResponseJudge(contract: contract, options: options)
    _ = strict.judge(healthy(#"{"ok":true,"dbQueryTime":3}"#).1)
    #expect(!strict.traffic().findings(contract).contains { $0.kind == .contractExtraField })
  }

  @Test func `a response of which the schema says nothing is unchecked`() throws {
    let judge = ResponseJudge(contract: try Contracts.load(Self.contract))
    let vacant = "unchecked: the schema of the body requires no property, and documents none of the body's properties"
    #expect(judge.judge(healthy(#"{"status":"up","dbQueryTime":3}"#).1).text == vacant)
    #expect(judge.judge(healthy(#"{"status":"up","ok":true}"#).1).text == "conformant")
    #expect(judge.judge(healthy("{}").1).text == "conformant")
    // The schema of the other operation requires a member.
    #expect(judge.judge(.json(#"{"data":[]}"#), 1).text == "conformant")
    let open = """
        /map:
          get:
            operationId: map
            responses:
              "200":
                description: fine
                content:
                  application/json:
                    schema: { type: object, properties: { a: {} }, additionalProperties: { type: integer } }
      """
    let map = ResponseJudge(contract: try Contracts.load(open))
    #expect(map.judge(.json(#"{"x":1}"#)).text == "conformant")
  }

  @Test func `objects of which nothing is required are one note`() throws {
    let found = try notes([healthy(), (1, .json(#"{"data":[{"id":1}]}"#))])
    let loose = found.filter { $0.kind == .contractRequiresNothing }
    #expect(loose.count == 1)
    #expect(loose.first?.details.first == "healthCheck 200: the body")
  }

  @Test func `one field in two formats is named with both`() throws {
    let sql = healthy(#"{"seen_at":"2026-11-21 10:00:00"}"#)
    let iso = (1, Answer.json(#"{"data":[{"id":1,"seen_at":"2026-11-21T10:00:00.000Z"}]}"#))
    let mixed = try notes([sql, iso]).filter { $0.kind == .contractMixedFormat }
    #expect(mixed.count == 1)
    #expect(
      mixed.first?.message
        == "the field \"seen_at\" contains times in 2 formats: `2026-11-21T10:00:00.000Z` in listLaws, `2026-11-21 10:00:00` in healthCheck"
    )
    let same = (1, Answer.json(#"{"data":[{"id":1700000000,"seen_at":"2026-11-21T10:00:00+01:00"}]}"#))
    #expect(try notes([iso, same]).filter { $0.kind == .contractMixedFormat }.isEmpty)
    // The API has stored the value of a generated request.
    let own = (1, Answer.json(#"{"data":[{"id":1,"seen_at":"2026-01-31T12:00:00Z"}]}"#))
    #expect(try notes([sql, own]).filter { $0.kind == .contractMixedFormat }.isEmpty)
  }
}
