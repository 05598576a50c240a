import Foundation
import Murphy
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Writes that the contract does not describe and the API accepts: their numbers lie behind the contract's operations.
@Suite(.serialized) struct UndocumentedWriteTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Shop, version: "1" }
    paths:
      /items:
        get:
          operationId: listItems
          parameters: [{ name: limit, in: query, schema: { type: integer } }]
          responses:
            "200":
              description: items
              content:
                application/json:
                  schema:
                    type: object
                    required: [data, total]
                    properties:
                      total: { type: integer }
                      data: { type: array, items: { $ref: "#/components/schemas/Item" } }
      /items/{id}:
        get:
          operationId: getItem
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses:
            "200":
              description: an item
              content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } }
    components:
      schemas:
        Item:
          type: object
          required: [id, name]
          properties: { id: { type: integer }, name: { type: string } }
    """

  private static let scenario = """
    name: Writes
    contract: openapi.yaml
    target: URL
    seed: 3
    sessions:
      write:
        steps:
          - call: listItems
            query: { limit: 5 }
            save: { ids: "$.data[*].id" }
          - call: { method: POST, url: "/items/${pick(ids)}/vote" }
          - call: { method: POST, url: /items }
            body: { name: new }
          - call: { method: DELETE, url: "/items/${pick(ids)}" }
          - call: getItem
            path: { id: 1 }
    load: [{ hold: 10/s, for: 1s }]
    """

  private static func respond(_ request: WildRequest, _ connection: WildConnection) {
    let item = #"{"id":1,"name":"a"}"#
    switch (request.method, request.target.contains("/1")) {
    case ("DELETE", _): connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    case ("POST", true): connection.answer(200, body: item)
    case ("POST", false):
      connection.send(
        "HTTP/1.1 201 Created\r\nLocation: /items/1\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(item.utf8.count)\r\n\r\n\(item)")
    case (_, true): connection.answer(body: item)
    default: connection.answer(body: #"{"total":1,"data":[\#(item)]}"#)
    }
  }

  private func withShop(_ body: (_ folder: String, _ url: String) async throws -> Void) async throws {
    let server = try WildServer(Self.respond)
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/openapi.yaml", atomically: true, encoding: .utf8)
      try Self.scenario.replacing("URL", with: server.url)
        .write(toFile: folder + "/s.yaml", atomically: true, encoding: .utf8)
      try await body(folder, server.url)
    }
  }

  /// A status that murphy chose: no signal ended it, and it did not crash.
  private func check(_ outcome: Program.Outcome, _ command: String) {
    #expect((0...5).contains(outcome.status), "\(command): \(outcome)")
    #expect(!outcome.errors.contains("crashed"), "\(command): \(outcome.errors)")
  }

  @Test func `no verb crashes`() async throws {
    try await withShop { folder, url in
      for shard in 1...2 {
        let shards = try await Program().run(
          ["run", "s.yaml", "--shard", "\(shard)/2", "--report", "p\(shard)"], in: folder)
        check(shards, "shard \(shard)")
      }
      for command in [
        "run s.yaml --report r", "run s.yaml --report r2 --baseline r", "report r", "trend r r2 --report t",
        "compare r r2", "compare s.yaml --base \(url) --candidate \(url) --slice 1s --max-seconds 10",
        "merge p1 p2 --report m", "merge p1 p2 --output m.gz --report m2", "merge p1 --tolerate-lost 1 --report m3",
        "try s.yaml", "check s.yaml", "check s.yaml --relations",
        "limits s.yaml --operation listItems --max-seconds 3 --max-requests 20 --quick --i-may-test-this-target",
        "limits s.yaml --operation 'POST /items' --max-seconds 3 --max-requests 20 --quick --i-may-test-this-target",
        "tune s.yaml --operation listItems --sessions 100 --what-if '30/60s key=address'",
        "tune s.yaml --operation 'POST /items' --sessions 100 --what-if '30/60s key=address'",
        "capacity s.yaml --at-least 5/s --max 5/s --window 2s --max-seconds 20",
      ] {
        let outcome = try await Shell.run("\"$MURPHY\" \(command)", in: folder).said
        check(outcome, command)
      }
      for report in ["r", "r2", "m"] {
        let result = try ResultFile.read("\(folder)/\(report)/result.json")
        #expect(result.operations.contains { $0.operation.hasPrefix("POST /items") && $0.undocumented == true })
        #expect(result.relations?.isEmpty == false)
      }
    }
  }
}
