import Foundation
import Murphy
import Testing

/// Users without a network, what their clients show early, and polls, against the reference APIs.
@Suite(.serialized) struct OfflineTests {
  private static func run(_ steps: String, client: String = "cookies: true")
    async throws -> RunResult
  {
    let scenario = """
      name: Offline
      contract: CONTRACT
      target: embedded:murphys-laws?limits=off
      client: { headers: { X-Device-ID: "${uuid()}" }, \(client) }
      sessions:
        user:
          steps:
      \(steps.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
      load: { stages: [{ users: 0..1, for: 100ms }, { users: 1, for: 20s }], iterations: 1 }
      """
    return try await withScenario(scenario) { file in
      let gate = try Gate.load(file, environment: [:])
      return gate.judge(try await gate.run())
    }
  }

  private static func requests(_ id: String, _ result: RunResult) -> Int {
    result.operations.first { $0.operation == id }?.requests ?? 0
  }

  @Test func `the shipped scenario pushes in order what was written offline`() async throws {
    let gate = try Gate.load("\(Repository.root)/scenarios/journal/offline.yaml", environment: [:])
    var options = RunOptions()
    options.duration = .seconds(3)
    let result = gate.judge(try await gate.run(options), options: options)
    #expect(result.findings.filter { $0.severity == .error }.map(\.headline) == [])
    #expect(result.sessions[0].failed.isEmpty && result.sessions[0].completed > 5)
    #expect(Self.requests("pushEntry", result) >= 3 * result.sessions[0].completed)
    #expect((result.operations.first { $0.operation == "getEntry" }?.spared ?? 0) >= result.sessions[0].completed)
    #expect(result.operations.first { $0.operation == "pushEntry" }?.outcomes.clientError == 0)
  }

  @Test func `writes wait for the network, reads take what is kept`() async throws {
    let result = try await Self.run(
      """
      - call: getLaw
        path: { id: 1 }
        cache: 1h
        save: { votes: $.upvotes }
      - set: { before: "${votes}" }
      - offline: 1s
        steps:
          - call: voteLaw
            path: { id: 1 }
            body: { vote_type: up }
            optimistic: { votes: "${votes + 1}" }
          - if: ${votes == before + 1}
            call: getLaw
            path: { id: 1 }
            cache: 1h
          - call: listLaws
            on: { offline: [{ set: { told: true } }] }
          - if: ${told}
            call: removeVote
            path: { id: 1 }
      - call: listCategories
      """)
    #expect(result.sessions[0].completed == 1 && result.sessions[0].failed.isEmpty)
    #expect(Self.requests("getLaw", result) == 1, "the second is the kept one")
    #expect(result.operations.first { $0.operation == "getLaw" }?.spared == 1)
    #expect(Self.requests("listLaws", result) == 0)
    #expect(Self.requests("voteLaw", result) == 1 && Self.requests("removeVote", result) == 1)
    #expect(Self.requests("listCategories", result) == 1)
    #expect(result.run.duration >= .seconds(1))
    #expect(result.ledger.contradictions == [])
  }

  @Test func `what the API rejects is taken back`() async throws {
    let result = try await Self.run(
      """
      - set: { score: 7 }
      - call: voteLaw
        path: { id: 99999999 }
        body: { vote_type: up }
        optimistic: { score: "${score + 1}" }
        on: { 404: [{ set: { seen: "${score}" } }] }
      - if: ${seen == 7 && score == 7}
        call: listCategories
      - call: voteLaw
        path: { id: 1 }
        body: { vote_type: up }
        optimistic: { score: "${score + 1}" }
      - if: ${score == 8}
        call: listAttributions
      """)
    #expect(result.sessions[0].completed == 1)
    #expect(Self.requests("listCategories", result) == 1 && Self.requests("listAttributions", result) == 1)
  }

  @Test func `of changes made offline each is taken back by itself, and what is saved counts`() async throws {
    let result = try await Self.run(
      """
      - set: { score: 0, kept: 0 }
      - offline: 100ms
        steps:
          - call: voteLaw
            path: { id: 99999999 }
            body: { vote_type: up }
            optimistic: { score: "${score + 1}" }
            on: { 404: [{ set: { first: "${score}" } }] }
          - repeat: 2
            call: voteLaw
            path: { id: 1 }
            body: { vote_type: up }
            optimistic: { score: "${score + 1}" }
          - call: voteLaw
            path: { id: 99999999 }
            body: { vote_type: up }
            optimistic: { score: "${score + 1}", kept: 9 }
            expect: { status: 404 }
            save: { kept: { status: true } }
          - if: ${score == 4 && kept == 9 && answer.status == 0}
            call: removeVote
            path: { id: 1 }
          - end
      """)
    #expect(Self.requests("voteLaw", result) == 4 && Self.requests("removeVote", result) == 1)
    #expect(result.sessions[0].completed == 1, "\(result.sessions[0].failed.map(\.reason))")
    let seen = try await Self.run(
      """
      - set: { score: 0, kept: 0 }
      - set: { id: 99999999 }
      - offline: 100ms
        steps:
          - repeat: 3
            steps:
              - call: voteLaw
                path: { id: "${id}" }
                body: { vote_type: up }
                optimistic: { score: "${score + 1}" }
                on: { 404: continue }
              - set: { id: 1 }
      - call: voteLaw
        path: { id: 99999999 }
        body: { vote_type: up }
        optimistic: { kept: 9 }
        expect: { status: 404 }
        save: { kept: { status: true } }
      - if: ${score == 2 && kept == 404}
        call: listCategories
      """)
    #expect(Self.requests("listCategories", seen) == 1, "\(seen.sessions[0].failed.map(\.reason))")
  }

  @Test func `writes that are never sent are told`() async throws {
    let result = try await Self.run(
      """
      - offline: 100ms
        steps:
          - repeat: 3
            call: voteLaw
            path: { id: 99999999 }
            body: { vote_type: up }
      """)
    #expect(Self.requests("voteLaw", result) == 1)
    #expect(
      result.sessions[0].failed.map(\.reason) == ["voteLaw: status 404; writes of the offline time were not sent"])
  }

  @Test func `the user's network takes the user's time, not the API's`() async throws {
    let result = try await Self.run(
      """
      - repeat: 4
        call: listCategories
      """, client: "network: { latency: 200ms, loss: 0%, down: 1Mbit/s }")
    let row = try #require(result.operations.first { $0.operation == "listCategories" })
    #expect(row.requests == 4 && result.sessions[0].completed == 1)
    #expect(
      result.run.duration >= .milliseconds(900), "a connection, four requests, three responses that are waited for")
    #expect(row.latency.max < .milliseconds(200), "a round trip")
    #expect(result.generator.doubts.isEmpty && result.ledger.contradictions == [])
  }

  @Test func `a poll ends when its condition holds, and fails the session when it never does`() async throws {
    let result = try await Self.run(
      """
      - poll: 20ms
        until: ${index == 3}
        call: listCategories
      - poll: 20ms
        times: 2
        call: listAttributions
      - poll: 10ms
        times: 5
        until: ${default($.nothing, 0) == 1}
        call: listLaws
      """)
    #expect(Self.requests("listCategories", result) == 4)
    #expect(Self.requests("listAttributions", result) == 2)
    #expect(result.sessions[0].failed.map(\.count) == [1])
    #expect(
      result.sessions[0].failed.first?.reason
        == "poll: default($.nothing, 0) == 1 was not true after 5 attempts")
    #expect(Self.requests("listLaws", result) == 5)
  }
}
