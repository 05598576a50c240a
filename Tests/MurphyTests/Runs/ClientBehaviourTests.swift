import Foundation
import Murphy
import Testing

/// Setups, logins, kept responses and included files against the reference APIs, as the shipped scenarios use them.
@Suite(.serialized) struct ClientBehaviourTests {
  private static func run(_ scenario: String, fault: String? = nil, for duration: Duration = .seconds(2)) async throws
    -> RunResult
  {
    let gate = try Gate.load("\(Repository.root)/scenarios/\(scenario)", environment: [:])
    var options = RunOptions()
    options.seed = 7
    options.duration = duration
    if let fault { options.reference.faultNames = [fault] }
    return gate.judge(try await gate.run(options), options: options)
  }

  private static func operation(_ id: String, _ result: RunResult) throws -> OperationResult {
    try #require(result.operations.first { $0.operation == id })
  }

  @Test func `a setup writes what the sessions change, and a teardown cleans up`() async throws {
    let result = try await Self.run("journal/conflicts.yaml")
    #expect(result.run.setup?.failed == nil && result.run.setup?.requests == 3)
    #expect(result.run.teardown?.failed == nil && result.run.teardown?.requests == 1)
    #expect(try Self.operation("registerPushToken", result).requests == 0)
    #expect(try Self.operation("pushEntry", result).outcomes.clientError == 0, "a 409 that is expected is no error")
    #expect(
      result.ledger.contradictions == [] && result.findings.filter { $0.severity == .error }.map(\.headline) == [])
    #expect(try Self.operation("logIn", result).requests == result.sessions[0].started)
  }

  @Test func `a setup that the API fails is INVALID and says why`() async throws {
    let result = try await Self.run("journal/conflicts.yaml", fault: "date-without-zone")
    #expect(result.run.setup?.failed == nil, "getEntry is not a part of the setup")
    let scenario = try String(contentsOfFile: Repository.root + "/scenarios/journal/conflicts.yaml", encoding: .utf8)
      .replacing("version: 0, content", with: "version: 9, content")
      .replacing("contract: openapi.yaml", with: "contract: \(Repository.root)/scenarios/journal/openapi.yaml")
    try await withScenario(scenario) { file in
      let gate = try Gate.load(file, environment: [:])
      let failed = gate.judge(try await gate.run())
      #expect(failed.verdict == .invalid && failed.exitStatus == .invalid)
      #expect(failed.reasons.first == "The setup failed, so no load was sent: pushEntry: status 422.")
      #expect(failed.ledger.planned == 0 && failed.findings.allSatisfy { $0.severity != .error })
    }
  }

  @Test func `what the app keeps the API is spared`() async throws {
    let result = try await Self.run("murphys-laws/returning-users.yaml")
    #expect(try Self.operation("listCategories", result).requests == 10)
    #expect(try Self.operation("listAttributions", result).requests == 10)
    let daily = try Self.operation("getLawOfTheDay", result)
    #expect(daily.requests == 10 && (daily.spared ?? 0) > 0)
    #expect(try (Self.operation("getLaw", result).spared ?? 0) > 0)
    #expect(daily.latency.count == daily.requests)
    let text = TerminalDetails(result, width: 200).text
    #expect(text.contains("not sent, because the client already had the response"))
  }

  @Test func `an app that is opened again takes its list from its cache, and shares equal requests`() async throws {
    let result = try await Self.run("monica/opened-again.yaml")
    #expect(try (Self.operation("listContacts", result).spared ?? 0) > 0)
    #expect(try (Self.operation("getContact", result).spared ?? 0) > 0)
  }

  @Test func `a client without a device id waits for Retry-After and tries again`() async throws {
    let result = try await Self.run("murphys-laws/distant-users.yaml")
    let mails = try Self.operation("shareCalculation", result)
    #expect((mails.retries ?? 0) > 0 && mails.outcomes.limited > 0)
    #expect(result.sessions.flatMap(\.failed).isEmpty)
  }

  @Test func `a walk through all pages logs in once, with steps of another file`() async throws {
    let result = try await Self.run("monica/walk.yaml")
    #expect(try Self.operation("oauthLogin", result).requests == 3)
    #expect(try Self.operation("listContacts", result).requests > 5)
    #expect(result.findings.filter { $0.severity == .error }.map(\.headline) == [])
  }
}
