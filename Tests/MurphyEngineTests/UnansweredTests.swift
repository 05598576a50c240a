import MurphyEngine
import MurphyModel
import Testing
import WildServer

/// Requests without a response: which class each ending has, from when its wait counts, and that none is forgotten.
@Suite struct UnansweredTests {
  @Test func `a server that freezes is slow in the percentiles and in the error share`() async throws {
    let begin = Instant.now
    let server = try WildServer { request, connection in
      if Double(Instant.now - begin) / 1e9 > 1 { _ = connection.waitForClose(atMost: 60) }
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { timeout: 1s, grace: 500ms }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 }, on: { error: continue } }] }
      load: [{ hold: 50/s, for: 4s }]
      expect: { budgets: { getLaw: { p95: 900ms, p99: 700ms, errors: 1% } } }
      """, against: server.url, loops: 2)
    let operation = record.operation("getLaw")
    let censored = operation.account.censored
    everyRequestIsKnown(record)
    #expect(operation.planned == 200)
    #expect(censored.count(.timeout) > 0)
    #expect(censored.count(.end) > 0)
    #expect(censored.timeout.min >= 1_000_000_000)
    // Responses alone look healthy; over all that came due more than a tenth waited for longer than the limits.
    for limit in [900_000_000, 700_000_000] as [Int64] {
      let bound = try #require(operation.account.bound(isService: false, limit: limit))
      #expect(bound.over > 20)
    }
    let p99 = try #require(LatencyDistribution(operation.account).percentile(99))
    #expect(p99.high == nil)
    #expect(p99.low >= .milliseconds(900))
    // Nothing responses any more: what is open at the end failed like what timed out before.
    #expect(operation.errors == 200 - operation.outcomes.ok)
    #expect(operation.perhapsErrors == 0)
  }

  @Test func `requests that were merely under way at the end are perhaps errors`() async throws {
    let server = try WildServer { request, connection in
      if request.target.contains("q=slow") { _ = connection.waitForClose(atMost: 60) }
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    // The slow one is sent a tenth of a second before the end; others are answered until then.
    let record = try await EngineFixture.run(
      """
      settings: { grace: 400ms }
      sessions:
        fast: { share: 1, steps: [{ repeat: 400, steps: [{ call: getLaw, path: { id: 7 } }, { think: 10ms }] }] }
        slow: { share: 1, steps: [{ think: 1300ms }, { call: listLaws, query: { q: slow } }] }
      load: [{ hold: 4/s, for: 1s }]
      """, against: server.url, loops: 2)
    everyRequestIsKnown(record)
    let slow = record.operation("listLaws")
    #expect(slow.account.censored.count(.end) == slow.planned - slow.account.censored.unsentMurphy)
    #expect(slow.errors == 0)
    #expect(slow.perhapsErrors == slow.planned)
  }

  /// Six connections are all that a user has: of twelve requests six are never sent, because the API holds them all.
  @Test func `a request that never got a connection waits from its intended moment`() async throws {
    let server = try WildServer { _, connection in _ = connection.waitForClose(atMost: 60) }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 1500ms }
      sessions:
        burst: { steps: [{ burst: 12, over: 10ms, call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let operation = record.operation("getLaw")
    everyRequestIsKnown(record)
    #expect(operation.account.censored.count(.end) == 6)
    #expect(operation.account.censored.count(.unsentApi) == 6)
    #expect(operation.account.censored.unsentApi.min > 1_000_000_000)
    #expect(operation.account.censored.service.min == 0)
    #expect(operation.errors == 12)
    #expect(record.ledger.dropped.map(\.reason) == ["the load was over before the user had a free connection"])
  }

  @Test func `a superseded query is censored, and its patience comes from the keys`() async throws {
    let server = try WildServer { request, connection in
      if request.target.contains("q=ab") { _ = connection.waitForClose(atMost: 60) }
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { grace: 1s }
      sessions:
        search: { steps: [{ type: abc, every: 200ms, call: listLaws, query: { q: "${typed}" } }] }
      load: [{ hold: 5/s, for: 1s }]
      expect: { budgets: { listLaws: { p95: 300ms, p50: 100ms } } }
      """, against: server.url)
    let account = record.operation("listLaws").account
    everyRequestIsKnown(record)
    // "a" and "ab" are superseded after 200 ms by the plan, whether or not they were answered; "abc" never is.
    #expect(account.bound(isService: false, limit: 300_000_000)?.impatient == 10)
    #expect(account.bound(isService: false, limit: 100_000_000)?.impatient == 0)
    #expect(account.censored.count(.superseded) >= 5)
  }

  /// The person waits for the response before; that wait is the API's, and murphy was on time.
  @Test func `a query that waits for the one before is not late`() async throws {
    let server = try WildServer { request, connection in
      connection.pause(milliseconds: 400)
      SessionTests.api(request, connection)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        search: { steps: [{ type: abcd, every: 10ms, newer: waits, call: listLaws, query: { q: "${typed}" } }] }
      load: [{ hold: 1/s, for: 1s }]
      """, against: server.url)
    let account = record.operation("listLaws").account
    everyRequestIsKnown(record)
    #expect(account.latency.max >= 1_500_000_000)
    // The last one waited for three responses, 1.2 s: none of that is murphy's.
    #expect(record.generator.lateness.max < .milliseconds(900))
  }

  @Test func `a reset after a moment is not a fast response`() async throws {
    let server = try WildServer { _, connection in connection.finish() }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 10/s, for: 1s }]
      """, against: server.url)
    let account = record.operation("getLaw").account
    everyRequestIsKnown(record)
    #expect(account.censored.count(.reset) == 10)
    #expect(LatencyDistribution(account).percentile(50)?.high == nil)
    #expect(record.operation("getLaw").errors == 10)
  }

  @Test func `a body that was cut off at the size limit has no last byte`() async throws {
    let server = try WildServer { _, connection in
      connection.answer(body: #"{"id":7,"text":"\#(String(repeating: "x", count: 20_000))"}"#)
    }
    defer { server.stop() }
    let record = try await EngineFixture.run(
      """
      settings: { max-body: 10kB }
      sessions:
        read: { steps: [{ call: getLaw, path: { id: 7 } }] }
      load: [{ hold: 10/s, for: 1s }]
      """, against: server.url)
    let account = record.operation("getLaw").account
    everyRequestIsKnown(record)
    #expect(account.censored.count(.cutOff) == 10)
    #expect(account.latency.isEmpty)
  }

  /// Every planned request of an operation is a sample, answered or censored.
  private func everyRequestIsKnown(_ record: RunRecord, at location: SourceLocation = #_sourceLocation) {
    #expect(record.ledger.contradictions == [], sourceLocation: location)
    for operation in record.operations {
      #expect(operation.account.samples == operation.planned, sourceLocation: location)
    }
  }
}
