import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// What is saved from headers, cookies, links and by patterns.
@Suite struct CaptureTests {
  private static func run(
    _ steps: String, headers: [String: String] = [:], body: String = "{}", settings: String = "",
    _ look: (RunRecord, [WildRequest]) throws -> Void
  ) async throws {
    let server = try WildServer { request, connection in
      connection.answer(headers: request.target == "/laws" ? headers : [:], body: body)
    }
    defer { server.stop() }
    let lines = steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    let record = try await EngineFixture.run(
      "\(settings)\nsessions:\n  one:\n    steps:\n\(lines)\nload: [{ hold: 1/s, for: 1s }]",
      against: server.url)
    try look(record, server.requests)
  }

  @Test func `patterns, cookies and headers give values`() async throws {
    try await Self.run(
      """
      - call: listLaws
        save:
          csrf: { pattern: 'csrf" value="([^"]+)"' }
          number: { header: X-Place, pattern: "/laws/([0-9]+)" }
          word: { path: $.text, pattern: "[a-z]+" }
          sid: { cookie: sid }
          tail: { cookie: sid, pattern: "-(.*)" }
          none: { pattern: "not there", default: nothing }
      - call: { url: "/next/${csrf}/${number}/${word}/${sid}/${tail}/${none}" }
      - call: { url: /laws }
        save: { kept: { cookie: sid } }
      - call: { url: /else }
        save: { kept: { cookie: sid } }
      - call: { url: "/kept/${kept}" }
      """, headers: ["X-Place": "http://x/laws/17?a", "Set-Cookie": "sid=ab-cd; Path=/"],
      body: #"{"text":"Uabc9","html":1,"x":"csrf\" value=\"t0k\"","y":"csrf" value="t1k"}"#
    ) { record, requests in
      // The body is not JSON: a query finds nothing in it.
      #expect(
        record.session("one").failed.map(\.reason) == [
          "listLaws: no match for [a-z]+ in the text at $.text to save as word"
        ])
      #expect(requests.count == 1)
    }
    try await Self.run(
      """
      - call: listLaws
        save:
          csrf: { pattern: 'csrf=([^"]+)"' }
          number: { header: X-Place, pattern: "/laws/([0-9]+)" }
          word: { path: $.text, pattern: "[a-z]+" }
          sid: { cookie: sid }
          tail: { cookie: sid, pattern: "-(.*)" }
          none: { pattern: "not there", default: nothing }
      - call: { url: "/next/${csrf}/${number}/${word}/${sid}/${tail}/${none}" }
        save: { kept: { cookie: sid } }
      - call: { url: "/kept/${kept}" }
      """, headers: ["X-Place": "http://x/laws/17?a", "Set-Cookie": "sid=ab-cd; Path=/"],
      body: #"{"text":"Uabc9","x":"csrf=t0k"}"#
    ) { record, requests in
      #expect(
        requests.map(\.target) == ["/laws", "/next/t0k/17/abc/ab-cd/cd/nothing", "/kept/ab-cd"],
        "\(record.session("one").failed)")
    }
  }

  @Test func `what matches nothing ends the session with a reason`() async throws {
    for (save, reason) in [
      (#"{ pattern: "zz" }"#, "no match for zz in the body"),
      (#"{ header: X-A, pattern: "zz" }"#, "no match for zz in the header X-A"),
      ("{ cookie: sid }", "no cookie sid"), ("{ link: next }", "no link next"),
    ] {
      try await Self.run("- { call: listLaws, save: { a: \(save) } }", headers: ["X-A": "b"]) { record, _ in
        #expect(record.session("one").failed.map(\.reason) == ["listLaws: \(reason) to save as a"])
      }
    }
  }

  @Test func `links lead to the next page, which is judged as its operation`() async throws {
    try await Self.run(
      """
      - { call: listLaws, save: { next: { link: next } } }
      - { call: listLaws, url: "${next}" }
      - { call: getLaw, url: "/laws/7" }
      """, headers: ["Link": #"<?page=2>; rel="next"; x="y", <http://else/>; rel="self""#]
    ) { record, requests in
      #expect(requests.map(\.target) == ["/laws", "/laws?page=2", "/laws/7"])
      #expect(record.operation("listLaws").sent == 2 && record.operation("getLaw").sent == 1)
      #expect(record.ledger.unchecked == [])
    }
  }

  @Test func `no link leads away, nor to another operation`() async throws {
    try await Self.run(
      "- { call: listLaws, save: { next: { link: next } } }", headers: ["Link": #"<http://127.0.0.2:1/x>; rel=next"#]
    ) { record, _ in
      let reason = "listLaws: the link next leads to another server than the target"
      #expect(record.session("one").failed.map(\.reason) == [reason])
    }
    try await Self.run("- { call: getLaw, url: /laws }") { record, requests in
      #expect(record.session("one").failed.map(\.reason) == ["getLaw: the url does not match GET /laws/{id}"])
      #expect(requests.isEmpty)
    }
  }
}
