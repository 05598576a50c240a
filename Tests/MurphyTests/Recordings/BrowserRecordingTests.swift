import Foundation
import HeadlessBrowser
import Murphy
import MurphyReport
import TestSupport
import Testing

/// What a browser saves of a page becomes a scenario that asks the API for the same.
@Suite(.requires(.chromium), .timed) struct BrowserRecordingTests {
  private static let contract = "\(Repository.scenarios)/openapi.yaml"

  /// A request as the API counts it: ids of laws are numbers in the order in which they come.
  private struct Sent: Equatable, CustomStringConvertible {
    var description: String

    init(_ method: String, _ target: String, _ body: String?, _ ids: inout [String]) {
      let path = target.replacing(/(\/laws\/)([0-9]+)/) { match -> String in
        if !ids.contains(String(match.2)) { ids.append(String(match.2)) }
        return "\(match.1)#\((ids.firstIndex(of: String(match.2)) ?? 0) + 1)"
      }
      let value = body.flatMap { try? JSONValue.parse(Array($0.utf8)) }
      description = "\(method) \(path) \(value?.text ?? body ?? "")"
    }
  }

  /// What the page asked the API for, preflight requests and abandoned ones apart.
  private static func asked(_ archive: JSONValue, _ api: String) -> [Sent] {
    var ids: [String] = []
    return archive.entries.filter { entry in
      entry["request"]?["url"]?.string?.hasPrefix(api + "/") == true && entry["request"]?["method"] != "OPTIONS"
        && entry["response"]?["status"] != 0 && entry["_fromCache"] == nil
    }.map { entry in
      let request = entry["request"] ?? .null
      return Sent(
        request["method"]?.string ?? "", String((request["url"]?.string ?? "").dropFirst(api.count)),
        request["postData"]?["text"]?.string, &ids)
    }
  }

  private static func save(_ page: BrowserPage, _ isSanitized: Bool, _ file: String) throws -> JSONValue {
    let archive = try page.takeArchive(isSanitized: isSanitized)
    try archive.pretty.write(toFile: file, atomically: true, encoding: .utf8)
    return archive
  }

  @Test(arguments: [false, true]) func `what a page asked is asked by the scenario`(isSanitized: Bool) async throws {
    let api = try await ReferenceAPI(named: "murphys-laws").start(ReferenceOptions())
    let pages = try LawsPage(api: api.url)
    defer { pages.stop() }
    try await withTemporaryFolder { folder in
      let (file, scenario) = (folder + "/page.har", folder + "/page.yaml")
      let archive = try await onThread {
        let browser = try Chromium()
        defer { browser.close() }
        let page = try BrowserPage(browser)
        try pages.use(page)
        return try Self.save(page, isSanitized, file)
      }
      let asked = Self.asked(archive, api.url)
      #expect(
        asked.count == 7 && Set(archive.entries.map { $0["request"]?["method"] }).contains("OPTIONS"),
        "\(archive.pretty)")
      let said = try await Program().run([
        "import", file, "--openapi", Self.contract, "-o", scenario, "--operation", "voteLaw",
      ])
      try #require(said.status == 0, "\(said.errors)")
      let text = try String(contentsOfFile: scenario, encoding: .utf8)
      let left = said.errors.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
      #expect(left.contains { $0.contains(" to \(pages.url)") }, "\(left)")
      #expect(!left.contains { $0.contains("voteLaw") }, "\(left)")
      #expect(left.contains("left out: 1 request that the browser's cache or a worker served"), "\(left)")
      #expect(
        !text.contains("hush") && !text.contains("OPTIONS") && !text.contains("collect") && !text.contains("words"),
        "\(text)")
      for line in [
        "target: \"\(api.url)\"", #"query: { sort: "score", limit: 5 }"#, #"query: { q: "ev", limit: 5 }"#,
        #"query: { q: "everything", limit: 5 }"#, #"save: { id: "$.data[0].id" }"#, #"path: { id: "${id}" }"#,
        #"body: {"vote_type":"up"}"#, "- think: ", #"client: { headers: { X-Device-ID: "${uuid()}" } }"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(try await Program().run(["check", scenario]).status == 0)
      // Between murphy and the API, murphy's own proxy sees what is sent.
      let replayed = try await RecordedTarget.recording(api.url) { proxy in
        let said = try await Program().run(["try", scenario, "--target", proxy.url])
        #expect(said.status == 0, "\(said.output)\(said.errors)")
      }
      #expect(Self.asked(replayed, api.url) == asked, "\(text)")
      let run = try await Program().run([
        "run", scenario, "--duration", "4s", "--load", "0.2", "--report", folder + "/r",
      ])
      // Others may share the machine, so a run may be late (4), have too few samples (5) or break a budget (1).
      #expect([0, 1, 4, 5].contains(run.status), "\(run.output)\(run.errors)")
      let errors = try ResultFile.read(folder + "/r/result.json").findings.filter {
        $0.severity == .error && !$0.kind.rule.isTimingSensitive
      }
      #expect(errors.isEmpty, "\(errors.map(\.message))")
    }
    await api.stop()
  }
}
