import Foundation
import MurphyModel
import Synchronization
import TestSupport
import Testing
import WildServer

/// A draft's load is one that its server keeps up with.
@Suite struct DraftLoadTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Archive, version: "1" }
    paths:
      /records: { get: { operationId: listRecords, responses: { "200": { description: all } } } }
    """

  /// New users a second of the steady load that `init --target` drafts.
  private static func rate(_ server: WildServer) async throws -> Double {
    try await withTemporaryFolder { folder in
      let (document, file) = (folder + "/openapi.yaml", folder + "/draft.yaml")
      try contract.write(toFile: document, atomically: true, encoding: .utf8)
      let outcome = try await Program().run(["init", document, "--target", server.url, "-o", file])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let hold = try #require(text.firstMatch(of: /hold: ([0-9.]+)\/s/), "\(text)")
      return try #require(Double(hold.1))
    }
  }

  @Test func `a server with one worker is not overloaded`() async throws {
    // Two requests a second, in the order in which they came.
    let free = Mutex(Instant.now)
    let slow = try WildServer { _, connection in
      let end = free.withLock { free in
        free = max(free, .now) + 500_000_000
        return free
      }
      connection.pause(milliseconds: Int(max(end - .now, 0) / 1_000_000))
      connection.answer(200, body: "{}")
    }
    defer { slow.stop() }
    let held = try await Self.rate(slow)
    #expect(held <= 2, "\(held)")
    let quick = try WildServer { $1.answer(200, body: "{}") }
    defer { quick.stop() }
    #expect(try await Self.rate(quick) == 10)
  }
}
