import Foundation
import MurphyEngine
import MurphyModel
import TestSupport
import Testing
import WildServer

@Suite(.requires(.curl)) struct FindingTests {
  @Test func `equal violations are one row with a count, the load they came at, and evidence`() async throws {
    let server = try WildServer { request, connection in
      connection.answer(body: #"{"id":"seven","text":"a"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client:
        headers: { X-Device-ID: "it's ${uuid()}" }
        auth: { bearer: sesame-open-now }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 20/s, for: 500ms }, { hold: 40/s, for: 500ms }]
      """, against: server.url)
    let finding = try #require(record.findings.first { $0.kind == .contractBody })
    #expect(record.findings.filter { $0.kind == .contractBody }.count == 1)
    #expect(finding.count == 30)
    #expect(finding.operation == "getLaw")
    #expect(finding.load.map(\.occurrences).reduce(0, +) == 30)
    #expect(finding.load.map(\.stage) == [0, 1])
    #expect(record.info.load.map(\.text) == ["hold 20/s for 500 ms", "hold 40/s for 500 ms"])
    #expect(record.ledger.violating == 30)
    let evidence = try #require(finding.evidence)
    let exchange = try #require(evidence.exchange)
    #expect(exchange.status == 200)
    #expect(exchange.responseBody == #"{"id":"seven","text":"a"}"#)
    #expect(exchange.url == server.url + "/laws/7")
    #expect(evidence.instancePointer == "/id")
    #expect(!"\(record.findings)".contains("sesame-open-now"))
    #expect(exchange.requestHeaders.contains(HeaderField("Authorization", "Bearer ***")))
    // All that went over the wire, with what the client adds by itself.
    let sent = try #require(server.requests.first?.headers.map(\.name).sorted())
    #expect(exchange.requestHeaders.map { $0.name.lowercased() }.sorted() == sent)
  }

  @Test func `a finding counts responses, and the places in them apart`() async throws {
    let items = (0..<25).map { "{\"id\":\"\($0)\",\"text\":\"a\"}" }.joined(separator: ",")
    let server = try WildServer { _, connection in connection.answer(body: "{\"data\":[\(items)]}") }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: listLaws }] }
      load: [{ hold: 3/s, for: 1s }]
      """, against: server.url)
    let found = record.findings.filter { $0.kind == .contractBody }
    #expect(found.map(\.count) == [3])
    #expect(found.map(\.places) == [75])
    #expect(found.first?.load.map(\.occurrences) == [3])
    #expect(record.ledger.violating == 3)
  }

  @Test func `the curl line of a finding repeats the request`() async throws {
    let server = try WildServer { _, connection in connection.answer(500, body: "oops") }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      client: { headers: { X-Odd: "it's $HOME \\"and\\" `more`" } }
      sessions:
        vote: { steps: [{ call: voteLaw, path: { id: 7 }, body: { why: "it's so; $1 & 'more'" } }] }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let command = try #require(record.findings.first?.evidence?.curl?.text)
    let sent = server.requests
    #expect(sent.count == 1)
    _ = try await ReproductionTests.paste(command)
    let again = try #require(server.requests.last)
    #expect(server.requests.count == 2)
    #expect(again.method == sent[0].method)
    #expect(again.target == sent[0].target)
    #expect(again.body == sent[0].body)
    for name in ["x-odd", "content-type"] { #expect(again.header(name) == sent[0].header(name)) }
  }

  @Test func `more kinds of finding than are kept apart are counted together`() async throws {
    let number = Counter()
    let server = try WildServer { _, connection in
      connection.answer(body: "{\"id\":1,\"text\":\"a\",\"extra\(number.add())\":1}")
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 40/s, for: 1s }]
      """, against: server.url, loops: 1
    ) { $0.findingLimit = 5 }
    let kept = record.findings.filter { $0.severity != .note }
    #expect(kept.count <= 6)
    #expect(kept.reduce(0) { $0 + $1.count } == 40)
  }

  @Test func `a body over the limit is a response, counted and reported`() async throws {
    let server = try WildServer { _, connection in
      connection.answer(body: "[" + String(repeating: " ", count: 100_000) + "]")
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { max-body: 50KB }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 5/s, for: 1s }]
      """, against: server.url)
    #expect(record.findings.contains { $0.kind == .transportBodyLimit && $0.count == 5 })
    #expect(record.ledger.answered == 5)
    #expect(record.ledger.conformant == 0)
    #expect(record.ledger.contradictions == [])
  }
}
