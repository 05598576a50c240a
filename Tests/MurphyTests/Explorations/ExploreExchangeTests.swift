import Foundation
import Murphy
import Synchronization
import TestSupport
import Testing
import WildServer

/// The rules of URLs and of HTTP that an exploration tests, with a server that violates one of them.
@Suite(.serialized, .timed) struct ExploreExchangeTests {
  private static let contract = """
    openapi: 3.0.3
    info: { title: Library, version: "1" }
    paths:
      /books:
        get: { operationId: listBooks, parameters: [{ name: q, in: query, schema: { type: string } }],
          responses: { "200": &any { description: any, content: { application/json: {} } }, "400": *any } }
      /books/{id}:
        get: { operationId: getBook, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
          responses: { "200": *any, "400": *any, "404": *any } }
      /books/{id}/pages:
        get: { operationId: getPages, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }],
          responses: { "200": *any, "404": *any } }
      /shelf:
        get: { operationId: getShelf, security: [{ key: [] }], responses: { "200": *any } }
    components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Token } } }
    """

  /// The violations of the server.
  private struct Faults {
    var ignoresEncoding = false
    var hidesMethods = false
    var allow = "GET"
    var hasWildcards = false
    /// The status of a response to a request with the header.
    var answers: [String: Int] = [:]
    var opensOnRead = false
    var repeatsHost = false
    var linksToOther = false
  }

  private static func explore(_ faults: Faults) async throws -> [Finding] {
    let isOpen = Mutex(false)
    let titles = ["A murphy", "Another book"]
    let server = try WildServer { request, connection in
      let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
      let path = faults.ignoresEncoding ? parts[0] : parts[0].removingPercentEncoding ?? ""
      func send(_ status: Int, _ body: String, _ headers: [String: String] = [:]) {
        connection.answer(status, headers: headers, body: request.method == "HEAD" || status == 304 ? "" : body)
      }
      let isHidden = faults.hidesMethods && request.method != "GET"
      guard ["/books", "/books/1", "/books/1/pages", "/shelf"].contains(path), !isHidden else { return send(404, "{}") }
      guard request.method == "GET" else { return send(405, "{}", ["Allow": faults.allow]) }
      if path == "/shelf" { return request.header("x-token") == "murphy" ? send(200, "{}") : send(401, "{}") }
      if let status = faults.answers.first(where: { request.header($0.key) != nil })?.value {
        return send(status, "{}")
      }
      if path == "/books/1/pages" {
        if faults.opensOnRead { isOpen.withLock { $0 = true } }
        return send(200, "{}")
      }
      if faults.repeatsHost { return send(200, #"{"next":"http://\#(request.header("host") ?? "")/books"}"#) }
      let books = titles.enumerated().map {
        (title: $0.element, json: #"{"id":\#($0.offset + 1),"title":"\#($0.element)"}"#)
      }
      guard path == "/books" else {
        // It closes itself after each read.
        let isOpen = isOpen.withLock { value in
          defer { value = false }
          return value
        }
        let own = "/books/\(faults.linksToOther ? 2 : 1)"
        return send(200, #"{"id":1,"title":"A murphy","isOpen":\#(isOpen),"links":{"own":"\#(own)"}}"#)
      }
      let query = parts.dropFirst().first?.split(separator: "&").first { $0.hasPrefix("q=") }
      let text = query.map { String($0.dropFirst(2)).removingPercentEncoding ?? "" } ?? ""
      let isAll = text.isEmpty || faults.hasWildcards && (text == "%" || text == "_")
      send(200, "[" + books.filter { isAll || $0.title.contains(text) }.map(\.json).joined(separator: ",") + "]")
    }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time) = (1, .seconds(60))
      options.environment = ["MURPHY_AUTH_KEY": "murphy"]
      // Other methods may be sent to their paths.
      options.operations = ["listBooks", "getBook"]
      return try await ContractExplorer(file, options).run().findings
    }
  }

  private static func named(_ kind: FindingKind, _ findings: [Finding]) -> [String] {
    findings.filter { $0.kind == kind }.map { "\($0.severity) \($0.headline)" }
  }

  @Test func `a server that keeps the rules has no finding of them`() async throws {
    let findings = try await Self.explore(Faults())
    #expect(findings.filter { $0.severity == .error }.map(\.headline) == [])
    let kinds: [FindingKind] = [
      .exploreEquivalentURL, .exploreMethodStatus, .exploreWildcard, .exploreConditional, .exploreRange, .exploreHost,
      .exploreUnsafeRead, .exploreDeadLink, .relationAllow, .relationHead,
    ]
    #expect(findings.filter { kinds.contains($0.kind) }.map(\.headline) == [])
  }

  @Test func `a percent-encoded value is the same resource`() async throws {
    var faults = Faults()
    faults.ignoresEncoding = true
    let found = Self.named(.exploreEquivalentURL, try await Self.explore(faults))
    #expect(found.contains { $0.hasPrefix("error ") && $0.contains("status 404 for /books/%31") }, "\(found)")
    #expect(found.contains { $0.hasPrefix("note ") && $0.contains("but success without it") }, "\(found)")
  }

  @Test func `a path that hides its methods gets a note`() async throws {
    var faults = Faults()
    faults.hidesMethods = true
    let found = Self.named(.exploreMethodStatus, try await Self.explore(faults))
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("note ") && $0.contains("404") }, "\(found)")
  }

  @Test(arguments: ["HEAD", "GET, PUT, POST, PATCH, DELETE"]) func `a wrong Allow header is found`(
    _ allow: String
  ) async throws {
    var faults = Faults()
    faults.allow = allow
    let found = Self.named(.relationAllow, try await Self.explore(faults))
    #expect(found.contains { $0.hasPrefix("warning ") && $0.contains(allow) }, "\(found)")
  }

  @Test func `a wildcard in a search gets a note`() async throws {
    var faults = Faults()
    faults.hasWildcards = true
    let found = Self.named(.exploreWildcard, try await Self.explore(faults))
    #expect(found.count == 1 && found[0].hasPrefix("note ") && found[0].contains("2 items"), "\(found)")
  }

  @Test(arguments: [
    ("if-none-match", 304, FindingKind.exploreConditional), ("if-none-match", 412, .exploreConditional),
    ("if-modified-since", 400, .exploreConditional), ("range", 416, .exploreRange), ("range", 206, .exploreRange),
  ]) func `a wrong response to a header is found`(_ header: String, _ status: Int, _ kind: FindingKind) async throws {
    var faults = Faults()
    faults.answers = [header: status]
    let found = Self.named(kind, try await Self.explore(faults))
    #expect(!found.isEmpty && found.allSatisfy { !$0.hasPrefix("note ") && $0.contains("\(status)") }, "\(found)")
  }

  @Test func `a read that changes what another read returns is found`() async throws {
    var faults = Faults()
    faults.opensOnRead = true
    let found = Self.named(.exploreUnsafeRead, try await Self.explore(faults))
    #expect(found.count == 1 && found[0].hasPrefix("note ") && found[0].contains("isOpen was false"), "\(found)")
  }

  @Test func `a URL with the Host of the request gets a note`() async throws {
    var faults = Faults()
    faults.repeatsHost = true
    let found = Self.named(.exploreHost, try await Self.explore(faults))
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("note ") }, "\(found)")
  }

  @Test func `a link in a body that leads nowhere is found`() async throws {
    var faults = Faults()
    faults.linksToOther = true
    let findings = try await Self.explore(faults)
    let found = Self.named(.exploreDeadLink, findings)
    #expect(
      found.count == 1 && found[0].hasPrefix("warning ") && found[0].contains("links.own is /books/2"), "\(found)")
    let script = findings.first { $0.kind == .exploreDeadLink }?.evidence?.curl?.text ?? ""
    #expect(script.contains(#".["links"]["own"]"#), "\(script)")
  }

  @Test func `a rejection that is not documented gets a note`() async throws {
    let found = Self.named(.exploreUndocumentedRejection, try await Self.explore(Faults()))
    #expect(found.count == 1 && found[0].contains("getShelf") && found[0].hasPrefix("note "), "\(found)")
  }
}
