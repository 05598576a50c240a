import MurphyContract
import MurphyEngine
import MurphyHTTP
import Testing

/// When the first responses of a load show that it goes to a wrong place, or without credentials.
@Suite struct OpeningWatchTests {
  private static let contract = try? Contract.parse(
    """
    openapi: 3.1.0
    info: { title: Shop, version: "1" }
    servers: [{ url: /api/v1 }]
    paths:
      /items: { get: { operationId: listItems, responses: { "200": { description: all } } } }
      /today: { get: { operationId: today, responses: { "200": { description: one }, "404": { description: none } } } }
      /items/{id}:
        get:
          operationId: getItem
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          responses: { "200": { description: one } }
    """, file: "/tmp/shop.yaml")

  private static let (list, today, item) = (0, 1, 2)

  /// So many responses with one status, on two loops.
  private func fault(
    _ status: Int, _ operations: [Int], count: Int = 12, body: String = "{}", isMeant: Bool = false,
    other: Int? = nil, speaksTLS: Bool = false
  ) throws -> String? {
    let contract = try #require(Self.contract)
    var loops = [Opening(), Opening()]
    for number in 0..<count {
      let operation = operations[number % operations.count]
      Array(body.utf8).withUnsafeBytes {
        loops[number % 2].recordEnd(
          operation, status: status, target: "/items?token=secret", body: $0, isMeant: isMeant)
      }
    }
    if let other { loops[1].recordEnd(operations[0], status: other, target: "/items", isMeant: false) }
    let watch = OpeningWatch(
      contract: contract, origin: try Origin("http://127.0.0.1:8080"), missing: { _ in ["MURPHY_AUTH_KEY"] },
      speaksTLS: { speaksTLS })
    return watch.fault(loops)
  }

  @Test func `what all responses have in common is named with what to do`() throws {
    let wrongPath = try #require(try fault(404, [Self.list, Self.item]))
    #expect(wrongPath.contains("Is the base path of the target right?") && wrongPath.contains("/api/v1"))
    #expect(wrongPath.contains("the first 12 responses had status 404") && !wrongPath.contains("secret"))
    #expect(try fault(401, [Self.list])?.contains("MURPHY_AUTH_KEY is not set") == true)
    #expect(try fault(403, [Self.list])?.contains("proxy or firewall") == true)
    #expect(try fault(401, [Self.list], other: 403)?.contains("the first 13 responses had status 401 or 403") == true)
    #expect(try fault(421, [Self.list])?.contains("host name") == true)
    let hint = "Did you mean https://127.0.0.1:8080?"
    #expect(try fault(400, [Self.list], body: "<h1>sent to HTTPS port</h1>")?.contains(hint) == true)
    #expect(try fault(0, [Self.list], speaksTLS: true)?.contains(hint) == true)
  }

  @Test func `a load goes on whose responses may be meant`() throws {
    #expect(try fault(404, [Self.item]) == nil, "no item may have these ids")
    #expect(try fault(404, [Self.today]) == nil, "a documented status of one operation")
    #expect(try fault(404, [Self.list], isMeant: true) == nil)
    #expect(try fault(401, [Self.list], count: 9) == nil, "too few")
    #expect(try fault(401, [Self.list], other: 200) == nil)
    #expect(try fault(400, [Self.list]) == nil)
    #expect(try fault(0, [Self.list]) == nil, "an outage")
    #expect(try fault(500, [Self.list]) == nil)
    #expect(try fault(429, [Self.list]) == nil)
  }
}
