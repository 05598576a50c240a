import Foundation
import Murphy
import MurphyModel
import MurphyServer
import TestSupport
import Testing

/// A run whose users send one request after the other does not pass a limit that other traffic exceeds.
@Suite(.timed) struct HiddenCounterTests {
  private static func run(
    _ fault: String?, client: String = "", header: String = "X-Device-ID: \"${uuid()}\"", limiter: String = "fixed",
    tested: String = "allowance"
  ) async throws -> RunResult {
    let text = """
      name: One after the other
      contract: \(Repository.scenarios)/openapi.yaml
      client: { headers: { \(header) }\(client) }
      sessions:
        vote:
          steps:
            - repeat: 40
              call: voteLaw
              path: { id: "${index % 8 + 1}" }
              body: { vote_type: up }
      load: [{ hold: 4/s, for: 1s }]
      expect:
        limits:
          votes:
            allow: 30
            per: 60s
            algorithm: \(limiter)
            key: X-Device-ID
            operations: [voteLaw, removeVote]
            tested: [\(tested)]
      """
    let file = FileManager.default.temporaryDirectory.appending(path: "hidden-\(UUID().uuidString).yaml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    var options = RunOptions()
    options.target = try Target("embedded:murphys-laws?limiter=\(limiter)")
    if let fault { try options.reference.set("fault", to: fault) }
    let gate = try Gate.load(file.path, environment: [:])
    return gate.judge(try await gate.run(options), options: options)
  }

  private static func race(_ result: RunResult) throws -> LimitTest {
    try #require(result.limits.first { $0.name == "votes" }?.tests?.first { $0.test == .race })
  }

  @Test func `counters of connections fail the run`() async throws {
    let result = try await Self.run("limit-per-connection")
    #expect(result.findings.contains { $0.kind == .limitOverAdmission }, "\(result.reasons)")
    #expect(result.verdict == .fail)
  }

  @Test func `a limiter that checks before it counts fails the run by name`() async throws {
    let result = try await Self.run("limit-race")
    let finding = try #require(result.findings.first { $0.kind == .limitRace }, "\(result.findings.map(\.headline))")
    #expect(finding.message.contains("in sequence") && finding.evidence?.curl != nil, "\(finding.message)")
    #expect(result.verdict == .fail)
    #expect(try Self.race(result).outcome == .broken)
  }

  @Test(arguments: ["fixed", "fixed-aligned", "sliding-log", "sliding-counter", "token-bucket"])
  func `a correct limiter passes the test of concurrent requests`(_ limiter: String) async throws {
    let result = try await Self.run(nil, limiter: limiter)
    #expect(!result.findings.contains { $0.kind == .limitRace || $0.kind == .limitOverAdmission }, "\(limiter)")
    let race = try Self.race(result)
    #expect(race.outcome == .kept, "\(limiter): \(race.sentence)")
  }

  @Test func `a test that cannot be made is reported with its reason`() async throws {
    let result = try await Self.run(nil, header: "X-Device-ID: one-device", tested: "allowance, race")
    let test = try Self.race(result)
    #expect(test.outcome == .notTested && test.sentence.contains("no new client"), "\(test.sentence)")
    #expect(result.limits.first { $0.name == "votes" }?.verdict == .inconclusive)
  }

  @Test func `a user with a single connection uses one`() async throws {
    let result = try await Self.run("limit-per-connection", client: ", connections: single")
    let row = try #require(result.limits.first { $0.name == "votes" })
    // Only the requests after the load exceed the quota.
    #expect(row.refused > 0 && result.verdict == .fail, "\(row.sentence)")
  }
}
