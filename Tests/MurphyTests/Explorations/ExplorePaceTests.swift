import Foundation
import Murphy
import Synchronization
import Testing
import WildServer

/// The number of users of an exploration, and requests for items that cannot be created.
@Suite(.serialized, .timed) struct ExplorePaceTests {
  private static let paths = (0..<40).map { "  /c\($0):\n    get: { operationId: c\($0), responses: \(ok) }" }
    .joined(separator: "\n")
  private static let ok = ExploreNamesTests.ok

  /// The largest number of requests that the server handled at the same time.
  private static func concurrency(
    after pause: Double, _ change: (inout ExploreOptions) -> Void = { _ in }
  ) async throws -> Int {
    let open = Mutex((now: 0, most: 0))
    let (result, _) = try await ExploreNamesTests.explore(paths, change) { _, _ in
      open.withLock { open in
        open.now += 1
        open.most = max(open.most, open.now)
      }
      Thread.sleep(forTimeInterval: pause)
      open.withLock { $0.now -= 1 }
      return (200, "{}")
    }
    #expect(ExploreNamesTests.succeeded(result).count == 40)
    return open.withLock { $0.most }
  }

  @Test func `a slow API gets several users`() async throws {
    let most = try await Self.concurrency(after: 0.1)
    #expect((2...8).contains(most), "\(most) requests at the same time")
  }

  @Test func `a given number of users does not change`() async throws {
    #expect(try await Self.concurrency(after: 0.1) { $0.users = 1 } == 1)
  }

  @Test func `the name that a client sends identifies the item, if no response has an identifier`() async throws {
    let item = ExploreNamesTests.parameter("tenant")
    let paths = """
        /tenants:
          post: { operationId: add, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [name], properties: { name: { type: string } } } } } }, responses: \(Self.ok) }
        /tenants/{tenant}:
          get: { operationId: read, parameters: [\(item)], responses: \(Self.ok) }
          patch: { operationId: change, parameters: [\(item)], responses: \(Self.ok) }
      """
    let names = Mutex(Set<String>())
    let (result, requests) = try await ExploreNamesTests.explore(paths) { line, body in
      let sent = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
      if line == "POST /tenants" {
        guard let name = sent?["name"] as? String else { return (400, "{}") }
        names.withLock { _ = $0.insert(name) }
        return (200, "{}")
      }
      let name = line.split(separator: "/").last.map(String.init) ?? ""
      return (names.withLock { $0.contains(name.removingPercentEncoding ?? "") } ? 200 : 404, "{}")
    }
    #expect(ExploreNamesTests.succeeded(result) == ["add", "read", "change"], "\(requests)")
  }

  @Test func `a path may expect the name of an item that has an identifier, too`() async throws {
    let paths = """
        /bases:
          get: { operationId: list, responses: { "200": { description: all, content: { application/json: { schema: {
            type: array, items: { type: object, properties: { id: { type: string }, name: { type: string } } } } } } } } }
        /bases/{base}:
          get: { operationId: read, parameters: [\(ExploreNamesTests.parameter("base"))], responses: \(Self.ok) }
      """
    let (result, requests) = try await ExploreNamesTests.explore(paths) { line, _ in
      if line == "GET /bases" { return (200, #"[{"id":"7f","name":"main"}]"#) }
      return line == "GET /bases/main" ? (200, "{}") : (404, "{}")
    }
    #expect(ExploreNamesTests.succeeded(result) == ["list", "read"], "\(requests)")
  }

  @Test func `a write without an item of its own is called with a name that no item has`() async throws {
    let paths = """
        /jobs:
          get: { operationId: list, responses: { "200": { description: all, content: { application/json: { schema: {
            type: array, items: { type: object, properties: { id: { type: string } } } } } } } } }
        /jobs/{job}:
          delete: { operationId: remove, parameters: [\(ExploreNamesTests.parameter("job"))], responses: \(Self.ok) }
      """
    let (result, requests) = try await ExploreNamesTests.explore(paths) { line, _ in
      if line == "GET /jobs" { return (200, #"[{"id":"nightly"}]"#) }
      return line.hasPrefix("DELETE /jobs/") ? (500, "{}") : (404, "{}")
    }
    #expect(!requests.contains("DELETE /jobs/nightly"))
    let removals = requests.filter { $0.hasPrefix("DELETE /jobs/") }
    #expect(!removals.isEmpty, "\(requests)")
    #expect(result.findings.contains { $0.operation == "remove" && $0.kind == .exploreServerError })
  }
}
