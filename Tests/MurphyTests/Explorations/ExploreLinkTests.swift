import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// Links of responses that change data, or end a session, on a GET.
@Suite struct ExploreLinkTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Newsletter, version: "1" }
    paths:
      /subs:
        get: { operationId: listSubs,
          responses: { "200": { description: all, content: { application/json: {} } } } }
    """

  /// What a link is called, and where it leads on the server.
  private static let links: [(name: String, target: String)] = [
    ("unsubscribe_url", "/unsubscribe/abc123"), ("delete_url", "/subs/delete?id=5"), ("logout_url", "/logout?next=/"),
    ("remove_url", "/subs/5/x1"), ("more_url", "/a?action=delete&id=5"), ("end_url", "/session/log-out/now"),
    ("stop_uri", "/jobs/7/%63ancel/"), ("cancelUrl", "/bookings/7/c"), ("other_url", "/subs?do=purge"),
    ("state_url", "/jobs/7/setState?to=archived"), ("profile_url", "/people/7"),
  ]

  @Test func `explore follows no link whose name or target is a verb of a change`() async throws {
    let server = try WildServer { request, connection in
      let members = Self.links.map { #""\#($0.name)":"http://\#(request.header("host") ?? "")\#($0.target)""# }
      connection.answer(body: request.method == "HEAD" ? "" : "[{" + members.joined(separator: ",") + "}]")
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try Self.contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(20))
      _ = try await ContractExplorer(file, options).run()
    }
    let targets = Set(server.requests.map(\.target))
    #expect(Self.links.map(\.target).filter(targets.contains) == ["/people/7"])
  }
}
