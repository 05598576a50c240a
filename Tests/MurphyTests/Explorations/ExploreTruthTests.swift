import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// The message of a finding and its request agree, and text of the request is not taken for a defect.
@Suite(.serialized, .timed) struct ExploreTruthTests {
  private static let contract = """
    openapi: 3.1.0
    info: { title: Groups, version: "1" }
    paths:
      /groups/{name}:
        parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
        get: { operationId: getGroup,
          parameters: [{ name: offset, in: query, schema: { type: integer, minimum: 0 } },
            { name: limit, in: query, schema: { type: integer, minimum: 1 } },
            { name: since, in: query, schema: { anyOf: [{ type: string, format: date-time }, { type: "null" }] } }],
          responses: { "200": &any { description: any, content: { application/json: {} } }, "400": *any, "404": *any } }
      /members:
        post: { operationId: addMember, requestBody: { required: true, content: { application/json: { schema: {
            type: object, required: [email], properties: { email: { type: string, maxLength: 60 },
              tags: { type: array, items: { type: string } } } } } } },
          responses: { "201": *any, "400": *any } }
      /tokens:
        post: { operationId: addToken, requestBody: { required: true, content: { application/x-www-form-urlencoded: {
            schema: { type: object, required: [name], properties: { name: { type: string, maxLength: 60 },
              scope: { type: string, maxLength: 60 } } } } } },
          responses: { "200": *any, "400": *any } }
    """

  private static func explore(
    only operation: String, _ respond: @escaping @Sendable (WildRequest, WildConnection) -> Void
  ) async throws -> [Finding] {
    let server = try WildServer { respond($0, $1) }
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      let file = folder + "/openapi.yaml"
      try contract.write(toFile: file, atomically: true, encoding: .utf8)
      var options = ExploreOptions(target: try Target(server.url))
      (options.seed, options.time, options.only) = (1, .seconds(30), [operation])
      return try await ContractExplorer(file, options).run().findings
    }
  }

  private static func value(_ name: String, _ request: WildRequest) -> String? {
    let query = request.target.split(separator: "?").dropFirst().first ?? ""
    return query.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `an accepted invalid value is in the request of its finding`() async throws {
    let findings = try await Self.explore(only: "getGroup") { $1.answer(200, body: "{}") }
    // A group has the evidence of its first member.
    let accepted = findings.filter { $0.kind == .exploreInvalidAccepted }.map { ($0.ungrouped[0].message, $0.evidence) }
    var checked = 0
    for (message, evidence) in accepted {
      guard let name = ["offset", "limit", "since"].first(where: { message.contains("query \($0)") }) else { continue }
      let url = try #require(evidence?.exchange?.url)
      #expect(url.contains(name + "="), "\(message): \(url)")
      checked += 1
    }
    #expect(checked > 0)
    // A query is text.
    let messages = findings.flatMap(\.ungrouped).map(\.message)
    #expect(messages.filter { $0.contains("query ") && $0.contains("in place of string") } == [])
  }

  @Test func `a form that accepts everything accepts no null`() async throws {
    let findings = try await Self.explore(only: "addToken") { $1.answer(200, body: "{}") }
    let accepted = findings.flatMap(\.ungrouped).filter { $0.kind == .exploreInvalidAccepted }.map(\.message)
    #expect(!accepted.isEmpty && !accepted.contains { $0.contains("null") }, "\(accepted)")
  }

  @Test func `a message names only the change that matters`() async throws {
    let findings = try await Self.explore(only: "getGroup") { request, connection in
      let isHuge = (Self.value("offset", request)?.count ?? 0) > 18
      connection.answer(isHuge ? 500 : 200, body: "{}")
    }
    let errors = findings.flatMap(\.ungrouped).filter { $0.kind == .exploreServerError }
    #expect(!errors.isEmpty)
    #expect(
      errors.allSatisfy { $0.message.contains("query offset") && !$0.message.contains(";") }, "\(errors.map(\.message))"
    )
  }

  @Test func `an error of the minimal request has no other cause`() async throws {
    let findings = try await Self.explore(only: "addMember") { $1.answer(500, body: #"{"at":"\#($0.body.count)"}"#) }
    let errors = findings.filter { $0.kind == .exploreServerError }
    #expect(errors.map(\.message) == ["status 500 for the minimal valid request"])
  }

  @Test func `a repeated value is no internal detail`() async throws {
    let findings = try await Self.explore(only: "getGroup") { request, connection in
      let name = String(request.target.dropFirst("/groups/".count).prefix { $0 != "?" }).removingPercentEncoding ?? ""
      // As JSON without characters beyond ASCII: `E:\u013e`.
      let escaped = name.utf16.map { unit in
        (0x20..<0x80).contains(unit) ? String(UnicodeScalar(UInt8(unit))) : String(format: "\\u%04x", unit)
      }
      let text = escaped.joined().replacing("\"", with: "'")
      let isKnown = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      connection.answer(isKnown ? 200 : 404, body: #"{"message":"group E:\#(text)"}"#)
    }
    #expect(findings.filter { $0.kind == .exploreInternals }.map(\.message) == [])
  }
}
