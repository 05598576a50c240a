import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

@Suite struct ExpressionTests {
  /// The value of a body that a session sends, with `ids` and `row` saved before.
  private func value(_ text: String, seed: UInt64 = 7, index: Int = 0) throws -> JSONValue {
    try reading(text)(seed, index)
  }

  /// Reads once, evaluates as often as wanted: by seed and index.
  private func reading(_ text: String) throws -> (UInt64, Int) throws -> JSONValue {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: listLaws
            save: { ids: "$.data[*].id", row: $.row, name: $.name }
          - repeat: 1
            call: submitLaw
            body: { v: '\(text)', used: "${ids} ${row} ${name}" }
          """))
    guard case .loop(let loop) = scenario.sessions[0].steps[1], let call = loop.steps[0].calls.first,
      case .json(let body, _)? = call.body
    else { throw EvaluationError.wrongType("the scenario has no body") }
    return { try evaluate(body, scenario, seed: $0, index: $1) }
  }

  private func evaluate(_ body: Template, _ scenario: Scenario, seed: UInt64, index: Int) throws -> JSONValue {
    var scope = Scope(variables: scenario.variables.count, clock: { 1_795_226_062_123_456_789 })
    let saved: [String: JSONValue] = ["ids": [3, 5, 7], "row": ["title": "T", "n": 2], "name": "toast"]
    for (slot, name) in scenario.variables.enumerated() { scope.values[slot] = saved[name] }
    scope.index = index
    scope.arrival = 4
    scope.status = 200
    scope.answer = LastAnswer(
      status: 201, headers: [HeaderField("etag", "x"), HeaderField("retry-after", "7")],
      body: .json([
        "total": 12, "a b": 1, "data": [["id": 3, "text": "a"], ["id": 1, "text": "}"], ["id": 3, "text": "b"]],
      ]))
    var random = RandomSource(seed: seed)
    return try body.evaluate(in: &scope, random: &random)["v"] ?? .null
  }

  @Test(
    arguments: [
      ("${1 + 2 * 3}", 7), ("${(1 + 2) * 3}", 9), ("${7 / 2}", 3.5), ("${6 / 3}", 2), ("${-1 % 5}", 4),
      ("${2 - 3 - 4}", -5),
      ("${0.1 + 0.2 == 0.3}", false), ("${1 < 2 && 2 < 3 || false}", true), ("${!true}", false),
      ("${9007199254740993 + 1}", 9_007_199_254_740_994), ("${index == 0 ? \"first\" : \"later\"}", "first"),
      ("${ids[0]}", 3), ("${ids[-1]}", 7), ("${row.title}", "T"), ("${row[\"n\"] + 1}", 3), ("${count(ids)}", 3),
      ("${[1, 2] + [3]}", [1, 2, 3]), ("${slice(ids, 1)}", [5, 7]), ("${join(ids, \"-\")}", "3-5-7"),
      ("a${name}b", "atoastb"), ("${name}${index}", "toast0"), ("${upper(name)}", "TOAST"), ("$${x} ${1}", "${x} 1"),
      ("${base64(\"a:b\")}", "YTpi"), ("${status}", 200), ("${seq()}", 4_000_001), ("${min(3, 1, 2)}", 1),
      ("${max(ids)}", 7), ("${round(2.5)}", 3), ("${contains(ids, 5)}", true), ("${contains(name, \"oa\")}", true),
      ("${default(row.none, 1)}", nil), ("${split(\"a,b\", \",\")}", ["a", "b"]),
      ("${replace(name, \"oa\", \"e\")}", "test"),
      ("${number(\"12.50\")}", 12.5), ("${json(ids)}", "[3,5,7]"), ("${length(name)}", 5), ("${trim(\" a \")}", "a"),
      ("${$.data[0].id}", 3), ("${$.data[*].id}", [3, 1, 3]), ("${count($.data) <= 25 && true}", true),
      ("${$.total-1}", 11), ("${$.total * 2}", 24), ("${$[\"a b\"]}", 1), ("${$.data[?@.text == \"}\"].id}", [1]),
      ("${sum($.data[*].id)}", 7), ("${unique($.data[*].id)}", [3, 1]), ("${sorted($.data[*].id)}", [1, 3, 3]),
      ("${reversed([1, 2])}", [2, 1]), ("${sorted([\"b\", \"a\"])[0]}", "a"), ("${$.none}", nil),
      ("${default($.none, 5)}", 5), ("${$..id}", [3, 1, 3]), ("${answer.status}", 201),
      ("${answer.headers.etag}", "x"), ("${answer.headers[\"Retry-After\"]}", "7"), ("${answer.headers.none}", nil),
      ("${default(answer.headers.none, \"-\")}", "-"), ("${answer.body.total}", 12),
      ("${answer.body.data[0].id + 1}", 4), ("${count(answer)}", 3), ("page ${$.total}", "page 12"),
      ("${now()}", "2026-11-21T01:54:22.123Z"), ("${now(date)}", "2026-11-21"), ("${now(s, \"+1m\")}", 1_795_226_122),
      ("${now(http)}", "Sat, 21 Nov 2026 01:54:22 GMT"), ("${now(time, \"-2h\")}", "23:54:22"), ("plain", "plain"),
    ] as [(String, JSONValue?)])
  func `an expression has the value that a user expects`(text: String, expected: JSONValue?) throws {
    if let expected {
      #expect(try value(text) == expected, "\(text)")
    } else {
      #expect(throws: EvaluationError.self) { try value(text) }
    }
  }

  @Test func `a value keeps its type only where the expression stands alone`() throws {
    #expect(try value("${25 * index}", index: 3) == 75)
    #expect(try value("${25 * index} laws", index: 3) == "75 laws")
  }

  @Test func `bare words of choose are texts`() throws {
    let read = try reading("${choose(up, down now, co-op)}")
    let seen = try Set((0..<200).map { try read($0, 0) })
    #expect(seen == ["up", "down now", "co-op"])
  }

  @Test func `weights of choose share the draws`() throws {
    let read = try reading("${choose(a: 3, b: 1)}")
    let draws = try (0..<4000).map { try read($0, 0) }
    let share = Double(draws.count { $0 == "a" }) / 4000
    #expect(abs(share - 0.75) < 0.03, "a came with a share of \(share)")
  }

  @Test func `draws stay within their bounds`() throws {
    let whole = try reading("${int(2, 4)}")
    let real = try reading("${float(0.5, 0.6)}")
    let picked = try reading("${pick(ids)}")
    let digits = try reading("${digits(6)}")
    let sample = try reading("${sample(ids, 2)}")
    for seed in 0..<300 as Range<UInt64> {
      #expect((2...4).contains(try whole(seed, 0).int ?? 0))
      #expect((0.5..<0.6).contains(try real(seed, 0).double ?? 0))
      #expect([3, 5, 7].contains(try picked(seed, 0)))
      #expect(try digits(seed, 0).string?.count == 6)
      #expect(Set(try sample(seed, 0).array ?? []).count == 2)
    }
    let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(try value("${uuid()}").string?.wholeMatch(of: pattern) != nil)
  }

  @Test func `the same seed draws the same`() throws {
    let text = "${uuid()} ${int(1, 1000)} ${words(3, 6)} ${email()} ${shuffle(ids)}"
    #expect(try value(text, seed: 11) == value(text, seed: 11))
    #expect(try value(text, seed: 11) != value(text, seed: 12))
  }

  @Test func `what one value draws does not shift the next`() throws {
    // Both templates take one value of the session's stream, whatever they draw inside.
    var short = RandomSource(seed: 5)
    var long = RandomSource(seed: 5)
    var scope = Scope(variables: 0)
    _ = try Template(.expression(.call(.digits, [.literal(1)])), source: "").evaluate(in: &scope, random: &short)
    _ = try Template(.expression(.call(.digits, [.literal(99)])), source: "").evaluate(in: &scope, random: &long)
    #expect(short.next() == long.next())
  }

  @Test func `a value that was never saved is an error that names it`() throws {
    var scope = Scope(variables: 1)
    var random = RandomSource(seed: 1)
    let template = Template(.expression(.variable(Variable(name: "ids", slot: 0))), source: "${ids}")
    #expect(throws: EvaluationError.unset("ids")) { try template.evaluate(in: &scope, random: &random) }
  }

  @Test func `texts are bounded`() throws {
    let long = "${" + (0..<12).reduce("name") { text, _ in "replace(\(text), \"t\", \"tttttttttt\")" } + "}"
    #expect(throws: EvaluationError.self) { try value(long) }
  }

  @Test func `what reads a response fails before the first and in a body that is not JSON`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(steps: "- call: submitLaw\n  body: { v: '${$.a}', w: '${default($.a, 1)}' }"))
    #expect(scenario.sessions[0].readsAnswers)
    guard let call = scenario.sessions[0].steps[0].calls.first, case .json(let body, _)? = call.body,
      case .object(let members) = body.content
    else { return #expect(Bool(false), "not a call") }
    func value(_ member: Int, _ answer: LastAnswer?) throws -> JSONValue {
      var scope = Scope(variables: 0)
      scope.answer = answer
      var random = RandomSource(seed: 1)
      return try Template(members[member].value, source: "").evaluate(in: &scope, random: &random)
    }
    let text = LastAnswer(status: 200, body: .text("no JSON"))
    #expect(throws: EvaluationError.noAnswer("$.a")) { try value(0, nil) }
    #expect(throws: EvaluationError.nothing("$.a found no value: the body of the last response is not JSON")) {
      try value(0, text)
    }
    #expect(try value(1, nil) == 1)
    #expect(try value(1, text) == 1)
    #expect(try value(0, LastAnswer(status: 200, body: .json(["a": 2]))) == 2)
  }

  @Test func `only sessions that read responses keep them`() throws {
    let claims = try LawsAPI.read(
      LawsAPI.scenario(steps: "- call: listLaws\n  expect: { that: '${count($.data) > 0}' }"))
    #expect(!claims.sessions[0].readsAnswers)
    let header = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws", head: "client: { headers: { If-None-Match: '${answer.headers.etag}' } }"))
    #expect(header.sessions[0].readsAnswers)
    #expect(!header.sessions[0].client.headers[0].isDrawnOnce)
  }
}
