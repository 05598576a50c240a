import Foundation
import MurphyEngine
import MurphyModel
import TestSupport
import Testing
import WildServer

/// Bodies with parts and files, as they come over the wire.
@Suite struct BodyTests {
  /// The parts of a form as a server reads them: head and content.
  static func parts(_ request: WildRequest) throws -> [(head: String, content: [UInt8])] {
    let type = try #require(request.header("content-type"))
    let boundary = try #require(type.split(separator: "boundary=").last)
    let mark = Array("\r\n--\(boundary)".utf8)
    let pieces = (Array("\r\n".utf8) + request.body).ranges(of: mark).map(\.self)
    let body = Array("\r\n".utf8) + request.body
    return try zip(pieces, pieces.dropFirst()).map { start, next in
      let part = Array(body[(start.upperBound + 2)..<next.lowerBound])
      let blank = try #require(part.firstRange(of: Array("\r\n\r\n".utf8)))
      return (String(decoding: part[..<blank.lowerBound], as: UTF8.self), Array(part[blank.upperBound...]))
    }
  }

  private static let bytes = [UInt8](0...255) + Array("\r\n--x\r\n".utf8)

  private func withPhoto(_ body: (String) async throws -> Void) async throws {
    let file = "/tmp/murphy-\(UUID().uuidString) photo.png"
    #expect(FileManager.default.createFile(atPath: file, contents: Data(Self.bytes)))
    defer { try? FileManager.default.removeItem(atPath: file) }
    try await body(file)
  }

  @Test(.requires(.curl), arguments: ["auto", "1.1"])
  func `parts go over the wire and in the script as written`(http: String) async throws {
    let server = try WildServer { _, connection in connection.answer(418) }
    defer { server.stop() }
    try await withPhoto { file in
      let record = try await EngineFixture.run(
        """
        settings: { http: \(http) }
        sessions:
          send:
            steps:
              - call: voteLaw
                path: { id: 1 }
                multipart:
                  title: "@it's; ${user}"
                  tags: [one, { value: { "a": ["\\"b\\\\"] } }]
                  note: { value: "x;y", name: note.txt, type: text/plain }
                  photo: { file: "\(file)", type: image/png, name: "my \\"photo\\".png" }
        load: [{ hold: 2/s, for: 1s }]
        """, against: server.url)
      let sent = server.requests
      #expect(sent.count == 2 && Set(sent.map { $0.header("content-type") }).count == 2)
      let parts = try Self.parts(sent[0])
      #expect(
        parts.map(\.head) == [
          #"Content-Disposition: form-data; name="title""#, #"Content-Disposition: form-data; name="tags""#,
          "Content-Disposition: form-data; name=\"tags\"\r\nContent-Type: application/json",
          "Content-Disposition: form-data; name=\"note\"; filename=\"note.txt\"\r\nContent-Type: text/plain",
          "Content-Disposition: form-data; name=\"photo\"; filename=\"my %22photo%22.png\"\r\nContent-Type: image/png",
        ])
      #expect(parts.last?.content == Self.bytes)
      let finding = try #require(record.findings.first { $0.kind == .contractStatus })
      let script = try #require(finding.evidence?.curl?.text)
      #expect(script.contains("-F 'photo=@\"\(file)\";") && !script.contains("boundary"), "\(script)")
      #expect(finding.evidence?.exchange?.requestBody?.contains("(the 263 bytes of \(file))") == true)
      _ = try await ReproductionTests.paste(script)
      let again = try Self.parts(try #require(server.requests.last))
      let first = try Self.parts(try #require(sent.first { try Self.parts($0)[0].content == again[0].content }))
      #expect(again.map(\.head) == first.map(\.head) && again.map(\.content) == first.map(\.content), "\(script)")
    }
  }

  @Test(.requires(.curl)) func `a file is the whole body`() async throws {
    let server = try WildServer { _, connection in connection.answer(418) }
    defer { server.stop() }
    try await withPhoto { file in
      let record = try await EngineFixture.run(
        """
        sessions:
          send: { steps: [{ call: voteLaw, path: { id: 1 }, file: "\(file)" }] }
        load: [{ hold: 2/s, for: 1s }]
        """, against: server.url)
      let script = try #require(record.findings.first { $0.kind == .contractStatus }?.evidence?.curl?.text)
      _ = try await ReproductionTests.paste(script)
      #expect(server.requests.count == 3)
      for request in server.requests {
        #expect(request.body == Self.bytes && request.header("content-type") == "image/png", "\(script)")
      }
    }
  }

  @Test func `the seed decides the boundary`() async throws {
    func boundaries() async throws -> Set<String?> {
      let server = try WildServer { _, connection in connection.answer(204) }
      defer { server.stop() }
      _ = try await EngineFixture.run(
        """
        sessions:
          send: { steps: [{ call: voteLaw, path: { id: 1 }, multipart: { a: b } }] }
        load: [{ hold: 3/s, for: 1s }]
        """, against: server.url)
      return Set(server.requests.map { $0.header("content-type") })
    }
    let first = try await boundaries()
    #expect(try await boundaries() == first && first.count == 3)
  }

  @Test func `secret parts are masked`() async throws {
    let server = try WildServer { _, connection in connection.answer(418) }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        send: { steps: [{ call: voteLaw, path: { id: 1 }, multipart: { password: hush-hush, user: "${uuid()}" } }] }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let evidence = try #require(record.findings.first { $0.kind == .contractStatus }?.evidence)
    #expect(evidence.curl?.text.contains("hush") == false && evidence.exchange?.requestBody?.contains("hush") == false)
    #expect(
      evidence.curl?.text.contains("--form-string 'password='\"$SECRET_PASSWORD\"") == true, "\(evidence.curl ?? "")")
  }

  @Test func `GraphQL responses with errors are findings unless the step expects them`() async throws {
    let server = try WildServer { request, connection in
      let isGood = String(decoding: request.body, as: UTF8.self).contains(#""operationName":"Good""#)
      connection.answer(
        body: isGood
          ? #"{"data":{"law":{"id":7}}}"# : #"{"data":null,"errors":[{"message":"no such law"},{"message":"x"}]}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        ask:
          steps:
            - call: { method: POST, url: /graphql }
              graphql: { query: "query Good($id: ID!) { law(id: $id) { id } }", variables: { id: "${user}" }, operation: Good }
              save: { id: $.data.law.id }
            - call: { method: POST, url: /graphql }
              graphql: { query: "{ law(id: ${id}) { id } }" }
              expect: { body: { $.errors: present } }
            - call: { method: POST, url: /graphql }
              graphql: { query: "{ law { id } }" }
              expect: { on-failure: continue, status: 200 }
            - call: { method: POST, url: /graphql }
              graphql: { query: "{ law { id } }" }
            - call: listLaws
      load: [{ hold: 2/s, for: 1s }]
      """, against: server.url)
    #expect(
      server.requests.prefix(1).map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"query":"query Good($id: ID!) { law(id: $id) { id } }","variables":{"id":0},"operationName":"Good"}"#
      ])
    #expect(String(decoding: server.requests[1].body, as: UTF8.self).contains("law(id: 7)"))
    let findings = record.findings.filter { $0.kind == .contractGraphQL }
    #expect(findings.map(\.count) == [2, 2] && findings.allSatisfy { $0.severity == .error })
    #expect(findings.allSatisfy { $0.message.contains("expected no GraphQL errors") }, "\(findings.map(\.message))")
    #expect(
      record.session("ask").failed.map(\.reason) == ["POST /graphql: expected no GraphQL errors"])
    #expect(!server.requests.contains { $0.target == "/laws" })
  }
}
