import MurphyContract
import MurphyModel
import Testing

/// Equal bytes are judged once. Nothing that a judge reports may show it.
@Suite struct KnownBodiesTests {
  private static let paths = """
      /laws:
        get:
          operationId: listLaws
          responses:
            "200": { description: fine, content: { application/json: { schema: { $ref: "#/components/schemas/Law" } } } }
            "404": { description: none, content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
    """
  private static let rest = """
    components:
      schemas:
        Law:
          type: object
          required: [id]
          properties:
            id: { type: integer }
            kind: { enum: [a, b, c] }
            at: { type: string, format: date-time }
            text: { type: string }
        Error: { type: object, required: [error], properties: { error: { type: string } } }
    """

  /// Few different bodies, so that most come again: conforming, violating, malformed and huge numbers.
  private static let bodies: [(status: Int, body: String)] = [
    (200, #"{"id":1,"kind":"a"}"#), (200, #"{"id":2,"kind":"b"}"#), (200, #"{"id":2,"kind":"d"}"#),
    (200, #"{"kind":"a"}"#),
    (200, #"{"id":3,"at":"2026-01-01T00:00:00Z","more":true}"#), (200, #"{"id":"#), (200, ""), (200, "[]"),
    (200, #"{"id":123456789012345678901234567890}"#), (404, #"{"error":"a"}"#), (404, #"{"id":1,"kind":"a"}"#),
    (200, #"{"error":"a"}"#), (200, "{}"), (404, "{}"),
    (200, #"{"id":4,"text":""# + String(repeating: "long ", count: 1_000) + #""}"#),
    (
      200,
      #"{"id":4,"text":""# + String(repeating: "long ", count: 500) + "loNg " + String(repeating: "long ", count: 499)
        + #""}"#
    ),
  ]

  private func reports(
    _ options: JudgeOptions, remembers: Bool, seed: UInt64
  ) throws -> (judgements: [String], coverage: [CoverageItem], traffic: String) {
    let judge = ResponseJudge(contract: try Contracts.load(Self.paths, rest: Self.rest), options: options)
    judge.remembers = remembers
    var random = RandomSource(seed: seed)
    let judgements = (0..<3_000).map { _ in
      let (status, body) = Self.bodies.randomElement(using: &random)!
      return String(
        describing: judge.judge(Answer(status: status, headers: [("Content-Type", "application/json")], body: body)))
    }
    return (judgements, judge.coverage(), String(describing: judge.traffic()))
  }

  @Test(arguments: [JudgeOptions(), JudgeOptions(undocumentedFields: true), JudgeOptions(formatAssertion: false)])
  func `judgements and counts are equal with and without known bodies`(options: JudgeOptions) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let known = try reports(options, remembers: true, seed: seed)
      let all = try reports(options, remembers: false, seed: seed)
      #expect(known.judgements == all.judgements)
      #expect(known.coverage == all.coverage)
      #expect(known.traffic == all.traffic)
    }
  }
}
