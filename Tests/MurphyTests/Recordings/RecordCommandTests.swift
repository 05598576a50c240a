import Foundation
import Murphy
import TestSupport
import Testing

/// `murphy record`: what an app did becomes a scenario that does the same.
@Suite(.requires(.curl)) struct RecordCommandTests {
  private static let contract = "\(Repository.scenarios)/openapi.yaml"

  @Test func `what curl did is done by the scenario`() async throws {
    let api = try await ReferenceAPI(named: "murphys-laws").start(ReferenceOptions())
    try await withTemporaryFolder { folder in
      let (scenario, archive) = (folder + "/session.yaml", folder + "/session.har")
      let program = try WatchedProgram([
        "record", "--target", api.url, "--openapi", Self.contract, "-o", scenario, "-o", archive, "--max-seconds",
        "600", "--operation", "voteLaw",
      ])
      defer { program.end() }
      let url = try await program.proxyURL() + "/api/v1"
      let said = try await Shell.run(
        """
        id=$(curl -sS '\(url)/laws?limit=5&sort=score' | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
        curl -sS -d '{"vote_type":"up"}' -H 'Content-Type: application/json' -H 'X-Device-ID: d-1' \(url)/laws/$id/vote
        curl -sS -I \(url)/laws/$id
        curl -sS \(url)/laws/99999999
        """)
      #expect(said.said.status == 0, "\(said.said.errors)")
      program.send(SIGINT)
      let outcome = try await program.outcome()
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let text = try String(contentsOfFile: scenario, encoding: .utf8)
      for line in [
        "draft by `murphy record`", "- call: listLaws", #"query: { limit: 5, sort: "score" }"#, "- call: voteLaw",
        #"path: { id: "${id}" }"#, #"body: {"vote_type":"up"}"#, #"{ method: HEAD, url: "/api/v1/laws/${id}" }"#,
        "expect: { status: [2XX, 404] }", "target: \"\(api.url)\"",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(try await Program().run(["check", scenario]).status == 0)
      let tried = try await Program().run(["try", scenario, "--brief"])
      let sent = tried.output.matches(of: /→ ([A-Z]+) http:\/\/[0-9.:]+(\S+)/).map { "\($0.1) \($0.2)" }
      let id = try #require(tried.output.firstMatch(of: /saved id = ([0-9]+)/)).1
      #expect(
        sent == [
          "GET /api/v1/laws?limit=5&sort=score", "POST /api/v1/laws/\(id)/vote", "HEAD /api/v1/laws/\(id)",
          "GET /api/v1/laws/99999999",
        ], "\(tried.output)")
      // The archive gives the same scenario.
      let imported = try await Program().run([
        "import", archive, "--openapi", Self.contract, "-o", "-", "--operation", "voteLaw",
      ])
      let steps = { (text: String) in text.components(separatedBy: "sessions:").last }
      #expect(imported.status == 0 && steps(imported.output) == steps(text), "\(imported.output)\(imported.errors)")
    }
    await api.stop()
  }

  @Test func `a recording of nothing says so`() async throws {
    try await withTemporaryFolder { folder in
      let outcome = try await Program().run(
        ["record", "--target", "http://127.0.0.1:1", "--max-seconds", "0.1", "-o", folder + "/x.har"])
      #expect(
        outcome.status == 5 && outcome.errors == "murphy: no request was received, so no file was written.\n",
        "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/x.har"))
    }
  }

  @Test func `what cannot become a scenario is kept`() async throws {
    try await withTemporaryFolder { folder in
      let program = try WatchedProgram([
        "record", "--target", "http://127.0.0.1:\(try FreePort.find())", "--openapi", Self.contract, "-o",
        folder + "/x.yaml",
      ])
      defer { program.end() }
      _ = try await RecordedTarget.curl(try await program.proxyURL() + "/api/v1/laws")
      program.send(SIGINT)
      let outcome = try await program.outcome()
      #expect(
        outcome.status == 2 && outcome.errors.contains("The recording is in \(folder)/x.yaml.har."), "\(outcome.errors)"
      )
      let archive = try String(contentsOfFile: folder + "/x.yaml.har", encoding: .utf8)
      #expect(archive.contains("The target did not respond"))
    }
  }

  @Test func `what cannot begin is rejected before anybody works`() async throws {
    try await withTemporaryFolder { folder in
      try "kept".write(toFile: folder + "/old.har", atomically: true, encoding: .utf8)
      try "a: 1".write(toFile: folder + "/none.yaml", atomically: true, encoding: .utf8)
      let target = ["--target", "http://127.0.0.1:1"]
      for (arguments, status, words) in [
        (target + ["-o", folder + "/old.har"], 2, "old.har already exists"),
        (target + ["-o", "x.yaml"], 2, "--openapi FILE"),
        (target + ["-o", folder + "/x.yaml", "--openapi", folder + "/none.yaml"], 2, "none.yaml"),
        (target + ["--listen", "70000"], 2, "--listen takes a port"), (["--target", "ftp://x"], 2, "http://"),
        (["--target", "http://none.invalid", "-o", folder + "/x.har"], 3, "cannot resolve the host name"),
      ] {
        let outcome = try await Program().run(["record"] + arguments)
        #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome)")
      }
    }
  }
}
