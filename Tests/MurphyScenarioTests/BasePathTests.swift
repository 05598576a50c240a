import MurphyContract
import MurphyScenario
import Testing

/// A target without the document's paths, and the base path that the message suggests.
@Suite struct BasePathTests {
  private static func called(_ statuses: [(String, [Int])]) -> [BasePath.Called] {
    statuses.map { BasePath.Called(path: $0.0, statuses: $0.1) }
  }

  @Test func `404s of fixed paths prove a wrong base path, and 404s of items do not`() {
    #expect(BasePath.isWrong(Self.called([("/a", [404]), ("/a/{id}", [404])])))
    #expect(!BasePath.isWrong(Self.called([("/a/{id}", [404]), ("/b/{id}", [404])])))
    // Some servers check credentials before they look for the path.
    let some = [("/a", [404]), ("/b", [404]), ("/c", [404]), ("/d", [401])]
    #expect(BasePath.isWrong(Self.called(some)))
    #expect(!BasePath.isWrong(Self.called(some + [("/e", [401])])))
    #expect(!BasePath.isWrong(Self.called(some + [("/e/{id}", [200, 404])])))
    #expect(!BasePath.isWrong([]))
  }

  private static func contract(_ paths: [String], servers: String = "") throws -> Contract {
    let operations = paths.map { "  \($0): { get: { responses: { '200': { description: fine } } } }\n" }.joined()
    return try Contract.parse(
      "openapi: 3.0.3\ninfo: { title: T, version: '1' }\n\(servers)paths:\n\(operations)", file: "api.yaml")
  }

  @Test(arguments: [
    ("http://h:1/api", ["/api/a", "/api/b"], "", "already begin with /api, so use the target http://h:1."),
    ("http://u:secret@h:1/api/", ["/api/a"], "", "so use the target http://"),
    ("http://h:1/api", ["/api/a", "/b"], "", "Check the base path of the target"),
    ("http://h:1", ["/a"], "servers: [{ url: 'https://example.com/v2/' }]\n", "so try the target http://h:1/v2."),
    ("http://h:1", ["/a"], "", "Check the base path of the target"),
  ])
  func `the message names the base path`(target: String, paths: [String], servers: String, advice: String) throws {
    let contract = try Self.contract(paths, servers: servers)
    let text = BasePath.sentence(Self.called([("/a", [404]), ("/b", [401])]), contract, target: target)
    #expect(text.hasPrefix("1 of 2 called operations returned only status 404. "), "\(text)")
    #expect(text.contains(advice) && !text.contains("secret"), "\(text)")
  }

  /// A POST whose name and path say nothing.
  private static func exclusion(_ keys: String) throws -> String? {
    let contract = try Contract.parse(
      """
      openapi: 3.0.3
      info: { title: T, version: '1' }
      paths:
        /alerts:
          post: { operationId: alerts, \(keys), responses: { '200': { description: fine } } }
      """, file: "api.yaml")
    return WriteRule(contract).exclusion(of: contract.operations[0])
  }

  @Test func `a summary or a description may say that a POST adds data`() throws {
    #expect(try Self.exclusion("description: Create new alerts") == nil)
    #expect(try Self.exclusion("summary: Create new alerts") == nil)
    let update = try #require(try Self.exclusion("description: 'Post a new silence or update an existing one. More.'"))
    #expect(update.contains("update") && update.contains("description"), "\(update)")
    // Only the first sentence describes the operation.
    #expect(try Self.exclusion("description: 'Create alerts. An alert can reset itself.'") == nil)
    let unknown = try #require(try Self.exclusion("summary: Alerts"))
    #expect(unknown.contains("do not say whether"), "\(unknown)")
  }
}
