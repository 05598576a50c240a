import Foundation
import Murphy
import Testing
import WildServer

/// Text of a server, a file or an argument that would steer a terminal: none of it leaves murphy as it came.
@Suite(.serialized) struct HostileTextTests {
  /// Clears the screen, an escape of one character, a bell, a backspace, the other text direction.
  private static let hostile = "x\u{1B}[2J\u{9B}31m\u{07}\u{08}\u{7F}\u{202E}y"

  private static func holds(_ line: String, _ said: Program.Outcome, sourceLocation: SourceLocation = #_sourceLocation)
  {
    #expect(
      Shell.controls(in: said.output + said.errors) == [],
      "\(line)\n\((said.output + said.errors).debugDescription.prefix(3000))", sourceLocation: sourceLocation)
  }

  @Test func `no error about a file, a key or an argument holds a control character`() async throws {
    let good = ShopAPI.scenario(url: "http://127.0.0.1:1")
    // As YAML writes them in double quotes; raw ones are not YAML.
    let escaped = #"x\e[2J\x9b31m\a\b\x7f\u202ey"#
    let scenarios = [
      good.replacing("name: Shop", with: "\"\(escaped)\": Shop"),
      good.replacing("buy:", with: "\"\(escaped)\": {}\n  buy:"),
      good.replacing("call: login", with: "call: \"\(escaped)\""),
      good.replacing("contract: shop.yaml", with: "contract: \"\(escaped)\""),
      good.replacing("http://127.0.0.1:1", with: "\"http://\(escaped)\""),
      good.replacing("- call: login", with: "- { call: login, headers: { \"\(escaped)\": \"\(escaped)\" } }"),
      good.replacing("- call: login", with: "- { call: login, body: \"${\(escaped)}\" }"),
      good.replacing("for: 2s", with: "for: \"\(escaped)\""), good + "feeds: { rows: { file: \"\(escaped).csv\" } }\n",
      good.replacing("name: Shop", with: "name: \(Self.hostile)"),
    ]
    try await ShopAPI.withFiles(good) { file in
      let folder = (file as NSString).deletingLastPathComponent
      for (number, text) in scenarios.enumerated() {
        try text.write(toFile: folder + "/\(number).yaml", atomically: true, encoding: .utf8)
        for verb in ["check", "run"] {
          let said = try await Program().run([verb, "\(number).yaml"], in: folder)
          #expect([0, 2, 3].contains(said.status), "\(text)\(said)")
          Self.holds("\(verb) \(text.debugDescription)", said)
        }
      }
      let contract = ShopAPI.contract.replacing(
        "operationId: login", with: "operationId: \"\(escaped)\"\n      \"\(escaped)\": 1")
      try contract.write(toFile: folder + "/c.yaml", atomically: true, encoding: .utf8)
      try "{\"\(Self.hostile)".write(toFile: folder + "/c.json", atomically: true, encoding: .utf8)
      let lines = [
        ["check", "c.yaml"], ["check", "c.json"], ["run", Self.hostile], ["check", Self.hostile],
        ["report", Self.hostile],
        ["report", "c.json"], ["report", "c.json", "--format", Self.hostile], ["jsonpath", Self.hostile, "c.json"],
        ["jsonpath", "$.a", "c.json"], ["run", file, "--target", Self.hostile], ["run", file, "--only", Self.hostile],
        ["run", file, "--target", "http://\(Self.hostile)"],
        ["run", file, "--target", "http://127.0.0.1:1/\(Self.hostile)"],
        ["run", file, "--report", "/proc/\(Self.hostile)"], ["run", file, "--cacert", Self.hostile],
        ["run", file, "--duration", Self.hostile], ["run", file, "--fault", Self.hostile],
        ["run", "--\(Self.hostile)"],
        [Self.hostile], ["serve", Self.hostile], ["serve", "murphys-laws", "--port", Self.hostile],
        ["tune", file, "--what-if", Self.hostile], ["limits", file, "--operation", Self.hostile],
        ["schema", "validate", "--schema", Self.hostile, "c.json"],
      ]
      for arguments in lines {
        let said = try await Program().run(arguments, in: folder)
        #expect(said.status == 2 || said.status == 3, "\(arguments) \(said)")
        Self.holds("\(arguments)", said)
      }
    }
  }

  @Test func `no response of a server reaches the terminal as a command`() async throws {
    let respond: WildServer.Responder = { _, connection in
      let body = JSONValue.object(["error": .string(Self.hostile)]).text
      let raw = "\(Self.hostile) \(body)"
      connection.send(
        "HTTP/1.1 200 \(Self.hostile)\r\nContent-Type: text/\(Self.hostile)\r\nX-\(Self.hostile): \(Self.hostile)\r\n"
          + "Retry-After: \(Self.hostile)\r\nContent-Length: \(raw.utf8.count)\r\n\r\n\(raw)")
    }
    let outcome = OutcomeCase("hostile text", .fail, .fail, respond: respond) { file in
      let said = try await OutcomeCase.murphy(file)
      let folder = OutcomeCase.reports(of: file)
      for format in ["junit", "markdown", "json", "sarif"] {
        Self.holds(format, try await Program().run(["report", folder, "--format", format]))
      }
      return said
    }
    try await outcome.perform { file, said in
      Self.holds("run", said)
      for name in ["result.json", "summary.md", "findings.sarif"] {
        let text = try String(contentsOfFile: OutcomeCase.reports(of: file) + "/" + name, encoding: .utf8)
        #expect(Shell.controls(in: text) == [], "\(name)")
      }
    }
    let fetched = OutcomeCase(
      "contract", .usage, nil, OutcomeCase.shop().replacing("shop.yaml", with: "/api.json"), respond: respond)
    try await fetched.perform { _, said in Self.holds("fetched", said) }
    // The probe of limits meets the same server.
    let limits = OutcomeCase("limits", .noData, .noData, respond: respond) { file in
      try await Program().run(
        [
          "limits", file, "--operation", "listItems", "--quick", "--max-requests", "20", "--max-seconds", "5", "--json",
          "-",
        ])
    }
    try await limits.perform { _, said in Self.holds("limits", said) }
  }
}
