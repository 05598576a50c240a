import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// What the steps of a scenario expect, held against a real server.
@Suite struct ExpectationTests {
  private static let load = "load: [{ hold: 10/s, for: 1s }]"

  private func run(_ steps: String, _ server: WildServer, loops: Int = 2) async throws -> RunRecord {
    try await EngineFixture.run(
      "sessions:\n  write:\n    steps:\n\(steps)\n\(Self.load)", against: server.url, loops: loops)
  }

  @Test func `a failed expectation that continues is a finding, and the session ends as scripted`() async throws {
    let server = try WildServer { request, connection in
      connection.answer(request.target == "/laws/7" ? 500 : 200, body: EngineFixture.page)
    }
    defer { server.stop() }
    let record = try await run(
      """
            - call: getLaw
              path: { id: 7 }
              expect: { status: 200, on-failure: continue }
            - call: listLaws
              expect: { that: "${count($.data) == 3}", on-failure: continue }
            - call: listLaws
              expect: { body: { "$.data[0].id": 8 } }
            - call: listLaws
      """, server)
    let session = record.session("write")
    #expect(session.failed == [ReasonCount(reason: "listLaws: expected $.data[0].id to be 8", count: 10)])
    #expect(record.operation("getLaw").outcomes.serverError == 10)
    #expect(record.operation("listLaws").sent == 20)
    let misses = record.findings.filter { $0.kind == .contractExpectation }
    #expect(misses.count == 3)
    #expect(misses.allSatisfy { $0.count == 10 })
    #expect(
      Set(misses.compactMap(\.found?.sentence)) == ["500", "2 == 3", "7"])
  }

  @Test func `on says what happens to a status although the failed expectation continues`() async throws {
    let server = try WildServer { _, connection in connection.answer(500) }
    defer { server.stop() }
    let record = try await run(
      """
            - call: getLaw
              path: { id: 7 }
              expect: { status: 200, on-failure: continue }
              on: { 5XX: end }
            - call: listLaws
      """, server)
    #expect(record.session("write").left == [ReasonCount(reason: "getLaw: status 500", count: 10)])
    #expect(record.operation("listLaws").sent == 0)
  }

  @Test func `steps, statuses and expectations are findings of their own, split by what was found`() async throws {
    let number = Counter()
    let server = try WildServer { request, connection in
      guard request.target == "/laws/7" else { return connection.answer(201, body: EngineFixture.page) }
      connection.answer(number.add() % 2 == 0 ? 500 : 201, body: EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await run(
      """
            - call: getLaw
              path: { id: 7 }
              expect: { status: 200, on-failure: continue }
            - call: getLaw
              path: { id: 8 }
              expect: { status: [200, 204], on-failure: continue }
            - group: again
              steps:
                - call: getLaw
                  path: { id: 9 }
                  expect: { status: 201, body: { $.data: absent, $.id: 7 }, on-failure: continue }
      """, server)
    let misses = record.findings.filter { $0.kind == .contractExpectation }
    let messages = Set(misses.map(\.message))
    #expect(
      messages == [
        "step 1 of session write (/tmp/test.yaml:9:27): expected status 200, "
          + "found 201 (5 times), 500 (5 times)",
        "step 2 of session write (/tmp/test.yaml:12:27): expected status 200, 204, found 201",
        "step 3.1 of session write (/tmp/test.yaml:17:44): expected $.data to be absent, found "
          + #"[{"id":7,"text":"a"},{"id":8,"text":"b"}]"#,
        "step 3.1 of session write (/tmp/test.yaml:17:60): expected $.id to be 7, found nothing",
      ])
    let split = try #require(misses.first { $0.expectation?.step == "1" })
    #expect(split.count == 10)
    #expect(split.found?.values == [.init(text: "201", count: 5), .init(text: "500", count: 5)])
    #expect(split.expectation?.session == "write")
    #expect(split.expectation?.source.line == 9)
    #expect(Set(misses.map(\.fingerprint)).count == 4)
    #expect(record.operations.allSatisfy { $0.ends.total == $0.sent })
  }

  @Test func `more found values than are shown are counted together`() async throws {
    let number = Counter()
    let server = try WildServer { _, connection in
      connection.answer(body: "{\"id\":\(number.add()),\"text\":\"a\"}")
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 }, expect: { body: { $.id: 0 } } }] }
      load: [{ hold: 60/s, for: 1s }]
      """, against: server.url)
    let miss = try #require(record.findings.first { $0.kind == .contractExpectation })
    let found = try #require(miss.found)
    #expect(found.values.count == 8)
    #expect(found.values.reduce(found.others) { $0 + $1.count } == 60)
    #expect(miss.message.hasSuffix(" and other values (55 times)"))
    // None of these responses is ok, whatever the contract says of them.
    let ends = try #require(record.operations.first { $0.operation == "getLaw" }).ends
    #expect(ends.violating == 60 && ends.responses == 60)
  }

  @Test func `presence, types, patterns, schemas and headers are judged against the response`() async throws {
    let server = try WildServer { _, connection in
      connection.answer(headers: ["ETag": "abc"], body: #"{"id":7,"text":"a","tags":["x",1],"none":null}"#)
    }
    defer { server.stop() }
    func steps(_ expect: String) -> String {
      let lines = expect.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
      return "      - call: getLaw\n        path: { id: 7 }\n        expect:\n          on-failure: continue\n\(lines)"
    }
    let kept = try await run(
      steps(
        """
                body:
                  $.id: { present: true, type: integer }
                  $.none: present
                  $.other: absent
                  $.text: { pattern: "^[a-z]$", type: [string, "null"] }
                  $: { schema: { type: object, required: [id, text] } }
                headers: { ETag: present, X-None: absent, etag: { pattern: b } }
                that: ["${contains($.tags, 1)}", "${answer.headers.etag == 'abc'}", "${length($.text) == 1}"]
        """), server)
    #expect(kept.findings.filter { $0.kind == .contractExpectation }.map(\.message) == [])
    let broken = try await run(
      steps(
        """
                body:
                  $.id: { type: string }
                  $.none: absent
                  $.other: present
                  $.text: { pattern: "^[A-Z]$" }
                  $.tags[*]: { type: string }
                  $.missing[*]: { type: string }
                  $: { schema: { required: [price] } }
                headers: { ETag: absent, X-None: present }
                that: ["${$.nothing == 1}", "${!contains($.tags, 1)}", "${$.text}"]
        """), server)
    let found = broken.findings.filter { $0.kind == .contractExpectation }
      .map { "\($0.expectation?.expected ?? ""): \($0.found?.sentence ?? "")" }
    #expect(
      Set(found) == [
        "$.id to be of type string: 7", "$.none to be absent: null", "$.other to be present: nothing",
        "$.text to match the pattern ^[A-Z]$: \"a\"", "$.tags[*] to be of type string: 1",
        "$.missing[*] to be of type string: nothing",
        "$ to conform to its schema: the value: the required property \"price\" is missing; found an object with \"id\", "
          + "\"text\", \"tags\", \"none\"",
        "header ETag to be absent: abc", "header X-None to be present: nothing",
        "$.nothing == 1: $.nothing found no value",
        "!contains($.tags, 1): false", "$.text: a condition must be true or false; found a string",
      ])
    #expect(broken.session("write").completed == 10)
  }

  @Test func `a later step reads the last response, also through the client's headers`() async throws {
    let server = try WildServer { request, connection in
      connection.answer(
        headers: ["ETag": "v1"], body: request.target == "/laws" ? EngineFixture.page : EngineFixture.law)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { headers: { If-Match: "${answer.headers.etag}" } }
      sessions:
        read:
          steps:
            - call: listLaws
            - if: ${answer.status == 200 && count(answer.body.data) == 2}
              call: getLaw
              path: { id: "${$.data[-1].id}" }
      load: [{ hold: 2/s, for: 1s }]
      """, against: server.url)
    #expect(record.session("read").completed == 2)
    #expect(server.requests.count { $0.target == "/laws/8" && $0.header("if-match") == "v1" } == 2)
    #expect(server.requests.count { $0.target == "/laws" && $0.header("if-match") == nil } == 2)
  }

  @Test func `what a session could not save or compute names its step and the place`() async throws {
    let server = try WildServer { _, connection in connection.answer(body: #"{"data":[]}"#) }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        save: { steps: [{ call: listLaws, save: { id: "$.data[0].id" } }, { call: getLaw, path: { id: "${id}" } }] }
        head: { steps: [{ call: listLaws, save: { tag: { header: ETag } } }, { call: listLaws, query: { q: "${tag}" } }] }
        draw: { steps: [{ call: listLaws, save: { ids: "$.data[*].id" } }, { call: getLaw, path: { id: "${pick(ids)}" } }] }
        wait: { steps: [{ call: listLaws }, { think: "${$.seconds}" }] }
      load: [{ hold: 8/s, for: 1s }]
      """, against: server.url)
    func reasons(_ name: String) -> [String] { record.session(name).failed.map(\.reason) }
    #expect(reasons("save") == ["listLaws: no value at $.data[0].id to save as id"])
    #expect(reasons("head") == ["listLaws: no header ETag to save as tag"])
    #expect(reasons("draw") == ["getLaw: pick() needs a list with items; found an empty list"])
    #expect(reasons("wait") == ["think: $.seconds found no value"])
  }
}
