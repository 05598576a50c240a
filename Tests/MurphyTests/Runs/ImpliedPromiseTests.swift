import Foundation
import Murphy
import Testing
import WildServer

/// Promises that nobody wrote, against servers that keep their contract and nothing else.
@Suite(.serialized) struct ImpliedPromiseTests {
  @Test func `a healthy server keeps them all`() async throws {
    let said = try await Self.run { _, connection in connection.answer(body: ShopAPI.body) }
    said.expect(.pass)
    #expect(said.result.traffic.map(\.verdict) == [.pass, .pass, .pass])
    #expect(said.result.budgets.map(\.metric) == [.errors])
    #expect(said.outcome.output.contains("login      200 × 80"))
    #expect(said.summary.contains("| buy | 80 | 80 | 0 | 0 | 0 | – |"))
  }

  @Test func `every response a documented 503 fails`() async throws {
    let said = try await Self.run { _, connection in connection.answer(503) }
    said.expect(.fail)
    #expect(said.result.ledger.violating == 0, "the contract documents it")
    #expect(said.row(.completed)?.verdict == .fail)
    #expect(said.row(.sessions)?.verdict == .fail)
    #expect(said.row(.called)?.exceptions.map(\.reason) == ["listItems", "getItem", "login"])
    #expect(said.outcome.output.contains("503 × 80"))
    #expect(said.outcome.output.contains("80 × login: status 503"))
    #expect(said.summary.contains("80 × login: status 503"))
  }

  /// The credentials of all sessions are wrong: nothing is known about the API.
  @Test func `a run whose logins all get a 401 or 403 stops`() async throws {
    let count = Counter()
    let said = try await Self.run { request, connection in
      let status = request.target == "/login" ? count.add() % 2 == 0 ? 401 : 403 : 200
      connection.answer(status, body: ShopAPI.body)
    }
    said.expect(.invalid, status: .unreachable)
    #expect(said.result.ledger.sent < 80)
  }

  @Test func `a list that is empty so that pick fails fails`() async throws {
    let said = try await Self.run { _, connection in connection.answer(body: #"{"data":[]}"#) }
    said.expect(.fail)
    #expect(said.result.findings.allSatisfy { $0.severity == .note || $0.kind.family != .contract })
    #expect(
      said.row(.completed)?.exceptions.map(\.reason)
        == ["getItem: pick() needs a list with items; found an empty list"])
  }

  @Test func `two percent of errors fail and half a percent passes`() async throws {
    for (every, verdict) in [(50, Verdict.fail), (200, .pass)] {
      let count = Counter()
      let steps = "- call: listItems\n  on: { 500: continue }"
      let said = try await Self.run(steps: steps, load: "[{ hold: 200/s, for: 2s }]") { _, connection in
        connection.answer(count.add() % every == 0 ? 500 : 200, body: ShopAPI.body)
      }
      said.expect(verdict)
      #expect(said.row(.completed)?.verdict == .pass)
    }
  }

  @Test func `errors that the scenario expects are none`() async throws {
    let said = try await Self.run(steps: "- call: listItems\n  expect: { status: 500 }") { _, connection in
      connection.answer(500)
    }
    said.expect(.pass)
  }

  @Test func `the scenarios own budget replaces the implied one`() async throws {
    let said = try await Self.run(
      steps: "- call: listItems\n  on: { 500: continue }", expect: "budgets: { \"*\": { errors: 60% } }"
    ) { _, connection in connection.answer(connection.number % 2 == 0 ? 500 : 200) }
    said.expect(.pass)
    #expect(said.result.budgets.map(\.limit) == [Measure(0.6, .share)])
  }

  @Test func `what is switched off is not judged`() async throws {
    let said = try await Self.run(expect: "errors: off, completed: off, called: off, sessions: off") {
      _, connection in connection.answer(503)
    }
    // Nothing is judged, and no request succeeded: that is no pass.
    said.expect(.noData)
    #expect(said.result.reasons == ["No request succeeded."])
    #expect(said.result.traffic == [])
    #expect(said.result.budgets == [])
  }

  @Test func `a branch that was never taken is no data until it is switched off`() async throws {
    let steps = ShopAPI.steps.replacing("- call: getItem", with: "- if: ${count(ids) > 9}\n  call: getItem")
    let said = try await Self.run(steps: steps) { _, connection in connection.answer(body: ShopAPI.body) }
    said.expect(.noData)
    #expect(said.row(.called)?.exceptions == [ReasonCount(reason: "getItem", count: 0)])
    for called in ["off", "[login, listItems]"] {
      let said = try await Self.run(steps: steps, expect: "called: \(called)") { _, connection in
        connection.answer(body: ShopAPI.body)
      }
      said.expect(.pass)
    }
  }

  @Test func `sessions that still run at the end are no failure`() async throws {
    let said = try await Self.run(steps: ShopAPI.steps + "\n- think: 0s..8s") { _, connection in
      connection.answer(body: ShopAPI.body)
    }
    said.expect(.pass)
    #expect(said.result.sessions[0].unfinished > 0)
  }

  private static func run(
    steps: String = ShopAPI.steps, expect: String = "", load: String = "[{ hold: 40/s, for: 2s }]",
    _ respond: @escaping WildServer.Responder
  ) async throws -> RunAgreement {
    let server = try WildServer(respond)
    defer { server.stop() }
    let scenario = ShopAPI.scenario(url: server.url, steps: steps, expect: expect, load: load)
    return try await ShopAPI.withFiles(scenario) { try await RunAgreement.of($0) }
  }
}
