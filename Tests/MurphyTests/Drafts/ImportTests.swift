import Foundation
import Murphy
import Testing

/// `murphy import`: what other tools have recorded is sent again, with what depends on responses taken from responses.
@Suite struct ImportTests {
  static let contract = "\(Repository.scenarios)/openapi.yaml"

  /// Imports `text`, and gives the scenario and what was said; the scenario has no mistake.
  static func imported(
    _ text: String, as name: String, _ body: (String, Program.Outcome, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let (file, output) = (folder + "/" + name, folder + "/out.yaml")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        [
          "import", file, "--contract", contract, "--target", "embedded:murphys-laws", "-o", output, "--operation",
          "voteLaw",
        ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await body(try String(contentsOfFile: output, encoding: .utf8), outcome, output)
    }
  }

  private static func entry(
    _ second: Double, _ method: String, _ url: String, _ status: Int, _ answer: String,
    type: String = "application/json",
    fields: [String: String] = [:], body: String? = nil
  ) -> String {
    let all = fields.merging(["User-Agent": "Mozilla/5.0", "Sec-Fetch-Mode": "cors", "Cookie": "sid=kept-secret"]) {
      $1
    }
    let headers = all.sorted { $0.key < $1.key }.map { #"{"name": "\#($0.key)", "value": "\#($0.value)"}"# }
    let post =
      body.map { #", "postData": {"mimeType": "application/json", "text": \#(JSONValue.string($0).text)}"# } ?? ""
    let time = second < 10 ? "0\(second)" : "\(second)"
    return """
      {"startedDateTime": "2026-11-23T10:00:\(time)Z", "time": 50,
       "request": {"method": "\(method)", "url": "\(url)", "headers": [\(headers.joined(separator: ","))]\(post)},
       "response": {"status": \(status), "content": {"mimeType": "\(type)", "text": \(JSONValue.string(answer).text)}}}
      """
  }

  private static let recording: String = {
    let api = "https://laws.test/api/v1"
    let entries = [
      entry(0.0, "GET", "https://laws.test/", 200, "<html>", type: "text/html"),
      entry(0.1, "GET", "https://cdn.test/app.js", 200, "x", type: "text/javascript"),
      entry(0.3, "GET", api + "/laws?limit=5&sort=score", 200, #"{"data": [{"id": 12}, {"id": 7}], "total": 2}"#),
      entry(2.0, "OPTIONS", api + "/laws/7/vote", 204, ""),
      entry(
        2.1, "POST", api + "/laws/7/vote", 200, #"{"law_id": 7}"#,
        fields: ["Authorization": "Bearer kept-secret", "X-Device-ID": "d-1", "X-Trace": "abc"],
        body: #"{"vote_type": "up"}"#),
      entry(2.2, "GET", api + "/laws/999999", 404, "{}"),
      entry(
        4.0, "POST", "https://laws.test/login?x=1", 200, "{}",
        body: "{\"password\": \"kept-secret\", \"remark\": \"\u{9D}\u{85}\"}"),
    ]
    return
      #"{"log": {"version": "1.2", "pages": [{"title": "Vote for one"}], "entries": [\#(entries.joined(separator: ","))]}}"#
  }()

  @Test func `a recording of a browser becomes a session`() async throws {
    try await Self.imported(Self.recording, as: "laws.har") { text, outcome, output in
      for line in [
        #""Vote for one":"#, "- call: listLaws", #"query: { limit: 5, sort: "score" }"#,
        #"save: { id: "$.data[1].id" }"#,
        "- think: 1.8s", "- call: voteLaw", #"path: { id: "${id}" }"#,
        #"headers: { Authorization: "${env(MURPHY_AUTHORIZATION)}", X-Trace: "abc" }"#,
        #"body: {"vote_type":"up"}"#,
        // Characters that are JSON and no YAML.
        #"body: {"password":"${env(MURPHY_PASSWORD)}","remark":"\u009d\u0085"}"#,
        "expect: { status: [2XX, 404] }",
        #"- call: { method: POST, url: "/login?x=1" }"#, #"client: { headers: { X-Device-ID: "${uuid()}" } }"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for word in ["kept-secret", "Mozilla", "cdn.test/app", "OPTIONS"] { #expect(!text.contains(word)) }
      #expect(outcome.errors.contains("left out: 1 request to https://cdn.test"))
      let said = try await Program().run(
        ["try", output, "--brief", "-e", "MURPHY_AUTHORIZATION=none", "-e", "MURPHY_PASSWORD=none"])
      // The same requests in the same order; the law that is voted for is one that the list named.
      let sent = said.output.matches(of: /→ ([A-Z]+) http:\/\/[0-9.:]+(\S+)/).map { "\($0.1) \($0.2)" }
      let id = try #require(said.output.firstMatch(of: /saved id = ([0-9]+)/)).1
      #expect(
        sent == [
          "GET /api/v1/laws?limit=5&sort=score", "POST /api/v1/laws/\(id)/vote", "GET /api/v1/laws/999999",
          "POST /login?x=1",
        ], "\(said.output)")
    }
  }

  @Test func `no secret of a recording stands in the scenario`() async throws {
    let api = "https://laws.test/api/v1"
    let fields = [
      "X-Session-Id", "X-XSRF-TOKEN", "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "DPoP", "Authorization",
      "X-Api-Key",
    ]
    let members = ["pwd", "otp", "passphrase", "secretKey", "cvv", "cardNumber", "access_token", "clientSecret"]
    let query = ["sig", "X-Amz-Signature", "code", "session_id", "key", "token"]
    let body =
      "{" + members.map { "\"\($0)\": \"hush-\($0)-hush\"" }.joined(separator: ",")
      + ", \"query\": \"mutation { logIn(password: \\\"hush-graphql\\\") { id } }\"}"
    let entries = [
      Self.entry(
        0.1, "POST", "\(api)/login?" + query.map { "\($0)=hush-\($0)-hush" }.joined(separator: "&"), 200, "{}",
        fields: Dictionary(uniqueKeysWithValues: fields.map { ($0, "hush-\($0)-hush") }), body: body),
      Self.entry(0.2, "GET", "\(api)/laws?q=eyJhbGciOiJIUzI1NiJ9.eyJodXNoIjoxfQ.hush", 200, "{}"),
      Self.entry(
        0.3, "POST", "\(api)/keys/ghp_hushhushhushhushhush", 200, "{}", body: "<p><password>hush-xml</password></p>"),
    ]
    let har = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#
    try await Self.imported(har, as: "leak.har") { text, outcome, _ in
      #expect(!text.contains("hush") && !outcome.output.contains("hush") && !outcome.errors.contains("hush"), "\(text)")
      #expect(text.contains("${env(MURPHY_PWD)}") && text.contains("#   MURPHY_PWD"))
    }
  }

  @Test func `the base path of the server goes into the target`() async throws {
    let contract = """
      openapi: 3.0.3
      info: { title: Users, version: "1" }
      servers: [{ url: /api/v1 }]
      paths:
        /users: { get: { operationId: listUsers, responses: { "200": { description: All } } } }
      """
    let har =
      #"{"log": {"entries": [\#(Self.entry(0.1, "GET", "http://127.0.0.1:1/api/v1/users", 200, "{}")),\#(Self.entry(0.2, "POST", "http://127.0.0.1:1/api/v1/other", 200, "{}"))]}}"#
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      try har.write(toFile: folder + "/x.har", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["import", folder + "/x.har", "--contract", folder + "/api.yaml", "-o", folder + "/out.yaml"])
      let text = try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8)
      #expect(outcome.status == 0 && text.contains("target: \"http://127.0.0.1:1/api/v1\""), "\(text)")
      #expect(text.contains("call: listUsers") && text.contains("url: \"/other\""))
      let hint = try await Program().run(["init", folder + "/api.yaml", "-o", "-", "--target", "http://127.0.0.1:1"])
      #expect(hint.status == 3)
    }
  }

  @Test func `a collection of postman becomes sessions`() async throws {
    let collection = """
      {"info": {"name": "Laws", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "variable": [{"key": "baseUrl", "value": "http://127.0.0.1:1/api/v1"}, {"key": "n", "value": "5"}],
       "item": [
        {"name": "Voting", "item": [
          {"name": "list", "request": {"method": "GET", "url": {"raw": "{{baseUrl}}/laws?limit={{n}}",
             "query": [{"key": "limit", "value": "{{n}}"}, {"key": "q", "value": "x", "disabled": true}]}},
           "event": [{"listen": "test", "script": {"exec": ["pm.environment.set('lawId', pm.response.json().data[0].id);"]}}]},
          {"name": "vote", "request": {"method": "POST", "url": {"raw": "{{baseUrl}}/laws/:id/vote",
             "variable": [{"key": "id", "value": "{{lawId}}"}]},
             "body": {"mode": "raw", "raw": "{\\"vote_type\\": {{kind}}}"}},
           "event": [{"listen": "prerequest", "script": {"exec": ["console.log(1)"]}}]}]},
        {"name": "elsewhere", "request": {"method": "POST", "url": "https://auth.other.test/token?client_secret=hush"}},
        {"name": "upload", "request": {"method": "POST", "url": "{{baseUrl}}/upload", "body": {"mode": "formdata",
           "formdata": [{"key": "kind", "value": "{{kind}}", "type": "text"}, {"key": "no", "value": "x", "disabled": true},
             {"key": "photo", "type": "file", "src": "/home/ada/p.png"}]}}},
        {"name": "ask", "request": {"method": "POST", "url": "{{baseUrl}}/graphql", "body": {"mode": "graphql",
           "graphql": {"query": "{ laws }", "variables": "{\\"n\\": {{n}}}"}}}}]}
      """
    try await Self.imported(collection, as: "laws.json") { text, outcome, output in
      for line in [
        "  Voting:", "- call: listLaws", "query: { limit: \"5\" }", #"save: { lawId: "$.data[0].id" }"#,
        "- call: voteLaw",
        #"path: { id: "${lawId}" }"#, #"body: {"vote_type":"${env(MURPHY_KIND)}"}"#, "multipart:",
        #"kind: "${env(MURPHY_KIND)}""#, #"photo: { value: "murphy", name: "p.png" } # or { file: PATH }"#,
        #"body: {"query":"{ laws }","variables":{"n":"5"}}"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in [
        "upload: the content of p.png", "vote: its script (prerequest)",
        "elsewhere: it is sent to https://auth.other.test",
      ] {
        #expect(outcome.errors.contains(reason))
      }
      #expect(!outcome.errors.contains("list: its script"))
      let said = try await Program().run(["try", output, "--session", "Voting", "--brief", "-e", "MURPHY_KIND=up"])
      #expect(said.status == 0, "\(said.output)\(said.errors)")
    }
  }

  @Test func `parts of a recording are carried over`() async throws {
    let body =
      "--b1\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA law\r\n--b1\r\nContent-Disposition: "
      + "form-data; name=\"photo\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\n\u{FFFD}PNG\r\n--b1\r\n"
      + "Content-Disposition: form-data; name=\"note\"; filename=\"n.txt\"\r\n\r\ntwo\r\nlines\r\n--b1--\r\n"
    let listed = #"[{"name": "a", "value": "b"}, {"name": "f", "fileName": "f.csv", "contentType": "text/csv"}]"#
    func entry(_ data: String) -> String {
      """
      {"startedDateTime": "2026-11-23T10:00:00Z", "time": 50, "response": {"status": 200, "content": {}},
       "request": {"method": "POST", "url": "https://laws.test/api/v1/upload", "headers": [], "postData":
         {"mimeType": "multipart/form-data; boundary=b1", \(data)}}}
      """
    }
    let entries = [
      entry("\"text\": " + JSONValue.string(body).text), entry("\"params\": \(listed)"), entry("\"text\": \"\""),
    ]
    try await Self.imported(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#, as: "up.har") {
      text, outcome, output in
      for line in [
        #"title: "A law""#, #"photo: { value: "murphy", name: "p.png", type: image/png } # or { file: PATH }"#,
        #"note: { value: "two\nlines", name: "n.txt" }"#, #"a: "b""#,
        #"f: { value: "murphy", name: "f.csv", type: text/csv }"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in ["the content of p.png", "the content of f.csv", "the recording does not contain the parts"] {
        #expect(outcome.errors.contains(reason), "\(reason)\n\(outcome.errors)")
      }
      let checked = try await Program().run(["check", output])
      #expect(checked.status == 0, "\(checked.errors)")
    }
  }

  @Test func `workflows of arazzo become sessions`() async throws {
    let document = """
      arazzo: 1.0.1
      info: { title: Vote, version: 1.0.0 }
      sourceDescriptions: [{ name: laws, url: ./openapi.yaml, type: openapi }]
      workflows:
        - workflowId: vote-for-one
          inputs: { type: object, properties: { kind: { type: string, default: up } } }
          steps:
            - stepId: list
              operationId: $sourceDescriptions.laws.listLaws
              parameters: [{ name: limit, in: query, value: 5 }]
              successCriteria:
                - condition: $statusCode == 200
                - { context: $response.body, condition: "$.data[0]", type: jsonpath }
              outputs: { first: "$response.body#/data/0/id" }
            - stepId: vote
              operationPath: "{$sourceDescriptions.laws.url}#/paths/~1api~1v1~1laws~1{id}~1vote/post"
              parameters: [{ name: id, in: path, value: $steps.list.outputs.first }]
              requestBody: { contentType: application/json, payload: { vote_type: $inputs.kind } }
            - stepId: gone
              operationId: getLaw
              parameters: [{ name: id, in: path, value: 999999 }]
              successCriteria: [{ condition: $statusCode == 404 }]
      """
    try await Self.imported(document, as: "vote.arazzo.yaml") { text, outcome, output in
      for line in [
        "  vote-for-one:", #"save: { listFirst: "$.data[0].id" }"#, #"path: { id: "${listFirst}" }"#,
        #"body: {"vote_type":"up"}"#, "expect: { status: [2XX, 404] }",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(outcome.errors.contains("left out: vote-for-one, step list: the criterion $.data[0]"))
      let said = try await Program().run(["try", output, "--brief"])
      #expect(said.status == 0, "\(said.output)\(said.errors)")
    }
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"log\": {\"entries\": 5}}", "{\"info\": 1, \"item\": [7, {\"request\": {}}]}", "\u{0}",
    "arazzo: 1\nworkflows: [{ steps: [1] }]",
  ])
  func `what is none is rejected with a sentence`(text: String) async throws {
    try await withTemporaryFolder { folder in
      try text.write(toFile: folder + "/x", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["import", folder + "/x", "--contract", Self.contract, "-o", folder + "/out.yaml"])
      #expect(outcome.status == 2 && outcome.errors.hasPrefix("murphy: "), "\(outcome.status) \(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/out.yaml"))
    }
  }
}
