import Foundation
import Murphy
import MurphyModel
import Synchronization
import TestSupport
import Testing
import WildServer

/// Thirty writes of one user, against servers that fail from one of them on with a documented status 500.
@Suite(.serialized) struct FailureCauseTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Items, version: "1" }
    paths:
      /items:
        get:
          operationId: listItems
          responses:
            "200": &list { description: all, content: { application/json: { schema: { type: object } } } }
            "500": *list
        post:
          operationId: addItem
          requestBody:
            required: true
            content: { application/json: { schema: { type: object } } }
          responses:
            "201": { description: added, content: { application/json: { schema: { type: object } } } }
            "500": { description: trouble, content: { application/json: { schema: { type: object } } } }
    """

  private static let scenario = """
    name: Items
    contract: openapi.yaml
    target: URL
    sessions:
      add:
        steps:
          - call: addItem
            body: { quantity: "${int(6, 7)}" }
    load: { stages: [{ users: 1, for: 20s }], iterations: 30 }
    """
  private static let writes = 30

  private struct Items {
    var writes = 0
    var isBroken = false
  }

  /// - Parameters:
  ///   - step: another step of the session.
  ///   - fails: decides by the number of the request, from 1.
  private static func run(
    calling step: String? = nil, _ fails: @escaping @Sendable (_ items: inout Items, _ isSeven: Bool) -> Bool
  ) async throws -> RunAgreement {
    let items = Mutex(Items())
    let server = try WildServer { request, connection in
      let isSeven = request.body.contains(UInt8(ascii: "7"))
      let isFailed = items.withLock { items in
        items.writes += 1
        return fails(&items, isSeven)
      }
      connection.answer(isFailed ? 500 : request.method == "POST" ? 201 : 200)
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      let own = "call: addItem\n        body: { quantity: \"${int(6, 7)}\" }"
      try scenario.replacing("URL", with: server.url).replacing(own, with: step ?? own)
        .write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      return try await RunAgreement.of(folder + "/scenario.yaml")
    }
  }

  /// True if an earlier write has broken the server; a write of 7 breaks it.
  private static func breaks(_ items: inout Items, _ isSeven: Bool) -> Bool {
    if items.isBroken { return true }
    items.isBroken = isSeven
    return false
  }

  @Test func `the write after which all writes fail is named with its body`() async throws {
    let said = try await Self.run(Self.breaks)
    said.expect(.fail)
    let lead = try #require(said.result.findings.first)
    #expect(lead.message.contains("addItem failed from "), "\(lead)")
    #expect(lead.message.contains("on, directly after POST /items {\"quantity\":7} (201): "), "\(lead)")
    #expect(lead.details.contains("The target did not recover after the load."), "\(lead)")
    #expect(lead.details.contains { $0.contains("restart the target and run: curl ") }, "\(lead)")
    let errors = said.result.findings.filter { $0.severity == .error }
    #expect(errors.count > 1)
    #expect(errors.dropFirst().allSatisfy { $0.details.first?.hasPrefix("Caused by: addItem failed from ") == true })
    // Its lines are wrapped.
    let output = said.outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(output.contains(", caused by finding 1)"), "\(output)")
    #expect(said.summary.contains("caused by finding 1"), "\(said.summary)")
  }

  @Test func `after a restart of the server the write alone reproduces the failure`() async throws {
    let said = try await Self.run { items, isSeven in
      guard items.writes == Self.writes + 1 else { return Self.breaks(&items, isSeven) }
      items.isBroken = false
      return false
    }
    said.expect(.fail)
    let lead = try #require(said.result.findings.first)
    #expect(lead.message.contains("after POST /items {\"quantity\":7} ("), "\(lead)")
    #expect(lead.message.contains("), reproduced with this request alone: "), "\(lead)")
    #expect(lead.details.contains { $0.hasPrefix("Reproduced: addItem fails after this single request: ") }, "\(lead)")
    #expect(lead.evidence?.curl?.text.contains("\"quantity\":7") == true, "\(lead)")
  }

  @Test func `a server that recovers after the load has no reason for its failure`() async throws {
    for step in [nil, "call: listItems"] {
      let said = try await Self.run(calling: step) { items, _ in (16...Self.writes).contains(items.writes) }
      said.expect(.fail)
      let lead = try #require(said.result.findings.first)
      #expect(lead.message.contains("on, and the target recovered after the load: "), "\(lead)")
      #expect(lead.details.contains { $0.hasSuffix(": the target has recovered.") }, "\(lead)")
      #expect(!"\(lead)".contains("under a load") && !"\(lead)".contains("needs the load"), "\(lead)")
    }
  }

  @Test func `a server that fails to the end without a write has not changed by a request`() async throws {
    let said = try await Self.run(calling: "call: listItems") { items, _ in items.writes > 15 }
    said.expect(.fail)
    let lead = try #require(said.result.findings.first)
    #expect(lead.message.contains("failed from "), "\(lead)")
    #expect(lead.details.contains("The target did not recover after the load."), "\(lead)")
    #expect(!"\(lead)".contains("restart the target"), "\(lead)")
  }
}
