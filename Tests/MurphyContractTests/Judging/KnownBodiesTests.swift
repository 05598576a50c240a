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
            "200":
              description: fine
              content: { application/json: { schema: { $ref: "#/components/schemas/Law" } } }
            "404":
              description: none
              content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } }
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
    // Sets have no order.
    let traffic = String(describing: judge.traffic()).split { !$0.isLetter && !$0.isNumber }
    return (judgements, judge.coverage(), traffic.sorted().joined(separator: ","))
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

  private static let targets = [
    "/things", "/things?limit=2", "/things?limit=2&offset=2", "/things?kind=a", "/things?sort=name",
    "/things?sort=rank&order=desc",
    "/things/1", "/things/2", "/things/2?x=1",
  ]
  private static let things: [String] = [
    #"{"rows":[{"id":1,"rank":1,"name":"a","kind":"a"},{"id":2,"rank":2,"name":"b","kind":"a"}],"meta":{"total":4}}"#,
    #"{"rows":[{"id":1,"rank":1,"name":"a","kind":"a"},{"id":2,"rank":2,"name":"c","kind":"b"}],"meta":{"total":4}}"#,
    #"{"rows":[{"id":3,"rank":2,"name":"B"},{"id":4,"rank":1,"name":"a"}],"meta":{"total":4,"offset":2,"per_page":2}}"#,
    #"{"rows":[],"meta":{"total":0,"last_page":1}}"#, #"{"meta":{"total":0}}"#, #"{"rows":[{"rank":1}]}"#, "{}",
    #"{"id":1}"#, #"{"id":2}"#, #"{"id":"2"}"#,
  ]

  private func relations(remembers: Bool, seed: UInt64) throws -> (read: [String], log: String) {
    let contract = try RelationReaderTests.contract.get()
    let judge = ResponseJudge(contract: contract)
    judge.remembers = remembers
    let reader = RelationReader(ContractRelations(contract))
    judge.relations = reader
    var random = RandomSource(seed: seed)
    let read = (0..<4_000).map { number in
      let target = Self.targets.randomElement(using: &random)!
      let body = Self.things.randomElement(using: &random)!
      let operation = contract.index(of: target.hasPrefix("/things/") ? "getThing" : "listThings")!
      let judgement = judge.judge(Answer(body: body, target: target), operation)
      if reader.subject == .item { reader.recordItem(sent: Int64(number), answered: Int64(number + 2)) }
      let page = reader.subject == .page ? String(describing: (reader.page, reader.ids)) : ""
      let item = reader.subject == .item ? "\(reader.requested) \(reader.got)" : ""
      let doubts =
        reader.subject == .none ? [] : reader.doubts.map { "\($0.rule) \($0.ground) \($0.message) \($0.first)" }
      return "\(number) \(target) \(judgement) \(reader.subject) \(page) \(item) \(doubts)"
    }
    var log = RelationLog()
    reader.fill(&log)
    let trials = log.trials.map { "\($0.key) \($0.value)" }.sorted()
    return (read, "\(trials) \(log.rows) \(log.right.mapValues { $0.sorted() }) \(log.inverted)")
  }

  @Test func `relations read the same with and without known bodies`() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let known = try relations(remembers: true, seed: seed)
      let all = try relations(remembers: false, seed: seed)
      for (one, other) in zip(known.read, all.read) { #expect(one == other) }
      #expect(known.log == all.log)
      #expect(known.log.contains("pageSize"))
    }
  }
}
