import Foundation
import Murphy
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyProbe
import Testing
import WildServer

/// A probe asks with the request that a load would send.
@Suite(.serialized) struct SameRequestTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Items, version: "1" }
    components:
      securitySchemes:
        key: { type: apiKey, name: X-Api-Key, in: header }
        site: { type: apiKey, name: site, in: query }
    paths:
      /items/{id}:
        post:
          operationId: voteItem
          security: [{ key: [], site: [] }]
          parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
          requestBody:
            content: { application/json: { schema: {} }, application/x-www-form-urlencoded: { schema: {} }, text/plain: { schema: {} } }
          responses: { "200": { description: done, content: { application/json: { schema: { type: object } } } } }
    """

  private static func scenario(_ url: String, client: String, step: String) -> String {
    """
    name: Same
    contract: items.yaml
    target: \(url)
    client: \(client)
    sessions: { only: { steps: [{ call: voteItem, path: { id: 7 }, \(step) }] } }
    load: [{ hold: 5/s, for: 200ms }]
    expect: { limits: { voteItem: { allow: 1000, per: 60s, key: ip } } }

    """
  }

  @Test(
    arguments: [
      ("{ headers: { X-Device-ID: anna } }", "body: { up: true }"),
      ("{ headers: { X-Api-Key: of-the-client } }", "body: [1, 2.50]"),
      ("{ auth: { bearer: t0ken } }", "headers: { Content-Type: application/merge-patch+json }, body: {}"),
      (
        "{ auth: { api-key: { name: k, value: 'a b&c', in: query } } }",
        "query: { q: [a, 'b c'] }, form: { a: 1, b: 'x&y' }"
      ),
      ("{ auth: { api-key: { name: sid, value: s1, in: cookie } } }", "cookies: { theme: dark }, text: 'good day'"),
      ("{ headers: { Authorization: Basic eA== }, auth: { basic: { user: u, password: p } } }", "headers: { X-A: 1 }"),
    ])
  func `a probe's request is the one of a load`(_ client: String, _ step: String) async throws {
    let server = try WildServer { _, connection in connection.answer(body: "{}") }
    defer { server.stop() }
    let environment = ["MURPHY_AUTH_KEY": "k3y", "MURPHY_AUTH_SITE": "laws & more"]
    let probe = try await withTemporaryFolder { folder in
      try Self.contract.write(toFile: folder + "/items.yaml", atomically: true, encoding: .utf8)
      try Self.scenario(server.url, client: client, step: step)
        .write(toFile: folder + "/scenario.yaml", atomically: true, encoding: .utf8)
      let gate = try Gate.load(folder + "/scenario.yaml", environment: environment)
      var options = RunOptions()
      options.environment = environment
      _ = try await gate.run(options)
      let choice = ProbeChoice(operation: 0, policy: gate.scenario.expectations.limits[0].policy, name: "voteItem")
      return try SubjectFinder(gate.scenario, gate.contract, environment: environment)
        .subject(choice, seed: 1, hasOtherAddresses: false).base
    }
    let load = try #require(server.requests.last { $0.method == "POST" })
    #expect(probe.method == load.method)
    #expect(load.target == probe.target)
    #expect(probe.body ?? [] == load.body)
    let own = ["host", "user-agent", "accept", "accept-encoding", "content-length", "connection"]
    let sent = load.headers.filter { !own.contains($0.name) }.map { "\($0.name): \($0.value)" }
    var lines = probe.headers.filter { $0.name.lowercased() != "cookie" }.map { "\($0.name.lowercased()): \($0.value)" }
    // The transport joins them into one line.
    let crumbs = probe.headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
    if !crumbs.isEmpty { lines.append("cookie: " + crumbs.joined(separator: "; ")) }
    #expect(lines.sorted() == sent.sorted())
  }
}
