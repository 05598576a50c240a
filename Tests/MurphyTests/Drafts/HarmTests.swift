import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// Nothing that was at a target before `init`, `try`, `run` and `explore` is changed or deleted by them.
@Suite(.serialized, .timed) struct HarmTests {
  private static func withDepot(_ body: (Depot, WildServer, String) async throws -> Void) async throws {
    let depot = Depot()
    let server = try WildServer { depot.respond($0, $1) }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let document = folder + "/openapi.yaml"
      try contract.write(toFile: document, atomically: true, encoding: .utf8)
      try await body(depot, server, document)
    }
  }

  private static let hostile = [
    "deleteItems", "patchItems", "putItems", "stopServer", "postShutdown", "again", "purgeCache", "tables", "newToken",
    "leave", "restore_backup", "import-items", "itemsRemove", "launch", "wipeDisk", "keys", "turnOff",
    "restart_service", "updateByQuery",
  ]

  /// True if a list of omitted operations has the name, alone or with others of the same reason.
  private static func names(_ operation: String, in errors: String) -> Bool {
    errors.split(separator: "\n").contains { line in
      guard line.hasPrefix("left out: ") || line.hasPrefix("  ") else { return false }
      return line.split { ":, ".contains($0) }.contains(Substring(operation))
    }
  }

  @Test func `a draft changes only what it created`() async throws {
    try await Self.withDepot { depot, server, document in
      let file = document + ".draft.yaml"
      let drafted = try await Program().run(["init", document, "--writes", "--target", server.url, "-o", file])
      #expect(drafted.status == 0, "\(drafted.errors)")
      #expect(depot.damage == [])
      for name in Self.hostile {
        #expect(Self.names(name, in: drafted.errors), "\(name)\n\(drafted.errors)")
      }
      #expect(
        drafted.errors.contains(#"its path contains "reset"; to include it, use --operation"#), "\(drafted.errors)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for name in [
        "replaceItem", "changeItem", "deleteItem", "archiveItem", "addPage", "deletePage", "addLabel", "deleteLabel",
      ] {
        #expect(text.contains("call: \(name)"), "\(name)\n\(text)")
      }
      // The label is one of an item that the session creates and deletes.
      let session = text.components(separatedBy: "\n  labels:").last ?? ""
      let calls = session.matches(of: /call: (\w+)/).map { String($0.1) }.prefix(4)
      #expect(calls == ["addItem", "addLabel", "deleteLabel", "deleteItem"], "\(text)")
      #expect(session.contains(#""item":"${newItem}""#), "\(session)")
      // Every write is told with what it created.
      #expect(drafted.errors.contains("write requests to the target"), "\(drafted.errors)")
      #expect(drafted.errors.firstMatch(of: /addItem: [0-9]+ × POST 201.*; created [0-9]+/) != nil, "\(drafted.errors)")
      _ = try await Program().run(["try", file, "--target", server.url])
      #expect(depot.damage == [])
      let run = try await Program().run(["run", file, "--target", server.url, "--duration", "5s"])
      #expect(depot.damage == [], "\(run.output)")
      #expect(server.requests.contains { $0.method == "DELETE" })
    }
  }

  /// A POST that only reads is drafted too: its name says so, and its one success is a list.
  @Test func `a draft without writes sends no request that changes data`() async throws {
    try await Self.withDepot { depot, server, document in
      let file = document + ".draft.yaml"
      let drafted = try await Program().run(["init", document, "--target", server.url, "-o", file])
      #expect(drafted.status == 0, "\(drafted.errors)")
      let run = try await Program().run(["run", file, "--target", server.url, "--duration", "3s"])
      let sent = Set(server.requests.filter { !["GET", "HEAD", "OPTIONS"].contains($0.method) }.map(\.target))
      #expect(sent == ["/stock/filter"], "\(drafted.errors)\(run.output)")
      #expect(depot.damage == [] && depot.added == 0)
    }
  }

  @Test func `an operation that is named is drafted`() async throws {
    try await Self.withDepot { depot, server, document in
      let file = document + ".draft.yaml"
      let drafted = try await Program().run(
        ["init", document, "--operation", "purgeCache", "--operation", "deleteItems", "-o", file])
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("call: purgeCache") && text.contains("call: deleteItems"), "\(drafted.errors)\(text)")
      #expect(!text.contains("call: addItem") && !text.contains("call: again"))
      let unknown = try await Program().run(["init", document, "--operation", "purgeCach", "-o", file, "--force"])
      #expect(unknown.status == 2 && unknown.errors.contains(#"Did you mean "purgeCache"?"#), "\(unknown.errors)")
      #expect(depot.damage == [])
    }
  }

  @Test func `an exploration changes only what it created and deletes that`() async throws {
    try await Self.withDepot { depot, server, document in
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(60))
      let explored = try #require(try await ContractExplorer(document, options).run().explored)
      #expect(depot.damage == [])
      let skipped = Set((explored.skipped ?? []).map(\.operation))
      #expect(skipped.isSuperset(of: Self.hostile), "\(skipped)")
      let writes = try #require(explored.writes)
      #expect(writes.count == server.requests.count { !["GET", "HEAD", "OPTIONS"].contains($0.method) })
      #expect(writes.list.contains { $0.operation == "addItem" && $0.item != nil })
      for name in ["deleteItem", "addPage", "deletePage", "addLabel", "deleteLabel"] {
        #expect(explored.operations.first { $0.operation == name }?.succeeded == true, "\(name)")
      }
      let deleted = try #require(explored.deleted)
      #expect(deleted.done == deleted.of && deleted.of > 5, "\(deleted) \(explored.remaining ?? [])")
      #expect(depot.added == 0 && depot.state.withLock { $0.pages.isEmpty })
    }
  }

  @Test func `an exploration that is stopped deletes what it created`() async throws {
    try await Self.withDepot { depot, server, document in
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(60))
      let stop = StopSignal()
      let explorer = try ContractExplorer(document, options)
      let task = Task { try await explorer.run(stop: stop) }
      while depot.added < 3, server.requests.count < 5_000 { try await Task.sleep(for: .milliseconds(5)) }
      stop.request()
      let explored = try #require(try await task.value.explored)
      #expect(depot.damage == [] && depot.added == 0, "\(explored.remaining ?? [])")
    }
  }

  @Test func `ctrl c deletes what an exploration created`() async throws {
    let depot = Depot()
    // Slow, so that the exploration lasts.
    let server = try WildServer { request, connection in
      Thread.sleep(forTimeInterval: 0.02)
      depot.respond(request, connection)
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let document = folder + "/openapi.yaml"
      try Self.contract.write(toFile: document, atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["explore", document, "--target", server.url, "--max-seconds", "100", "--seed", "1"],
        interruptAfter: .seconds(2))
      #expect(outcome.errors.contains("Stopping"), "\(outcome)")
      #expect(server.requests.contains { $0.method == "POST" && $0.target == "/items" })
      #expect(depot.damage == [] && depot.added == 0, "\(outcome)")
    }
  }

  /// What cannot be deleted is listed.
  @Test func `what cannot be deleted is listed`() async throws {
    let depot = Depot()
    let server = try WildServer { request, connection in
      if request.method == "DELETE" { return connection.answer(403, body: "{}") }
      depot.respond(request, connection)
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let document = folder + "/openapi.yaml"
      try Self.contract.write(toFile: document, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.only) = (1, ["addItem"])
      let result = try await ContractExplorer(document, options).run()
      let remaining = try #require(result.explored?.remaining)
      #expect(
        remaining.count == depot.added && remaining.first?.contains("/items/4: status 403") == true, "\(remaining)")
      let text = TerminalDetails(result, width: 200).text
      #expect(text.contains("Not deleted:") && text.contains("/items/4: status 403"), "\(text)")
    }
  }

  /// The same rule for what other tools recorded.
  @Test func `an import keeps only changes of what it creates`() async throws {
    try await withTemporaryFolder { folder in
      let document = folder + "/openapi.yaml"
      try Self.contract.write(toFile: document, atomically: true, encoding: .utf8)
      func entry(_ method: String, _ path: String, _ status: Int, _ body: String, sent: String = "") -> String {
        let data =
          sent.isEmpty ? "" : #","postData":{"mimeType":"application/json","text":\#(JSONValue.string(sent).text)}"#
        return #"""
          {"startedDateTime":"2026-01-01T00:00:00.000Z","time":1,"request":{"method":"\#(method)",
          "url":"http://127.0.0.1:1\#(path)","headers":[],"bodySize":0\#(data)},
          "response":{"status":\#(status),"content":{"mimeType":"application/json","text":\#(JSONValue.string(body).text)}}}
          """#
      }
      let entries = [
        entry("GET", "/items", 200, #"[{"id":1111111111,"name":"first"}]"#),
        entry("DELETE", "/items/1111111111", 204, ""), entry("DELETE", "/items", 204, ""),
        entry("POST", "/shutdown", 204, ""), entry("PUT", "/other/7", 200, ""),
        entry("POST", "/items", 201, #"{"id":2222222222,"name":"mine"}"#, sent: #"{"name":"mine"}"#),
        entry("PATCH", "/items/2222222222", 200, "{}", sent: #"{"name":"new"}"#),
        entry("DELETE", "/items/2222222222", 204, ""),
      ]
      let file = folder + "/session.har"
      try #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.write(
        toFile: file, atomically: true, encoding: .utf8)
      func imported(_ arguments: [String]) async throws -> (Program.Outcome, String) {
        let output = folder + "/imported.yaml"
        let outcome = try await Program().run(
          ["import", file, "--openapi", document, "-o", output, "--force"] + arguments)
        return (outcome, try String(contentsOfFile: output, encoding: .utf8))
      }
      let (outcome, text) = try await imported([])
      let calls = text.matches(of: /call: (\w+)/).map { String($0.1) }
      #expect(calls == ["listItems", "addItem", "changeItem", "deleteItem"], "\(text)")
      for name in ["deleteItems", "postShutdown", "deleteItem", "PUT /other/7"] {
        #expect(outcome.errors.contains("left out: \(name): "), "\(name): \(outcome.errors)")
      }
      let (_, all) = try await imported(["--operation", "deleteItems", "--operation", "deleteItem"])
      #expect(all.contains("call: deleteItems") && all.matches(of: /call: deleteItem\n/).count == 2, "\(all)")
    }
  }
}
