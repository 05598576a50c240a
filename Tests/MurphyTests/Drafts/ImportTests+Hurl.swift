import Murphy
import Testing

extension ImportTests {
  @Test func `a file of hurl becomes a session`() async throws {
    let file = ##"""
      # A vote
      GET {{host}}/api/v1/laws # list
      X-Trace: a\#b
      [Query]
      limit: 5
      q: {{word}}
      [Options]
      variable: host=https://laws.test
      delay: 500ms
      retry: 3
      HTTP 200
      Content-Type: application/json
      [Captures]
      first: jsonpath "$.data[0].id"
      token: regex "x(.*)"
      [Asserts]
      jsonpath "$.total" == 2
      jsonpath "$.data" count > 1
      jsonpath "$.data[0].id" exists

      POST https://laws.test/api/v1/laws/{{first}}/vote
      Authorization: Bearer {{apiToken}}
      {
        "vote_type": "up",
        "n": {{n}}
      }
      HTTP 404

      POST https://laws.test/login
      [FormParams]
      user: ada
      password: hush-1
      HTTP/1.1 302

      POST https://laws.test/upload
      [Multipart]
      title: A law
      photo: file,a/p.png; image/png
      [BasicAuth]
      ada: hush-2
      HTTP *
      {
       "x": 1
      }

      POST https://laws.test/graphql
      ```graphql
      query Q($id: ID) { law(id: $id) { text } }
      variables {
        "id": "{{first}}"
      }
      ```
      GET https://laws.test/skipped
      [Options]
      skip: true
      """##
    try await Self.imported(file, as: "vote.hurl") { text, outcome, _ in
      for line in [
        "  vote:", "- think: 500ms", #"query: { limit: 5, q: "${env(MURPHY_WORD)}" }"#, #"headers: { X-Trace: "a#b" }"#,
        #"expect: { body: { "$.total": { equals: 2 }, "$.data[0].id": present } }"#,
        #"save: { first: "$.data[0].id" }"#, #"path: { id: "${first}" }"#,
        #"body: {"vote_type":"up","n":"${env(MURPHY_N)}"}"#, "expect: { status: [2XX, 404] }",
        #"form: { user: "ada", password: "${env(MURPHY_PASSWORD)}" }"#, "expect: { status: [2XX, 302] }",
        #"headers: { Authorization: "${env(MURPHY_AUTHORIZATION"#,
        #"photo: { value: "murphy", name: "p.png", type: image/png }"#, #""variables":{"id":"${first}"}"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in [
        "line 10: the option retry", "line 12: the expected header Content-Type", "line 15: the capture token",
        #"line 18: the assert jsonpath "$.data" count > 1"#, "line 44: the expected body",
      ] { #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)") }
      #expect(!(text + outcome.errors).contains("hush") && !text.contains("skipped"), "\(text)\(outcome.errors)")
    }
  }

  @Test(arguments: [
    ("x.hurl", "HTTP 200", ":1: expected a request (`GET https://…`); found HTTP 200"),
    ("x.hurl", "GET https://laws.test/\n\n{ \"a\": [", ":3: the JSON body is not complete"),
    ("x.hurl", "POST https://laws.test/\n```\nabc", ":2: the body has no closing ```"),
    ("x.hurl", "GET https://laws.test/\n!", ":2: expected a header, a section or a body; found !"),
    ("x.sh", "ls\ncurl 'https://laws.test", ":2: a quotation mark or a bracket is not closed"),
    ("x.yaml", "openapi: 3.1.0", "is an OpenAPI document. To draft a scenario from it, use `murphy init"),
  ])
  func `a damaged file is rejected with its place`(name: String, text: String, reason: String) async throws {
    try await withTemporaryFolder { folder in
      try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["import", folder + "/" + name, "--contract", Self.contract, "-o", folder + "/out.yaml"])
      #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(outcome.status) \(outcome.errors)")
    }
  }
}
