import Foundation
import Murphy
import Testing
import WildServer

/// Random secrets through every template function and every place of a request, against a server that tells all it
/// hears and breaks every promise: no output of murphy holds one, in any encoding.
@Suite(.serialized) struct SecretLeakTests {
  static let document = """
    openapi: 3.1.0
    info: { title: Things, version: "1" }
    paths:
      /login:
        post:
          operationId: login
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  properties: { user: { type: string }, pin: { type: string, format: password } }
          responses:
            "200":
              description: a token
              content:
                application/json:
                  schema:
                    type: object
                    required: [never]
                    properties: { ticket: { type: string, format: password } }
      /things/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
        post:
          operationId: tell
          parameters:
            - { name: q, in: query, schema: { type: string } }
            - { name: X-Thing, in: header, schema: { type: string } }
            - { name: c, in: cookie, schema: { type: string } }
          requestBody: { content: { application/json: { schema: { type: object } } } }
          responses: { "200": { description: fine }, "429": { description: slow down } }
    """

  /// Template expressions of the environment variable `S`, and what they make of its value.
  static let expressions: [(text: String, value: @Sendable (String) -> [String])] = [
    ("${env(S)}", { [$0] }), ("x${env(S)}y", { [$0] }), ("${lower(env(S))}", { [$0.lowercased()] }),
    ("${upper(env(S))}", { [$0.uppercased()] }), ("${trim(env(S))}", { [$0] }), ("${text(env(S))}", { [$0] }),
    ("${base64(env(S))}", { [Data($0.utf8).base64EncodedString()] }), ("${json(env(S))}", { [$0] }),
    (#"${join(split(env(S), "-"), "~")}"#, { [$0.replacing("-", with: "~")] }),
    (#"${replace(env(S), "-", "_")}"#, { [$0.replacing("-", with: "_")] }),
    (#"${split(env(S), "-")[1]}"#, { [String($0.split(separator: "-")[1])] }),
    (#"${pick(split(env(S), "-"))}"#, { $0.split(separator: "-").map(String.init) }),
    (#"${first(shuffle(split(env(S), "-")))}"#, { $0.split(separator: "-").map(String.init) }),
    ("${choose(a: 0.001, b: 0.001) + env(S)}", { [$0] }), ("${uuid() + env(S)}", { [$0] }),
    ("${default(env(S), 1)}", { [$0] }), ("${true ? env(S) : 1}", { [$0] }), ("${[env(S)][0]}", { [$0] }),
    ("${user >= 0 ? upper(env(S)) : 1}", { [$0.uppercased()] }),
  ]

  @Test(arguments: 0..<4) func `no output holds a secret`(seed: UInt64) async throws {
    var random = RandomSource(seed: seed)
    let secret = Self.secret(&random)
    let (ticket, pin) = (Self.secret(&random), Self.secret(&random))
    let server = try WildServer { request, connection in Self.tell(request, connection, ticket) }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try Self.document.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      try Self.scenario(server.url).write(toFile: folder + "/s.yaml", atomically: true, encoding: .utf8)
      let environment = [
        "S": secret, "PIN": pin, "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder + "/step.md",
      ]
      let run = try await Program().run(
        ["run", "s.yaml", "--report", "r", "--seed", "\(seed)"], in: folder, environment: environment)
      let plan = try await Program().run(["run", "s.yaml", "--plan"], in: folder, environment: environment)
      let check = try await Program().run(["check", "s.yaml"], in: folder, environment: environment)
      #expect(run.status == 1, "\(run.errors)")
      var outputs = ["stdout": run.output, "stderr": run.errors, "plan": plan.output + plan.errors]
      outputs["check"] = check.output + check.errors
      outputs["step.md"] = try String(contentsOfFile: folder + "/step.md", encoding: .utf8)
      let reports = try reportTexts(in: folder + "/r")
      #expect(reports.count >= 6)
      outputs.merge(reports) { $1 }
      let findings = try ResultFile.read(folder + "/r/result.json").findings
      #expect(findings.count >= Self.expressions.count / 2)
      // What JSON texts within the result's texts say, too.
      outputs["texts"] = findings.flatMap { finding in
        [finding.message] + finding.details
          + [finding.evidence?.curl?.text, finding.evidence?.exchange?.responseBody].compactMap(\.self)
      }.joined(separator: "\n")
      let made = Self.expressions.flatMap { $0.value(secret) } + [ticket, pin]
      for (name, text) in outputs {
        for form in Set(made.flatMap(Self.forms)) where text.contains(form) {
          let place = text.range(of: form).map { text[..<$0.upperBound].suffix(160) } ?? ""
          Issue.record("\(name) holds \(form) (seed \(seed)): \(place)")
        }
      }
    }
  }

  /// Parts of at least six characters, as hostile to every notation as a header can carry.
  private static func secret(_ random: inout RandomSource) -> String {
    let letters = Array("abcXYZ0189\"\\'<>&%+/=;é λ$`#{}")
    func part() -> String {
      "q" + String((0..<8).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }) + "z"
    }
    return part() + "-" + part() + "-" + part()
  }

  private static func tell(_ request: WildRequest, _ connection: WildConnection, _ ticket: String) {
    if request.target == "/login" { return connection.answer(body: JSONValue.object(["ticket": .string(ticket)]).text) }
    let lines = [request.target] + request.headers.map { "\($0.name): \($0.value)" }
    let heard = (lines + [String(decoding: request.body, as: UTF8.self)]).joined(separator: "\n")
    let values = request.headers.filter { ["x-thing", "authorization", "cookie", "x-api-key"].contains($0.name) }
    var echoes = [heard] + values.flatMap { forms($0.value) }
    // What it heard, encoded twice.
    echoes += values.map { Data(Data($0.value.utf8).base64EncodedString().utf8).base64EncodedString() }
    for count in 0..<3 {
      let shifted = String(repeating: "-", count: count) + heard
      echoes.append(Data(shifted.utf8).base64EncodedString())
    }
    let echo = echoes.joined(separator: "\n")
    connection.answer(
      500, headers: ["X-Echo": values.map(\.value).joined(separator: " ")],
      body: JSONValue.object(["heard": .string(echo)]).text)
  }

  /// A text in the notations that a report or a server may use.
  static func forms(_ text: String) -> [String] {
    let json = String(JSONValue.string(text).text.dropFirst().dropLast())
    let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
    var forms = [
      text, json, html, html.replacing("'", with: "&#39;"),
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text,
      String(String(JSONValue.string(json).text.dropFirst().dropLast())),
    ]
    for offset in 0..<3 {
      let bytes = Data(String(repeating: "\0", count: offset).utf8 + Array(text.utf8))
      // The characters that the text alone decides.
      let core = bytes.base64EncodedString().prefix(bytes.count * 8 / 6).dropFirst([0, 2, 3][offset])
      guard core.count >= 8 else { continue }
      forms.append(String(core))
      for outer in 0..<3 {
        let again = Data(String(repeating: "\0", count: outer).utf8 + Array(core.utf8))
        forms.append(String(again.base64EncodedString().prefix(again.count * 8 / 6).dropFirst([0, 2, 3][outer])))
      }
    }
    return forms
  }

  private static func scenario(_ url: String) -> String {
    let calls = expressions.map { expression in
      let text = "'" + expression.text.replacing("'", with: "''") + "'"
      return """
                - call: tell
                  path: { id: \(text) }
                  query: { q: \(text) }
                  headers: { X-Thing: \(text), X-Api-Key: \(text) }
                  cookies: { c: \(text) }
                  body: { a: \(text), b: [\(text)] }
                  expect: { status: 200 }
        """
    }
    let sessions = calls.enumerated().map { "  tell\($0.offset):\n    steps:\n\($0.element)" }.joined(separator: "\n")
    return """
      name: Leaks
      contract: openapi.yaml
      target: \(url)
      client: { auth: { basic: { user: me, password: "${env(S)}" } }, headers: { X-Client: "${env(S)}" } }
      sessions:
        login:
          steps:
            - call: login
              body: { user: me, pin: "${env(PIN)}" }
              save: { ticket: { path: $.ticket, secret: true } }
            - set: { made: "${upper(ticket)}" }
            - { call: tell, path: { id: "${ticket}" }, query: { q: "${made}" }, body: { t: "${ticket}" } }
      \(sessions)
      load: [{ hold: 60/s, for: 1s }]
      expect:
        limits: { tell: { allow: 3, per: 60s, key: X-Api-Key } }
      """
  }
}
