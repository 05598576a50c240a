import Foundation
import Murphy
import Testing
import WildServer

/// Small things that a person meets in the first minute.
@Suite(.serialized) struct FirstMinuteTests {
  @Test func `murphy alone shows its main commands in five lines`() async throws {
    let said = try await Program().run([])
    #expect(said.status == 0 && said.output.split(separator: "\n").count == 5, "\(said)")
    for part in ["  murphy init ", "  murphy run ", "  murphy explore ", "`murphy --help`"] {
      #expect(said.output.contains(part), "\(part)\n\(said)")
    }
  }

  @Test func `a byte order mark is not part of a file`() async throws {
    try await ShopAPI.withFiles(OutcomeCase.shop().replacing("URL", with: "http://127.0.0.1:1")) { file in
      let folder = (file as NSString).deletingLastPathComponent
      for name in ["shop.yaml", "scenario.yaml"] {
        let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        try ("\u{FEFF}" + text).write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      for name in ["shop.yaml", "scenario.yaml"] {
        let said = try await Program().run(["check", name], in: folder)
        #expect(said.status == 0, "\(name): \(said)")
      }
    }
  }

  @Test func `additionalProperties false is not a mistake of OpenAPI 3.0`() async throws {
    let contract = ShopAPI.contract.replacing("openapi: 3.1.0", with: "openapi: 3.0.3")
      .replacing("{ type: object }", with: "{ type: object, additionalProperties: false }")
    try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/c.yaml", atomically: true, encoding: .utf8)
      let said = try await Program().run(["check", "c.yaml"], in: folder)
      #expect(said.status == 0 && said.output.contains("no errors"), "\(said)")
    }
  }

  @Test func `a dumb terminal gets no escape sequence, and a better one a line that is written again`() async throws {
    let server = try WildServer(OutcomeCase.healthy)
    defer { server.stop() }
    let scenario = OutcomeCase.shop(load: "[{ hold: 20/s, for: 3s }]").replacing("URL", with: server.url)
    try await ShopAPI.withFiles(scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      for (terminal, isLive) in [("dumb", false), ("xterm", true)] {
        // `script` gives the program a terminal.
        let line = "script -qec '\"$MURPHY\" run scenario.yaml --report r' /dev/null < /dev/null"
        let said = try await Shell.run(line, in: folder, environment: ["TERM": terminal, "NO_COLOR": ""]).said
        // Other tests share the machine: the run may be late (4) or see too little (5).
        #expect([0, 4, 5].contains(said.status), "\(said)")
        #expect(said.output.contains("\u{1B}[2K") == isLive, "\(terminal) \(said.output.debugDescription)")
        #expect(said.output.contains("\u{1B}[") == isLive, "\(terminal)")
        #expect(["PASS", "INVALID", "NO DATA"].contains { said.output.contains($0) })
      }
    }
  }

  @Test func `a feed that cannot be read is the only mistake`() async throws {
    let text =
      OutcomeCase.shop(steps: "- { call: listItems, headers: { X-A: \"${rows.a}\" } }")
      .replacing("URL", with: "http://127.0.0.1:1") + "\nfeeds: { rows: { file: rows.csv } }\n"
    try await ShopAPI.withFiles(text) { file in
      let said = try await Program().run(["check", file])
      #expect(said.status == 2 && said.output.contains("1 error"), "\(said)")
      #expect(said.errors.contains("rows.csv") && !said.errors.contains("unknown variable"), "\(said)")
    }
  }

  @Test(arguments: ["http://127.0.0.1:99999", "http://127.0.0.1:-1", "http://127.0.0.1:port"])
  func `a port that is none is a mistake of the call`(url: String) async throws {
    try await ShopAPI.withFiles(OutcomeCase.shop().replacing("URL", with: "http://127.0.0.1:1")) { file in
      let said = try await Program().run(["run", file, "--target", url])
      #expect(said.status == 2, "\(said)")
      #expect(said.errors.localizedStandardContains("port") && !said.errors.contains("refused"), "\(said)")
    }
  }
}
