import Foundation
import Murphy
import Testing

extension ImportTests {
  private static let files = [
    "bruno.json": #"{"version": "1", "name": "Laws", "type": "collection"}"#,
    "collection.bru":
      "headers {\n  X-Team: blue\n}\n\nauth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n",
    "environments/Local.bru": "vars {\n  host: https://laws.test\n  word: hot\n}\nvars:secret [\n  token\n]\n",
    "Voting/folder.bru": "meta {\n  name: Voting\n}\n\nauth {\n  mode: inherit\n}\n",
    "Voting/list.bru": #"""
    meta {
      name: list
      type: http
      seq: 1
    }

    get {
      url: {{host}}/api/v1/laws?limit=5&q={{word}}
      body: none
      auth: none
    }

    params:query {
      limit: 5
      q: {{word}}
      ~sort: score
    }

    vars:post-response {
      lawId: res.body.data[0].id
    }

    assert {
      res.status: eq 200
      res.body.total: eq 2
      res.body.data: isArray
    }
    """#,
    "Voting/vote.bru": #"""
    meta {
      name: vote
      type: http
      seq: 2
    }

    post {
      url: {{host}}/api/v1/laws/:id/vote
      body: json
      auth: inherit
    }

    params:path {
      id: {{lawId}}
    }

    body:json {
      {
        "vote_type": "{{kind}}"
      }
    }

    script:post-response {
      console.log(1)
    }
    """#,
  ]

  private static let expected = [
    "  Voting:", #"query: { limit: 5, q: "hot" }"#, #"headers: { X-Team: "blue" }"#,
    #"body: { "$.total": { equals: 2 } }"#, #"save: { lawId: "$.data[0].id" }"#, #"path: { id: "${lawId}" }"#,
    #"Authorization: "${env(MURPHY_AUTHORIZATION)}""#, #"body: {"vote_type":"${env(MURPHY_KIND)}"}"#,
  ]

  @Test func `a folder of bruno becomes sessions`() async throws {
    try await withTemporaryFolder { folder in
      for (path, text) in Self.files {
        let url = URL(filePath: folder + "/laws/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
      let arguments = [
        "import", folder + "/laws", "--contract", Self.contract, "--operation", "voteLaw", "-o", folder + "/out.yaml",
      ]
      let outcome = try await Program().run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let text = try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8)
      for line in Self.expected { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in ["list: its assertion res.body.data isArray", "vote: its script (script:post-response)"] {
        #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)")
      }
      try "get {\n  url: x".write(toFile: folder + "/laws/bad.bru", atomically: true, encoding: .utf8)
      let damaged = try await Program().run(arguments + ["--force"])
      #expect(
        damaged.status == 2 && damaged.errors.contains("bad.bru:1: the block get has no closing brace"),
        "\(damaged.errors)")
    }
  }

  @Test func `an export of insomnia becomes sessions`() async throws {
    let export = #"""
      type: collection.insomnia.rest/5.0
      schema_version: "5.1"
      name: Laws
      collection:
        - name: Voting
          authentication: { type: bearer, token: "{{ _.token }}" }
          children:
            - name: vote
              meta: { id: req_2, sortKey: 2 }
              method: POST
              url: "{{ _.host }}/api/v1/laws/:id/vote"
              pathParameters: [{ name: id, value: "{% response 'body', 'req_1', 'b64::JC5kYXRhWzBdLmlk::46b', 'never', 60 %}" }]
              headers: [{ name: X-Trace, value: "{% uuid 'v4' %}" }]
              body: { mimeType: application/json, text: '{"vote_type": "{{ kind }}"}' }
              scripts: { afterResponse: "console.log(1)" }
            - name: list
              meta: { id: req_1, sortKey: 1 }
              method: GET
              url: "{{ _.host }}/api/v1/laws"
              parameters: [{ name: limit, value: "5" }, { name: q, value: x, disabled: true }]
              authentication: { type: none }
        - name: live
          url: wss://laws.test/live
      environments:
        name: Base
        data: { host: "https://laws.test", token: hush-1 }
      """#
    try await Self.imported(export, as: "laws.yaml") { text, outcome, _ in
      for line in [
        "  Voting:", "query: { limit: 5 }", #"save: { id: "$.data[0].id" }"#, #"path: { id: "${id}" }"#,
        #"X-Trace: "${uuid()}""#, #"Authorization: "${env(MURPHY_AUTHORIZATION)}""#,
        #"body: {"vote_type":"${env(MURPHY_KIND)}"}"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in ["vote: its script (afterResponse)", "live: it is not an HTTP request"] {
        #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)")
      }
      #expect(!(text + outcome.errors).contains("hush"), "\(text)")
    }
  }
}
