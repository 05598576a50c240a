import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// `murphy init --target`: what it drafts passes where the API does nothing wrong.
@Suite struct MeasuredDraftTests {
  @Test func `measured budgets pass at the API that was measured`() async throws {
    try await FirstScenarioTests.draft(
      FirstScenarioTests.document("murphys-laws"), ["--target", "embedded:murphys-laws"]
    ) { outcome, file in
      #expect(outcome.status == 0 && outcome.errors.contains("measured: "), "\(outcome.errors)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.firstMatch(of: /listLaws: \{ p95: [0-9]+ms \} +# [0-9.]+ ms, [0-9]+ responses/) != nil)
      #expect(text.contains("the calm run received only 404"))
      try await Self.run(file)
    }
  }

  /// Runs a draft, and expects no error but what depends on timing: other tests share the machine.
  static func run(
    _ file: String, _ arguments: [String] = [], environment: [String: String] = [:], duration: String = "10s"
  ) async throws {
    let run = try await Program().run(
      ["run", file, "--duration", duration, "--report", file + ".report", "--output", "json"] + arguments,
      environment: environment)
    let line = try JSONValue.parse(Array(run.output.utf8))
    let errors = (line["findings"]?.array ?? []).filter { finding in
      let kind = finding["kind"]?.string.flatMap { FindingKind(rawValue: $0) }
      return finding["severity"] == "error" && kind?.rule.isTimingSensitive != true
    }
    #expect(line["findings"] != nil && errors.isEmpty, "\(run.output)\(run.errors)")
  }

  /// The bookshop was written without knowledge of `murphy init`.
  @Test(arguments: [[], ["--writes"]])
  func `a server of which only the document is known gets a first verdict`(_ writes: [String]) async throws {
    let shop = try await BookshopProgram()
    defer { shop.end() }
    let token = ["MURPHY_AUTH_BEARER": shop.tokens[0]]
    let document = Repository.root + "/Tests/Support/Bookshop/bookshop.yaml"
    try await FirstScenarioTests.draft(document, ["--target", shop.url] + writes, environment: token) { outcome, file in
      #expect(outcome.status == 0 && outcome.errors.contains("measured: "), "\(outcome.errors)")
      try await Self.run(file, ["--target", shop.url], environment: token)
    }
  }

  /// Stale versions, taken names, names with blanks and ids in place of slugs would be the draft's own mistakes.
  @Test func `a draft of a particular server makes no mistake of its own`() async throws {
    let articles = ParticularServer()
    let server = try WildServer(articles.respond)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let document = folder + "/api.yaml"
      try ParticularServer.contract.write(toFile: document, atomically: true, encoding: .utf8)
      try await FirstScenarioTests.draft(document, ["--target", server.url, "--writes"]) { outcome, file in
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
        for part in [
          #""$.slug""#, #""$.items[*].id""#, #""name":"murphy-${string(8)}""#,
          #""version":"${articleVersion}""#,
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        let before = server.requests.count
        try await Self.run(file)
        let changes = server.requests.dropFirst(before).filter { $0.method == "PUT" }
        #expect(!changes.isEmpty && !changes.contains { $0.target.contains("error-") })
        let sizes = server.requests.filter { $0.target.hasSuffix("/size") }
        #expect(!sizes.isEmpty && sizes.allSatisfy { !$0.target.contains("s-") })
      }
    }
  }

  /// Each user logs in, so that its token and its quota are its own.
  @Test func `a draft of the journal passes without a token of the environment`() async throws {
    try await FirstScenarioTests.draft(
      FirstScenarioTests.document("journal"), ["--target", "embedded:journal", "--writes"]
    ) { outcome, file in
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
      for part in [
        #"body: {"version":"${entryVersion}","#, #"headers: { Authorization: "Bearer ${token}" }"#,
      ] { #expect(text.contains(part), "\(part)\n\(text)") }
      try await Self.run(file)
    }
  }

  @Test func `a target that never responds gives no budgets`() async throws {
    try await FirstScenarioTests.draft(FirstScenarioTests.document("murphys-laws"), ["--target", "http://127.0.0.1:9"])
    { outcome, file in
      #expect(outcome.status == 3, "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}
