import Foundation
import Murphy
import Testing
import WildServer

/// Secrets in what other commands than `run` say, and in responses that end too early.
@Suite(.serialized) struct SecretCommandTests {
  private static let secret = "s3cr3t-Value&9\"x"
  private static let ticket = "t1ck3t-of-a-session"

  private static let scenario = """
    name: Secrets
    contract: openapi.yaml
    target: URL
    client: { auth: { basic: { user: me, password: "${env(S)}" } }, headers: { X-Client: "${env(S)}" } }
    settings: { grace: 1s }
    sessions:
      tell:
        steps:
          - call: tell
            path: { id: "${env(S)}" }
            headers: { X-Thing: "${env(S)}" }
            body: { a: "${env(S)}" }
    load: [{ hold: 20/s, for: 1s }]
    expect: { limits: { tell: { allow: 3, per: 60s, key: X-Thing } } }
    """

  private static func withFiles(
    _ scenario: String = scenario, _ respond: @escaping WildServer.Responder,
    _ body: (_ folder: String) async throws -> Void
  ) async throws {
    let server = try WildServer(respond)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try SecretLeakTests.document.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      try scenario.replacing("URL", with: server.url).write(
        toFile: folder + "/s.yaml", atomically: true, encoding: .utf8)
      try await body(folder)
    }
  }

  /// Records each notation of a secret that a text holds.
  private static func search(_ text: String, for secrets: [String], _ name: String) {
    for form in Set(secrets.flatMap(SecretLeakTests.forms)) where text.contains(form) {
      let place = text.range(of: form).map { text[..<$0.upperBound].suffix(200) } ?? ""
      Issue.record("\(name) holds \(form): \(place)")
    }
  }

  @Test func `no command but run tells a secret either`() async throws {
    let respond: WildServer.Responder = { request, connection in
      let heard = ([request.target] + request.headers.map { "\($0.name): \($0.value)" }).joined(separator: "\n")
      connection.answer(
        request.target.isEmpty ? 200 : 400, headers: ["X-Echo": request.header("x-thing") ?? ""],
        body: JSONValue.object(["heard": .string(heard + String(decoding: request.body, as: UTF8.self))]).text)
    }
    try await Self.withFiles(Self.scenario, respond) { folder in
      let commands = [
        ["check", "s.yaml"], ["run", "s.yaml", "--plan"],
        ["limits", "s.yaml", "--quick", "--max-requests", "30", "--max-seconds", "10", "--json", "limits.json"],
        ["limits", "s.yaml", "--operation", "tell", "--black-box", "--max-requests", "30", "--max-seconds", "10"],
        ["tune", "s.yaml", "--sessions", "200", "--json", "tune.json", "--report", "tune"],
        ["run", "s.yaml", "--target", "http://127.0.0.1:1", "--report", "down"],
        ["run", "s.yaml", "--target", "http://me:\(Self.secret.prefix(12))@127.0.0.1:1", "--report", "down"],
        ["run", "s.yaml", "--only", "nobody"], ["run", "s.yaml", "--report", "r"],
        ["report", "r", "--format", "markdown"], ["report", "r", "--format", "sarif"],
      ]
      for arguments in commands {
        let said = try await Program().run(arguments, in: folder, environment: ["S": Self.secret])
        Self.search(said.output + said.errors, for: [Self.secret, String(Self.secret.prefix(12))], "\(arguments)")
      }
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
        !["s.yaml", "openapi.yaml"].contains($0)
      }
      #expect(files.contains("limits.json") && files.contains("r/result.json"), "\(files)")
      for file in files {
        guard let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8) else { continue }
        Self.search(text, for: [Self.secret], file)
      }
    }
  }

  /// Targets that are rejected, and one that is not reached.
  @Test(arguments: [
    "http://bob:Zq9-pw@h/?x=1", "http://bob:Zq9-pw@h/#x", "http://bob:Zq9-pw@h:99999/", "ftp://bob:Zq9-pw@h/",
    "bob:Zq9-pw@h",
    "http://bob:Zq9/pw@h", "http://h/?token=Zq9-pw", "http://bob:Zq9-pw@127.0.0.1:1", "http://bob:Zq9@127.0.0.1:1",
    "https://Zq9-token-0123456789@127.0.0.1:1",
  ]) func `a rejected target is shown without its credentials`(target: String) async throws {
    try await Self.withFiles(Self.scenario, { _, connection in connection.answer() }) { folder in
      for arguments in [
        ["run", "s.yaml", "--target", target], ["run", "s.yaml", "--target=\(target)"],
        ["try", "s.yaml", "--target", target],
        ["init", "openapi.yaml", "--target", target, "-o", "x.yaml", "--force"],
        ["explore", "openapi.yaml", "--target", target], ["limits", "s.yaml", "--target", target],
        ["record", "--target", target, "--max-seconds", "0.1"], ["serve", target], ["merge", target],
        ["run", "s.yaml", "--target", "http://127.0.0.1:1", "--shard", "1/1", "--upload", target],
      ] {
        let said = try await Program().run(arguments, in: folder, environment: ["S": Self.secret])
        #expect(said.status != 0 && !(said.output + said.errors).contains("Zq9"), "\(arguments)\n\(said)")
      }
    }
  }

  /// The server says again what it set as a cookie.
  @Test func `an echoed session cookie is masked`() async throws {
    let cookie = "Zq9+k/2x-cookie-of-a-session"
    let respond: WildServer.Responder = { request, connection in
      let isLogin = request.target == "/login"
      let heard = [cookie, Data(cookie.utf8).base64EncodedString(), request.header("cookie") ?? ""]
      connection.answer(
        headers: isLogin ? ["Set-Cookie": "sid=\(cookie); Path=/"] : ["X-Echo": cookie],
        body: isLogin ? "{}" : JSONValue.object(["heard": .array(heard.map { .string($0) })]).text)
    }
    let scenario = """
      name: Cookies
      contract: openapi.yaml
      target: URL
      settings: { grace: 1s }
      sessions:
        see:
          steps:
            - call: login
              body: { user: me }
            - { call: tell, path: { id: a }, body: {}, save: { seen: "$.heard[0]" }, expect: { status: [200, 400] } }
      load: [{ hold: 2/s, for: 1s }]
      """
    try await Self.withFiles(scenario, respond) { folder in
      for arguments in [["try", "s.yaml"], ["run", "s.yaml", "--http-debug", "--report", "r"]] {
        let said = try await Program().run(arguments, in: folder)
        #expect(said.output.contains("heard") || said.errors.contains("heard"), "\(said)")
        Self.search(said.output + said.errors, for: [cookie], "\(arguments)")
      }
      for (file, text) in try reportTexts(in: folder + "/r") { Self.search(text, for: [cookie], file) }
    }
  }

  /// What an object store says of a request that it rejects may repeat how it was signed.
  @Test func `the text of an object store tells no credentials`() async throws {
    let (key, token) = ("Zq9secret/of+store", "Zq9session-token-0123")
    let server = try WildServer { request, connection in
      let heard = [key, token, request.header("x-amz-security-token") ?? "", request.target].joined(separator: " ")
      connection.answer(
        403, type: "application/xml", body: "<Error><Code>Denied</Code><Message>\(heard)</Message></Error>")
    }
    defer { server.stop() }
    let environment = [
      "AWS_ACCESS_KEY_ID": "AKIA0", "AWS_SECRET_ACCESS_KEY": key, "AWS_SESSION_TOKEN": token, "AWS_REGION": "eu",
    ]
    for url in ["/b/shard.gz", "/b/shard.gz?X-Amz-Signature=Zq9signature0123456789abcdef0123456789"] {
      let said = try await Program().run(["merge", server.url + url], environment: environment)
      #expect(said.status == 2 && said.errors.contains("Denied"), "\(said)")
      if !url.contains("?") { Self.search(said.output + said.errors, for: [key, token], url) }
      #expect(!said.errors.contains("Zq9signature"), "\(said)")
    }
  }

  private static let login = """
    name: Secrets
    contract: openapi.yaml
    target: URL
    settings: { grace: 1s }
    sessions: { login: { steps: [{ call: login, body: { user: me, pin: "1234" } }] } }
    load: [{ hold: 5/s, for: 1s }]
    """

  @Test(arguments: [
    #"{"ticket":"TICKET","a":1"#, #"{"ticket" : "TICKET"#, #"{"a":[{"ticket":"TICKET"}],"#, #"<p>{"ticket":"TICKET"}"#,
  ]) func `a login response that is not whole tells no ticket`(body: String) async throws {
    let respond: WildServer.Responder = { _, connection in
      connection.answer(200, body: body.replacing("TICKET", with: Self.ticket))
    }
    try await Self.withFiles(Self.login, respond) { folder in
      let said = try await Program().run(["run", "s.yaml", "--report", "r"], in: folder)
      #expect(said.status == 1, "\(said)")
      Self.search(said.output + said.errors, for: [Self.ticket], "run")
      for (file, text) in try reportTexts(in: folder + "/r") { Self.search(text, for: [Self.ticket], file) }
      // The evidence is there, without the ticket.
      let evidence = try ResultFile.read(folder + "/r/result.json").findings.compactMap(
        \.evidence?.exchange?.responseBody)
      #expect(evidence.contains { $0.contains("ticket") && $0.contains("***") }, "\(evidence)")
    }
  }

  /// More than 5,000 secrets on one loop: 60 sessions that each save a hundred tickets, and the last of all breaks a limit.
  @Test func `more secrets than can be remembered are told nowhere`() async throws {
    let count = Counter()
    let respond: WildServer.Responder = { request, connection in
      if request.target == "/login" {
        let number = count.add()
        return connection.answer(body: JSONValue.object(["ticket": .string("t1ck3t-\(number)-of-many")]).text)
      }
      // From some thousands on the limiter refuses all: nobody explains that.
      let isLate = count.value > 5_400
      connection.answer(isLate ? 429 : 200, body: "{\"heard\":\"\(request.header("x-thing") ?? "")\"}")
    }
    let scenario = """
      name: Secrets
      contract: openapi.yaml
      target: URL
      settings: { grace: 20s }
      sessions:
        many:
          steps:
            - repeat: 100
              steps:
                - call: login
                  body: { user: me, pin: "1234" }
                  save: { ticket: { path: $.ticket, secret: true } }
            - { call: tell, path: { id: "${ticket}" }, headers: { X-Thing: "${ticket}" }, body: { t: "${ticket}" } }
      load: [{ hold: 60/s, for: 1s }]
      expect:
        limits: { tell: { allow: 3, per: 60s, key: X-Thing } }
        called: off
      """
    try await Self.withFiles(scenario, respond) { folder in
      let said = try await Program().run(["run", "s.yaml", "--report", "r", "--loops", "1"], in: folder)
      #expect(count.value > 5_000, "\(said)")
      let outputs = try reportTexts(in: folder + "/r").merging(["run": said.output + said.errors]) { $1 }
      for (name, text) in outputs {
        #expect(text.firstMatch(of: /t1ck3t-\d+-of-many/) == nil, "\(name)")
      }
      let result = try ResultFile.read(folder + "/r/result.json")
      #expect(result.findings.contains { $0.kind.family == .limit }, "\(result.findings.map(\.message))")
    }
  }
}
