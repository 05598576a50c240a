import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// A table of places for secrets: none of them may be in what `murphy record` and `murphy import` write and say, in no encoding,
/// also where the server says it again.
@Suite(.requires(.curl)) struct SecretTableTests {
  private static func check(_ output: String, _ what: String) {
    for place in SecretCase.all {
      for form in place.forms where output.contains(form) {
        let range = output.range(of: form)
        let shown = range.map { output[..<$0.lowerBound].suffix(160) + form } ?? ""
        Issue.record("\(what), \(place.label) (\(place.number)): \(form)\n…\(shown)")
        break
      }
    }
  }

  private static let respond: WildServer.Responder = { request, connection in
    let path = request.target.prefix { $0 != "?" }
    guard let place = SecretCase.all.first(where: { $0.path == path || $0.path + "/echo" == path }) else {
      return connection.answer(404)
    }
    let isEcho = path.hasSuffix("/echo")
    connection.answer(
      headers: isEcho ? [:] : Dictionary(place.answerHeaders.map { ($0.name, $0.value) }) { $1 },
      body: isEcho ? place.echo : place.answer ?? place.echo)
  }

  /// The table, sent with curl; each secret is said again by another response.
  private static func send(_ folder: String, _ url: String) async throws {
    var transfers: [String] = []
    for place in SecretCase.all {
      var parts = ["-sS -o /dev/null -X POST"]
      for field in place.headers { parts.append("-H '\(field.name): \(field.value)'") }
      if let body = place.body {
        try body.write(toFile: "\(folder)/b\(place.number)", atomically: true, encoding: .utf8)
        parts.append("-H 'Content-Type: \(place.type)' --data-binary @\(folder)/b\(place.number)")
      }
      transfers.append((parts + ["'\(url)\(place.path)\(place.query)'"]).joined(separator: " "))
      transfers.append("-sS -o /dev/null '\(url)\(place.path)/echo'")
    }
    let said = try await Shell.run("curl " + transfers.joined(separator: " --next ")).said
    #expect(said.status == 0, "\(said.errors)")
  }

  @Test func `the proxy keeps no secret`() async throws {
    try await withTemporaryFolder { folder in
      try SecretCase.contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let server = try WildServer(Self.respond)
      defer { server.stop() }
      let own = "Zq99/x+Kw=99~Lm99"
      let user = own.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let program = try WatchedProgram([
        "record", "--target", "http://bob:\(user)@127.0.0.1:\(server.port)", "--openapi", folder + "/api.yaml", "-o",
        folder + "/out.yaml", "-o", folder + "/out.har",
      ])
      defer { program.end() }
      try await Self.send(folder, try await program.proxyURL())
      program.send(SIGTERM)
      let outcome = try await program.outcome()
      let archive = try String(contentsOfFile: folder + "/out.har", encoding: .utf8)
      let draft = try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8)
      Self.check(archive, "archive")
      Self.check(draft, "draft")
      Self.check(outcome.output + outcome.errors, "messages")
      #expect(try JSONValue.parse(Array(archive.utf8)).entries.count == 2 * SecretCase.all.count)
      #expect(draft.contains("sendCase10") && draft.contains("target: \"http://127.0.0.1:\(server.port)\""))
      for text in [archive, draft, outcome.output + outcome.errors] {
        #expect(!text.contains(own) && !text.contains(user))
      }
    }
  }

  @Test func `an import keeps no secret`() async throws {
    try await withTemporaryFolder { folder in
      try SecretCase.contract.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
      let har = JSONValue.object(["log": .object(["entries": .array(SecretCase.all.map(\.entry))])])
      try har.text.write(toFile: folder + "/in.har", atomically: true, encoding: .utf8)
      let said = try await Program().run([
        "import", folder + "/in.har", "--openapi", folder + "/api.yaml", "-o", folder + "/out.yaml", "--target",
        "http://bob:Zq99%2Fx@api.example",
      ])
      #expect(said.status == 0, "\(said.errors)")
      let draft = try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8)
      Self.check(draft, "draft")
      Self.check(said.output + said.errors, "messages")
      #expect(!(draft + said.output + said.errors).contains("Zq99"), "\(draft)")
      #expect(draft.contains("sendCase10"))
    }
  }

  /// Names and values that are no secrets.
  private static let open = """
    {"monkey":"q7W4e9R2t5","keyword":"a1b2c3d4e5","pinned":"a1b2c3d4","author":"Ann1","accessible":"yes1","refreshRate":"60hz",\
    "token_type":"Bearer","max_tokens":4096,"secretary":"Bob1","access":"read-write","session":"morning",\
    "items":[{"name":"user","value":"Carol1"}],"text":"a=b1&c=d2","more":"{\\"x\\":\\"y1\\"}"}
    """

  @Test func `what is no secret stays`() async throws {
    let page = #"<a href="/x?page=2"><name>colour</name><value>teal1</value><Keyword>k1</Keyword></a>"#
    let archive = try await RecordedTarget.recording({ request, connection in
      connection.answer(headers: ["ETag": "a1b2c3"], body: request.target == "/page" ? page : Self.open)
    }) { target in
      try await withTemporaryFolder { folder in
        try Self.open.write(toFile: folder + "/body", atomically: true, encoding: .utf8)
        _ = try await RecordedTarget.curl(
          "-H 'Idempotency-Key: a1b2c3d4e5f6' -H 'Content-Type: application/json' --data-binary @\(folder)/body "
            + "'\(target.proxy.url)/laws/q7W4e9R2t5q7W4e9?keyword=a1b2c3&page=2' --next -sS \(target.proxy.url)/page")
      }
    }
    #expect(!archive.text.contains("murphy-secret"), "\(archive.pretty)")
    #expect(archive.entries[0]["request"]?["postData"]?["text"]?.string == Self.open)
    #expect(archive.entries[1]["response"]?["content"]?["text"]?.string == page)
  }
}
