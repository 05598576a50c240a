import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// The requests of an exploration on an API with many operations and empty lists.
@Suite(.serialized, .timed) struct ExploreBreadthTests {
  private static let collections = 18

  /// Collections with a list, items, and a list below each item that stays empty.
  private static let contract: String = {
    let draft = """
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name],
        properties: { name: { type: string, maxLength: 40 }, size: { type: integer, minimum: 0, maximum: 99 } } } } } }
      """
    let parameter = "{ name: id, in: path, required: true, schema: { type: string } }"
    let paths = (0..<collections).map { number in
      """
        /c\(number):
          get: { operationId: list\(number), responses: { "200": *list } }
          post: { operationId: add\(number), \(draft), responses: { "201": *item, "400": *error } }
        /c\(number)/{id}:
          get: { operationId: get\(number), parameters: [\(parameter)], responses: { "200": *item, "404": *error } }
        /c\(number)/{id}/parts:
          get: { operationId: parts\(number), parameters: [\(parameter)], responses: { "200": *list, "404": *error } }
        /c\(number)/{id}/parts/{part}:
          get: { operationId: part\(number), responses: { "200": *item, "404": *error },
            parameters: [\(parameter), { name: part, in: path, required: true, schema: { type: string } }] }
      """
    }
    return """
      openapi: 3.0.3
      info: { title: Wide, version: "1" }
      x-item: &item { description: one, content: { application/json: { schema: &schema { type: object,
        properties: { id: { type: string } } } } } }
      x-list: &list { description: all, content: { application/json: { schema: { type: array, items: *schema } } } }
      x-error: &error { description: bad, content: { application/json: {} } }
      paths:
      \(paths.joined(separator: "\n"))
      """
  }()

  /// Every third collection rejects all creations.
  private static func respond(_ request: WildRequest, _ connection: WildConnection, _ items: Counter) {
    let segments = request.target.prefix { $0 != "?" }.split(separator: "/")
    let number = segments.first.flatMap { Int($0.dropFirst()) } ?? 0
    let body = request.method == "HEAD" ? "" : "{}"
    switch (request.method, segments.count) {
    case ("GET", 1): connection.answer(200, body: "[]")
    case ("POST", 1):
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      guard number % 3 != 2, sent?["name"] is String else { return connection.answer(400, body: "{}") }
      connection.answer(201, body: #"{"id":"i\#(items.add())"}"#)
    case ("GET", 2) where segments[1].hasPrefix("i"): connection.answer(200, body: #"{"id":"\#(segments[1])"}"#)
    case ("GET", 3) where segments[1].hasPrefix("i"): connection.answer(200, body: "[]")
    default: connection.answer(404, body: body)
    }
  }

  private static func explore(
    _ contract: String = contract, _ change: (inout ExploreOptions) -> Void
  ) async throws -> (result: RunResult, requests: [WildRequest]) {
    let items = Counter()
    let server = try WildServer { respond($0, $1, items) }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(120))
      change(&options)
      let result = try await ContractExplorer(file, options).run()
      return (result, server.requests)
    }
  }

  /// `GET /c0/{}/parts`
  private static func operation(_ request: WildRequest) -> String {
    let path = request.target.prefix { $0 != "?" }.split(separator: "/")
    let shape = path.enumerated().map { $0.offset % 2 == 1 ? "{}" : String($0.element) }
    return "\(request.method) /" + shape.joined(separator: "/")
  }

  @Test func `every operation is called before one is called often`() async throws {
    let (result, requests) = try await Self.explore { $0.mostRequests = 5 * Self.collections * 10 }
    let called = Set(requests.prefix(5 * Self.collections * 6).map(Self.operation))
    let wanted = (0..<Self.collections).flatMap { number in
      [
        "GET /c\(number)", "POST /c\(number)", "GET /c\(number)/{}", "GET /c\(number)/{}/parts",
        "GET /c\(number)/{}/parts/{}",
      ]
    }
    #expect(wanted.filter { !called.contains($0) } == [])
    // Each creation also got a request without a valid name.
    let creations = requests.filter { $0.method == "POST" }
    let invalid = creations.filter { request in
      let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
      return !(sent?["name"] is String)
    }
    #expect(Set(invalid.map(Self.operation)).count == Self.collections)
    let explored = try #require(result.explored)
    let all = 5 * Self.collections
    #expect(
      explored.untried.contains { $0.hasPrefix("\(all) of \(all) operations were called, and ") }, "\(explored.untried)"
    )
    #expect(explored.untried.contains { $0.contains("add2") && $0.contains("(400)") }, "\(explored.untried)")
  }

  @Test func `an empty list is read again only after a creation`() async throws {
    let (_, requests) = try await Self.explore { options in
      options.only = ["part0", "part1", "part3", "part4", "part6", "part7"]
    }
    let parts = requests.filter { $0.target.hasSuffix("/parts") && $0.method == "GET" }
    // Two waits, and one read for each way to prepare the request.
    #expect(parts.count < 60, "\(parts.map(\.target))")
    // The list of a collection that rejects creations is not waited for. Each preparation is tried twice.
    let few = try await Self.explore { $0.only = ["get2"] }.requests
    #expect(few.count { $0.target == "/c2" && $0.method == "GET" } < 6, "\(few.map(\.target))")
    #expect(few.count { $0.method == "POST" } < 8, "\(few.map(\.target))")
  }

  @Test func `a seed repeats the requests and another one sends others`() async throws {
    var sent: [[String]] = []
    for seed: UInt64 in [1, 1, 2, 3, 4] {
      let (_, requests) = try await Self.explore { ($0.seed, $0.only) = (seed, ["add0", "get0", "list0"]) }
      sent.append(requests.map { "\($0.method) \($0.target) \(String(decoding: $0.body, as: UTF8.self))" })
    }
    #expect(sent[0] == sent[1])
    #expect(Set(sent).count == 4)
    // The order of the cases differs as well, and not only the values.
    let targets = sent.map { requests in requests.filter { $0.hasPrefix("GET") } }
    #expect(Set(targets).count > 1)
  }

  @Test func `random requests use the rest of the time`() async throws {
    let planned = try await Self.explore { $0.only = ["add0"] }
    let (result, requests) = try await Self.explore {
      ($0.only, $0.time, $0.invents) = (["add0"], .seconds(8), true)
    }
    #expect(requests.count > planned.requests.count)
    let row = try #require(result.explored?.operations.first)
    #expect(row.cases["random", default: 0] > planned.result.explored?.operations.first?.cases["random"] ?? 0)
    // All planned cases were tested.
    #expect(result.explored?.untried.contains { $0.hasPrefix("--max-") } == false, "\(result.explored?.untried ?? [])")
  }

  @Test func `an operation without a request has a reason`() async throws {
    let (result, _) = try await Self.explore { $0.mostRequests = 5 }
    let untried = try #require(result.explored?.untried)
    #expect(untried.contains { $0.contains("were not called: ") && $0.contains("--max-requests ended") }, "\(untried)")
  }
}
