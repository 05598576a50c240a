import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

/// One text means the same wherever it is written: in a contract, in a scenario and on the command line.
@Suite struct SameTextTests {
  private static func contract(_ fields: String) throws -> Contract {
    let text = """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      paths:
        /a:
          get:
            operationId: a
            x-ratelimit: { \(fields) }
            responses: { "200": { description: fine } }

      """
    return try Contract.load(["http://laws/openapi.yaml"], fetched: ["http://laws/openapi.yaml": Array(text.utf8)])
  }

  private static func scenario(_ fields: String) throws -> LimitPolicy? {
    let text = """
      name: t
      contract: openapi.yaml
      sessions: { only: { steps: [{ call: a }] } }
      load: [{ hold: 1/s, for: 1s }]
      expect: { limits: { a: { \(fields) } } }

      """
    let scenario = try Scenario.parse(text: text, file: "scenario.yaml", operations: nil, environment: [:])
    return scenario.expectations.limits.first?.policy
  }

  /// A value of a call's query.
  private static func sent(_ text: String) throws -> JSONValue? {
    let text = """
      name: t
      contract: openapi.yaml
      sessions: { only: { steps: [{ call: a, query: { q: \(text) } }] } }
      load: [{ hold: 1/s, for: 1s }]

      """
    let scenario = try Scenario.parse(text: text, file: "scenario.yaml", operations: nil, environment: [:])
    guard case .constant(let value)? = scenario.sessions[0].steps[0].calls.first?.query.first?.value.content else {
      return nil
    }
    return value
  }

  /// An example of a parameter.
  private static func example(_ text: String) throws -> JSONValue? {
    let text = """
      openapi: 3.1.0
      info: { title: t, version: "1" }
      x-example: { q: \(text) }
      paths: {}

      """
    let contract = try Contract.load(
      ["http://laws/openapi.yaml"], fetched: ["http://laws/openapi.yaml": Array(text.utf8)])
    return contract.schemas.sources.root(0).value["x-example"]?["q"]
  }

  @Test(
    arguments: [
      "1", "-1", "+1", "0", "0.50", ".5", "1.", "1e3", "0x1F", "0o17", "007.5", "12345678901234567890123", "true",
      "False", "~", "Null", "''", "'007'", "\"1\"", "yes", "on", "NO", "2026-01-01", "1.2.3", "1_000", ".inf",
      "!!str 12",
      "12:30:45", "[1, '1']", "{ a: 0x10, b: TRUE }", "0b11", "1e", "+", "é",
    ])
  func `a scalar is the same value in a contract and in a scenario`(_ text: String) throws {
    let example = try #require(try Self.example(text))
    #expect(try Self.sent(text) == example)
  }

  @Test(arguments: [("007", "7"), ("-01234", "-1234"), ("+00", "0")])
  func `digits behind a zero are a number in a contract, and a scenario asks what is meant`(
    _ text: String, _ number: String
  ) throws {
    #expect(try Self.example(text)?.number?.text.replacing("-0", with: "0") == number)
    let error = #expect(throws: ScenarioError.self) { try Self.sent(text) }
    #expect(
      error?.diagnostics.map(\.message)
        == ["YAML reads \(text) as the number \(number); for the string, write \"\(text)\""]
    )
    #expect(try Self.sent("\"\(text)\"") == .string(text))
  }

  @Test(
    arguments: [
      ("ip", LimitKey.sourceAddress), ("IP", .sourceAddress), ("address", .sourceAddress),
      ("source-address", .sourceAddress), ("token", .token), ("Token", .token), ("global", .global), ("none", .global),
      ("X-Device-ID", .header("x-device-id")), ("header.X-Device-ID", .header("x-device-id")),
      ("x-api-key", .header("x-api-key")),
    ])
  func `a limit's key is the same in a contract, a scenario and a what-if`(_ text: String, _ key: LimitKey) throws {
    let documented = try LimitPolicy.documented(in: Self.contract("allow: 30, per: 60s, key: \(text)"))
    #expect(documented.map(\.key) == [key])
    #expect(try Self.scenario("allow: 30, per: 60s, key: \(text)")?.key == key)
    #expect(try WhatIf("30/60s key=\(text)").policy.key == key)
  }

  @Test func `a key of several parts is the same in a contract and a scenario`() throws {
    let key = LimitKey([.sourceAddress, .header("x-device-id")])
    let text = "allow: 30, per: 60s, key: [ip, X-Device-ID]"
    #expect(try LimitPolicy.documented(in: Self.contract(text)).map(\.key) == [key])
    #expect(try Self.scenario(text)?.key == key)
  }

  @Test(arguments: ["X Device", "a/b", "[ip, global]", "[]", "''"])
  func `what is not a key is told in a contract and in a scenario`(_ text: String) throws {
    let contract = try Self.contract("allow: 30, per: 60s, key: \(text)")
    #expect(contract.warnings.count == 1)
    #expect(LimitPolicy.documented(in: contract).map(\.keyIsAssumed) == [true])
    #expect(throws: ScenarioError.self) { try Self.scenario("allow: 30, per: 60s, key: \(text)") }
  }

  @Test(
    arguments: [
      ("60s", 60), ("500ms", 0.5), ("1.5m", 90), ("1m30s", 90), ("2h", 7200), ("1d", 86_400), ("5min", 300),
      ("250us", 0.000_25),
    ])
  func `a window is as long in a contract as in a scenario and a what-if`(_ text: String, _ seconds: Double) throws {
    let window = Duration.saturating(seconds: seconds)
    #expect(try LimitPolicy.documented(in: Self.contract("allow: 30, per: \(text)")).map(\.window) == [window])
    #expect(try Self.scenario("allow: 30, per: \(text), key: ip")?.window == window)
    #expect(try WhatIf("30/\(text)").policy.window == window)
  }
}
