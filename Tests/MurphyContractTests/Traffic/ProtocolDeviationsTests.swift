import MurphyContract
import MurphyModel
import Testing

/// What responses show of HTTP itself, whatever the contract says.
@Suite struct ProtocolDeviationsTests {
  private static let contract = """
      /laws:
        get:
          operationId: listLaws
          responses:
            "200": { description: fine, content: { application/json: { schema: { type: object } } } }
            "404": { description: none, content: { application/json: { schema: { type: object } } } }
        post:
          operationId: submitLaw
          responses:
            "204": { description: done }
            "422": { description: refused, content: { application/json: { schema: { type: object } } } }
    """

  private static let date = ("Date", "Sat, 21 Nov 2026 10:00:00 GMT")

  private func notes(_ answers: [(operation: Int, Answer)]) throws -> [Finding] {
    let contract = try Contracts.load(Self.contract)
    let loops = (0..<2).map { _ in ResponseJudge(contract: contract) }
    for answer in answers { for loop in loops { _ = loop.judge(answer.1, answer.operation) } }
    var notes = TrafficObservations()
    for loop in loops { notes.merge(loop.traffic()) }
    return notes.findings(contract)
  }

  private func kinds(_ answers: [(operation: Int, Answer)]) throws -> [FindingKind] {
    try notes(answers).map(\.kind).filter { $0.family == .transport }
  }

  private func json(
    _ headers: [(String, String)] = [], body: String = "{}", status: Int = 200, target: String = ""
  ) -> Answer {
    Answer(
      status: status, headers: [Self.date, ("Content-Type", "application/json")] + headers, body: body, target: target)
  }

  @Test func `responses that keep the rules have no finding`() throws {
    #expect(
      try kinds([
        (0, json([("ETag", "\"a\""), ("Access-Control-Allow-Origin", "*")], target: "/laws")),
        (0, Answer(status: 405, headers: [Self.date, ("Allow", "GET")])),
        (0, Answer(status: 401, headers: [Self.date, ("WWW-Authenticate", "Bearer")])),
        (0, json([("Content-Encoding", "gzip"), ("Vary", "Origin, Accept-Encoding")])),
        (0, json([("Content-Encoding", "gzip"), ("Cache-Control", "private, max-age=3")])),
        (1, Answer(status: 204, headers: [Self.date])), (0, Answer(status: 503, headers: [])),
        (
          0,
          json([("Access-Control-Allow-Origin", "https://a"), ("Access-Control-Allow-Credentials", "true")])
        ),
      ]) == [])
  }

  @Test(arguments: [
    ("missing-allow", Answer(status: 405, headers: [date])),
    ("missing-challenge", Answer(status: 401, headers: [date])),
    ("missing-date", Answer(headers: [("Content-Type", "application/json")], body: "{}")),
    ("length-of-nothing", Answer(status: 204, headers: [date, ("content-length", "2")])),
    (
      "open-credentials",
      Answer(headers: [date, ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Credentials", "TRUE")])
    ),
    ("unvaried-coding", Answer(headers: [date, ("Content-Encoding", "gzip"), ("Vary", "Origin")])),
  ])
  func `each rule has its finding`(_ name: String, _ answer: Answer) throws {
    let found = try notes([(0, answer), (0, json())]).filter { $0.kind.family == .transport }
    #expect(found.map(\.kind.name) == [name])
    #expect(found[0].operation == "listLaws")
    #expect(found[0].message.hasPrefix("2 responses "), "\(found[0].message)")
    #expect(found[0].severity != .error)
    #expect(found[0].details[0].contains("2 of 4 responses"), "\(found[0].details)")
  }

  @Test func `one strong tag for two contents is found, a weak one is not`() throws {
    func pair(_ tag: String) -> [(operation: Int, Answer)] {
      ["{}", "{\"a\":1}"].map { (0, json([("ETag", tag)], body: $0, target: "/laws?limit=1")) }
    }
    #expect(try kinds(pair("\"v1\"")) == [.transportSharedETag])
    #expect(try kinds(pair("W/\"v1\"")) == [])
    // Of two resources nothing follows.
    let two = ["/laws?limit=1", "/laws?limit=2"].map { target in
      (0, json([("ETag", "\"v1\"")], body: "{\"t\":\"\(target)\"}", target: target))
    }
    #expect(try kinds(two) == [])
  }

  @Test func `another tag for the same content is a note`() throws {
    let answers = ["W/\"1\"", "W/\"2\""].map { (0, json([("ETag", $0)], target: "/laws")) }
    let found = try notes(answers).filter { $0.kind == .transportRestlessETag }
    #expect(found.map(\.severity) == [.note])
    #expect(found.first?.details.first?.contains("/laws with ETag W/\"2\"") == true, "\(found.map(\.details))")
  }

  @Test func `errors without a common member are one note with all forms`() throws {
    let found = try notes([
      (0, json(body: #"{"error":"no","code":1}"#, status: 404)), (1, json(body: #"{"errors":[]}"#, status: 422)),
      (0, json(body: #"{"error":"busy"}"#, status: 503)),
      (1, Answer(status: 500, headers: [Self.date, ("Content-Type", "text/html")], body: "<!DOCTYPE html><p>")),
    ]).filter { $0.kind == .contractErrorShapes }
    #expect(found.map(\.severity) == [.note])
    #expect(
      found.first?.message
        == "error responses have 3 forms without a common field: an HTML or XML document (submitLaw 500); an object with code, error (listLaws 404 and 1 more); an object with errors (submitLaw 422)"
    )
    let examples = ["submitLaw 500: `<!DOCTYPE html><p>`", #"listLaws 404: `{"error":"no","code":1}`"#]
    #expect(found.first?.details.prefix(2).map(\.self) == examples, "\(found.map(\.details))")
    let alike = try notes([
      (0, json(body: #"{"error":"no"}"#, status: 404)), (1, json(body: #"{"error":"x","retryAfter":3}"#, status: 422)),
    ])
    #expect(!alike.contains { $0.kind == .contractErrorShapes })
    let byField = try notes([
      (0, json(body: #"{"title":["This field is required."]}"#, status: 400)),
      (1, json(body: #"{"code":["Too long."],"style":["Not a choice."]}"#, status: 400)),
    ])
    #expect(!byField.contains { $0.kind == .contractErrorShapes }, "\(byField.map(\.message))")
  }

  @Test(arguments: 60...140)
  func `a note on errors holds no part of a secret that its example cuts`(place: Int) throws {
    let start = #"{"error":""# + String(repeating: "x", count: place - 10)
    let found = try notes([
      (0, json(body: start + #"s3cr3t-of-all","code":1}"#, status: 404)), (1, json(body: "[]", status: 422)),
    ]).filter { $0.kind == .contractErrorShapes }
    let details = try #require(found.first).details.joined(separator: "\n")
    #expect(details.contains(start.prefix(100)))
    #expect(!SecretMask(secrets: ["s3cr3t-of-all"]).masked(details).contains("s3cr"), "\(details)")
  }

  @Test func `a body that is not what its own type says is found beside what is undocumented`() throws {
    let judge = ResponseJudge(contract: try Contracts.load(Self.contract))
    let broken = judge.judge(json(body: "{\"error\":", status: 500))
    #expect(broken.violations.map(\.kind) == [.contractStatus, .contractBody])
    #expect(
      broken.violations.last?.message.hasPrefix("the body is not JSON, although its type application/json says so")
        == true)
    let feed = Answer(headers: [("Content-Type", "text/xml")], body: "<rss><item>Tom & Jerry</item></rss>")
    #expect(judge.judge(feed).violations.map(\.kind) == [.contractContentType, .contractBody])
    // Nothing is said of a coding that was not undone, of what was cut off, and of content that is fine.
    let packed = Answer(
      status: 500, headers: [("Content-Type", "application/json"), ("Content-Encoding", "br")], body: "??")
    #expect(judge.judge(packed).violations.map(\.kind) == [.contractStatus])
    var cut = json(body: "{\"error\":", status: 500)
    cut.isIncomplete = true
    #expect(judge.judge(cut).violations.map(\.kind) == [.contractStatus])
    #expect(judge.judge(json(status: 500)).violations.map(\.kind) == [.contractStatus])
  }

  @Test func `what is documented and was not touched is one note, of all loops together`() throws {
    let text = """
        /laws:
          get:
            operationId: listLaws
            parameters:
              - { name: limit, in: query, schema: { type: integer } }
              - { name: q, in: query, schema: { type: string } }
              - { name: filter, in: query, style: deepObject, schema: { type: object } }
              - { name: free, in: query, schema: { type: object } }
            responses: { "200": { description: fine }, "400": { description: bad }, "5XX": { description: down } }
        /export: { get: { operationId: exportLaws, responses: { "200": { description: fine } } } }
      """
    let contract = try Contracts.load(text)
    func note(_ targets: [[String]], statuses: [Int] = [200]) -> Finding? {
      var notes = TrafficObservations()
      for targets in targets {
        let loop = ResponseJudge(contract: contract)
        for target in targets {
          for status in statuses { _ = loop.judge(Answer(status: status, headers: [], target: target)) }
        }
        notes.merge(loop.traffic())
      }
      return notes.findings(contract).first { $0.kind == .contractNotTested }
    }
    let found = try #require(note([["/laws?limit=3"], [], ["/laws?qq=1&limit=2", "/laws"]]))
    #expect(found.severity == .note)
    #expect(
      found.message
        == "not covered by this run: 1 operation (exportLaws); 2 statuses (listLaws 400, listLaws 5XX); 2 query parameters (listLaws q, listLaws filter)"
    )
    let more = note([["/laws?limit=3"], ["/laws?q=&filter[a]=1"]], statuses: [200, 400, 503])
    #expect(more?.message == "not covered by this run: 1 operation (exportLaws)")
    // A run that called nothing has its own verdict.
    #expect(note([[]]) == nil)
  }

  @Test func `rate-limit headers of responses with an undocumented status are counted too`() throws {
    let limited = json([("RateLimit-Limit", "5")])
    let found = try notes([(0, limited), (0, json([("RateLimit-Limit", "5")], status: 418))])
      .filter { $0.kind == .contractUndeclaredHeader }
    #expect(found.first?.message.hasPrefix("4 responses have RateLimit-Limit") == true)
    #expect(found.first?.details == ["listLaws 200: 2 of 2 responses", "listLaws 418: 2 of 2 responses"])
  }
}
