import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// The names of items in the paths of an exploration.
@Suite(.serialized, .timed) struct ExploreNamesTests {
  /// - Parameters:
  ///   - paths: of the document, in YAML, with two spaces before each path.
  ///   - respond: the status and the body of a response to `GET /path`, with the body of the request.
  static func explore(
    _ paths: String, _ change: (inout ExploreOptions) -> Void = { _ in },
    _ respond: @escaping @Sendable (String, [UInt8]) -> (status: Int, body: String)
  ) async throws -> (result: RunResult, requests: [String]) {
    let server = try WildServer { request, connection in
      let (status, body) = respond(line(request), request.body)
      connection.answer(status, body: request.method == "HEAD" ? "" : body)
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      let text = "openapi: 3.0.3\ninfo: { title: Names, version: \"1\" }\npaths:\n" + paths
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.mostRequests) = (1, .seconds(60), 200)
      change(&options)
      let result = try await ContractExplorer(file, options).run()
      return (result, server.requests.map(line))
    }
  }

  /// `GET /servers/localhost`
  private static func line(_ request: WildRequest) -> String {
    "\(request.method) \(request.target.prefix { $0 != "?" })"
  }

  static func parameter(_ name: String, _ schema: String = "{ type: string }") -> String {
    "{ name: \(name), in: path, required: true, schema: \(schema) }"
  }

  static let ok = #"{ "200": { description: ok, content: { application/json: { schema: {} } } } }"#

  static func succeeded(_ result: RunResult) -> Set<String> {
    Set(result.explored?.operations.filter(\.succeeded).map(\.operation) ?? [])
  }

  @Test func `a list of one item serves all operations below that item`() async throws {
    let names = ["config", "keys", "zones", "peers", "views"]
    let below = names.map { name in
      """
        /servers/{server_id}/\(name):
          get: { operationId: \(name), parameters: [\(Self.parameter("server_id"))], responses: \(Self.ok) }
      """
    }
    let paths = """
        /servers:
          get: { operationId: servers, responses: { "200": { description: ok, content: { application/json: { schema: {
            type: array, items: { type: object, properties: { id: { type: string } } } } } } } } }

      """ + below.joined(separator: "\n")
    let (result, _) = try await Self.explore(paths) { line, _ in
      if line == "GET /servers" { return (200, #"[{"id":"localhost"}]"#) }
      return line.hasPrefix("GET /servers/localhost/") ? (200, "{}") : (404, "{}")
    }
    #expect(Self.succeeded(result) == Set(names + ["servers"]))
  }

  @Test(arguments: [
    #"[{"id":"localhost"}]"#, #"{"data":[{"id":"localhost"}]}"#, #"["localhost"]"#,
    #"{"localhost":{"id":"localhost"}}"#,
  ])
  func `a list without a schema gives the names of items`(_ list: String) async throws {
    let paths = """
        /servers/{server_id}:
          get: { operationId: server, parameters: [\(Self.parameter("server_id"))], responses: \(Self.ok) }
        /servers:
          get: { operationId: servers, responses: \(Self.ok) }
      """
    let (result, requests) = try await Self.explore(paths) { line, _ in
      if line == "GET /servers" { return (200, list) }
      return line == "GET /servers/localhost" ? (200, "{}") : (404, "{}")
    }
    #expect(Self.succeeded(result) == ["server", "servers"], "\(requests)")
  }

  @Test func `an item with an empty list names the part above it`() async throws {
    let both = Self.parameter("server_id") + ", " + Self.parameter("zone_id")
    let paths = """
        /servers:
          get: { operationId: servers, responses: \(Self.ok) }
        /servers/{server_id}/zones:
          get: { operationId: zones, parameters: [\(Self.parameter("server_id"))], responses: { "200": {
            description: ok, content: { application/json: { schema: { type: array, items: { type: object,
            properties: { id: { type: string } } } } } } } } }
        /servers/{server_id}/zones/{zone_id}:
          get: { operationId: zone, parameters: [\(both)], responses: \(Self.ok) }
      """
    let (_, requests) = try await Self.explore(paths) { line, _ in
      if line == "GET /servers" { return (200, #"[{"id":"localhost"}]"#) }
      return line == "GET /servers/localhost/zones" ? (200, "[]") : (404, "{}")
    }
    #expect(requests.contains("GET /servers/localhost/zones/murphy"), "\(requests)")
  }

  @Test func `a path with the name of a field takes it from a listed item`() async throws {
    let paths = """
        /flows:
          get: { operationId: flows, responses: { "200": { description: ok, content: { application/json: { schema: {
            type: array, items: { type: object, properties: { id: { type: string }, name: { type: string } } } } } } } } }
        /flows/name/{name}:
          get: { operationId: byName, parameters: [\(Self.parameter("name"))], responses: \(Self.ok) }
      """
    let (result, _) = try await Self.explore(paths) { line, _ in
      if line == "GET /flows" { return (200, #"[{"id":"7","name":"daily"}]"#) }
      return line == "GET /flows/name/daily" ? (200, "{}") : (404, "{}")
    }
    #expect(Self.succeeded(result) == ["flows", "byName"])
  }

  @Test(arguments: [
    (#"names: { type: array, items: { type: string } }"#, #""names":[""#),
    (#"kind: { type: string, enum: [SYSTEM, LOCAL] }"#, #""kind":"LOCAL""#),
  ])
  func `a rejected creation is tried with other values`(_ property: String, _ wanted: String) async throws {
    let paths = """
        /users:
          post: { operationId: add, responses: { "201": { description: ok, content: { application/json: { schema: {
            type: object, properties: { id: { type: string } } } } } }, "400": { description: bad } },
            requestBody: { required: true, content: { application/json: { schema: {
            type: object, properties: { \(property) } } } } } }
        /users/{id}:
          get: { operationId: user, parameters: [\(Self.parameter("id"))], responses: \(Self.ok) }
      """
    let (result, requests) = try await Self.explore(paths) { line, body in
      if line == "POST /users" {
        return String(decoding: body, as: UTF8.self).contains(wanted) ? (201, #"{"id":"u1"}"#) : (400, "{}")
      }
      return line == "GET /users/u1" ? (200, "{}") : (404, "{}")
    }
    #expect(Self.succeeded(result) == ["add", "user"], "\(requests)")
  }

  @Test func `a rejected creation is tried without its optional properties`() async throws {
    let paths = """
        /users:
          post: { operationId: add, responses: { "201": { description: ok }, "400": { description: bad } },
            requestBody: { required: true, content: { application/json: { example: { name: a, note: b }, schema: {
            type: object, required: [name], properties: { name: { type: string, maxLength: 40 },
            note: { type: string } } } } } } }
      """
    let (result, _) = try await Self.explore(paths) { _, body in
      String(decoding: body, as: UTF8.self).contains("note") ? (400, "{}") : (201, "{}")
    }
    #expect(Self.succeeded(result) == ["add"])
  }

  @Test(arguments: ["201", "200"]) func `a POST creates the item that its path names`(_ status: String) async throws {
    let parameters = "parameters: [\(Self.parameter("name"))]"
    let paths = """
        /groups:
          get: { operationId: groups, responses: { "200": { description: ok, content: { application/json: { schema: {
            type: array, items: { type: object, properties: { name: { type: string } } } } } } } } }
        /groups/{name}:
          get: { operationId: group, \(parameters), responses: \(Self.ok) }
          post: { operationId: found, summary: Create a group, \(parameters),
            responses: { "\(status)": { description: ok } } }
          delete: { operationId: remove, \(parameters), responses: { "204": { description: ok } } }
      """
    let groups = Mutex<Set<String>>(["others"])
    let (result, requests) = try await Self.explore(paths) { line, _ in
      let words = line.split(separator: " ").map(String.init)
      return groups.withLock { groups in
        guard words[1] != "/groups" else { return (200, #"[{"name":"others"}]"#) }
        let name = String(words[1].dropFirst("/groups/".count))
        switch words[0] {
        case "POST": return groups.insert(name).inserted ? (Int(status) ?? 0, "{}") : (409, "{}")
        case "DELETE": return groups.remove(name) == nil ? (404, "{}") : (204, "")
        default: return groups.contains(name) ? (200, "{}") : (404, "{}")
        }
      }
    }
    #expect(Self.succeeded(result) == ["groups", "group", "found", "remove"], "\(requests)")
    let harm = ["POST", "DELETE", "PUT", "PATCH"].map { $0 + " /groups/others" }
    #expect(requests.filter(harm.contains) == [])
    #expect(groups.withLock { $0.contains("others") })
  }

  @Test func `a value of a creation's body names the created item`() async throws {
    let paths = """
        /tenants:
          post: { operationId: add, responses: \(Self.ok), requestBody: { required: true, content: {
            application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } } }
        /tenants/{tenant_name}:
          get: { operationId: tenant, parameters: [\(Self.parameter("tenant_name"))], responses: \(Self.ok) }
          delete: { operationId: remove, parameters: [\(Self.parameter("tenant_name"))],
            responses: { "204": { description: ok } } }
      """
    let tenants = Mutex<Set<String>>([])
    let (result, _) = try await Self.explore(paths) { line, body in
      let words = line.split(separator: " ").map(String.init)
      let sent = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
      return tenants.withLock { tenants in
        if line == "POST /tenants" {
          guard let name = sent?["name"] as? String else { return (422, "{}") }
          return tenants.insert(name).inserted ? (200, "{}") : (409, "{}")
        }
        let name = String(words[1].dropFirst("/tenants/".count))
        guard tenants.contains(name) else { return (404, "{}") }
        if words[0] == "DELETE" { tenants.remove(name) }
        return words[0] == "DELETE" ? (204, "") : (200, "{}")
      }
    }
    #expect(Self.succeeded(result) == ["add", "tenant", "remove"])
  }

  @Test(arguments: ["{ type: int }", "{ type: integer, minimum: 5 }", "{ enum: [9, 10] }", "{ description: any }"])
  func `a path parameter that no response names gets a generated value`(_ schema: String) async throws {
    let paths = """
        /bytes/{n}:
          get: { operationId: bytes, parameters: [\(Self.parameter("n", schema))], responses: \(Self.ok) }
      """
    let (result, requests) = try await Self.explore(paths) { _, _ in (200, "{}") }
    #expect(Self.succeeded(result) == ["bytes"])
    let names = ["{ type: int }": "1", "{ type: integer, minimum: 5 }": "5", "{ enum: [9, 10] }": "9"]
    #expect(requests.first { $0.hasPrefix("GET /bytes/") } == "GET /bytes/\(names[schema] ?? "murphy")")
  }

  @Test func `the operations that were not called are counted`() async throws {
    let paths = """
        /items:
          get: { operationId: items, responses: \(Self.ok) }
        /reset:
          post: { operationId: reset, responses: \(Self.ok) }
        /missing:
          get: { operationId: missing, responses: \(Self.ok) }
      """
    let (result, _) = try await Self.explore(paths) { line, _ in (line == "GET /items" ? 200 : 404, "{}") }
    let sentence = "2 of 3 operations were called, and 1 accepted a minimal valid request; 1 was not called: reset "
    let untried = try #require(result.explored?.untried)
    #expect(untried.contains { $0.hasPrefix(sentence) }, "\(untried)")
  }

  @Test func `the deletion of created items gets a part of the time`() async throws {
    let paths = """
        /items:
          post: { operationId: add, responses: { "201": { description: ok, content: { application/json: { schema: {
            type: object, properties: { id: { type: string } } } } } } },
            requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [name], properties: { name: { type: string } } } } } } }
        /items/{id}:
          delete: { operationId: remove, parameters: [\(Self.parameter("id"))],
            responses: { "204": { description: ok } } }
      """
    let creations = Mutex<[ContinuousClock.Instant]>([])
    let (result, _) = try await Self.explore(
      paths, { ($0.time, $0.mostRequests, $0.invents, $0.only) = (.seconds(6), 20_000, true, ["add"]) }
    ) { line, _ in
      Thread.sleep(forTimeInterval: 0.01)
      guard line == "POST /items" else { return (204, "") }
      return creations.withLock { creations in
        creations.append(.now)
        return (201, #"{"id":"i\#(creations.count)"}"#)
      }
    }
    let times = creations.withLock { $0 }
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(first.duration(to: last) < .seconds(5.5))
    #expect(result.explored?.deleted?.done == result.explored?.deleted?.of, "\(result.explored?.remaining ?? [])")
  }

  /// Buckets with groups, and responses that the document does not describe.
  @Test(arguments: [#"{"data":{"id":"NAME"}}"#, #"{"id":"NAME","last_modified":7}"#])
  func `a creation without a schema gives the names of new items`(_ item: String) async throws {
    let post = #"requestBody: { content: { application/json: { schema: { type: object } } } }"#
    let created = #"{ "201": { description: created, content: { application/json: { schema: {} } } } }"#
    let paths = """
        /buckets:
          post: { operationId: addBucket, \(post), responses: \(created) }
        /buckets/{bucket_id}/groups:
          post: { operationId: addGroup, \(post), parameters: [\(Self.parameter("bucket_id"))], responses: \(created) }
        /buckets/{bucket_id}/groups/{id}:
          parameters: [\(Self.parameter("bucket_id")), \(Self.parameter("id"))]
          get: { operationId: group, responses: \(Self.ok) }
          patch: { operationId: changeGroup, \(post), responses: \(Self.ok) }
          delete: { operationId: revokeGroup, summary: Revoke a group, responses: \(Self.ok) }
      """
    let made = Mutex<Set<String>>([])
    let (result, requests) = try await Self.explore(paths) { line, _ in
      let path = String(line.split(separator: " ")[1])
      if line.hasPrefix("POST ") {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        guard path == "/buckets" || made.withLock({ $0.contains("/" + parent) }) else { return (404, "{}") }
        let name = made.withLock { made in
          made.insert(path + "/n\(made.count)")
          return "n\(made.count - 1)"
        }
        return (201, item.replacing("NAME", with: name))
      }
      let isKnown = made.withLock { line.hasPrefix("DELETE ") ? $0.remove(path) != nil : $0.contains(path) }
      return isKnown ? (200, "{}") : (404, "{}")
    }
    #expect(
      Self.succeeded(result) == ["addBucket", "addGroup", "group", "changeGroup", "revokeGroup"], "\(requests)")
  }
}
