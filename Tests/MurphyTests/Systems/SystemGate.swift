import Foundation
import Murphy

/// The release gate of a reference API, or another scenario of it, with a load that suits a test: a few seconds, every response is waited for, and
/// nothing that a busy machine can break is promised.
enum SystemGate {
  /// - Parameters:
  ///   - fault: what the API shall do wrong; nil for nothing.
  ///   - rate: arrivals of sessions a second.
  ///   - seconds: how long they arrive.
  ///   - only: the sessions that arrive; all if it is empty.
  ///   - arrivals: even, or poisson, where sessions meet by chance.
  ///   - slowest: the longest that half of the responses may take, of every operation; nil for no such promise.
  ///   - state: invariants in place of the gate's own.
  static func run(
    _ system: String, _ scenario: String = "release-gate", fault: String? = nil, seed: UInt64 = 42, rate: Int = 10,
    for seconds: Int = 3,
    only: [String] = [], arrivals: String = "even", slowest: String? = nil, state: String? = nil
  ) async throws -> RunResult {
    let api = try ReferenceAPI(named: system)
    return try await withTemporaryFolder { folder in
      let file = folder + "/gate.yaml"
      try text(
        api, scenario, "{ stages: [{ hold: \(rate)/s, for: \(seconds)s }], arrivals: \(arrivals) }", slowest, state
      ).write(
        toFile: file, atomically: true, encoding: .utf8)
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = seed
      options.loops = 1
      options.only = only
      if let fault { options.reference.faultNames = [fault] }
      return gate.judge(try await gate.run(options), options: options)
    }
  }

  private static func text(
    _ api: ReferenceAPI, _ scenario: String, _ load: String, _ slowest: String?, _ state: String?
  ) throws -> String {
    let gate = try String(contentsOfFile: "\(Repository.root)/scenarios/\(api.name)/\(scenario).yaml", encoding: .utf8)
    let parts = gate.components(separatedBy: "\nload:")
    let budgets = slowest.map { time in
      "  budgets: { "
        + api.operations.map { "\($0.name): { p50: \(time) }" }.joined(separator: ", ") + " }\n"
    }
    let folder = "\(Repository.root)/scenarios/\(api.name)"
    let head = parts[0].replacing("contract: openapi.yaml", with: "contract: \(folder)/openapi.yaml")
      .replacing("include: app.yaml", with: "include: { file: \(folder)/app.yaml, outside: true }")
    return head + """

      settings: { timeout: 60s, grace: 60s }
      load: \(load)
      expect:
        called: off
        sessions: off

      """ + (budgets ?? "") + (state ?? section("state", of: gate)) + section("limits", of: gate)
      + section("relations", of: gate)
  }

  /// A part of what the gate expects, as it stands there.
  private static func section(_ name: String, of gate: String) -> String {
    let lines = gate.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "  \(name):" }
    let rest = lines.dropFirst().prefix { $0.hasPrefix("   ") }
    return (lines.prefix(1) + rest).map { $0 + "\n" }.joined()
  }
}

extension RunResult {
  /// What would stop a release.
  var errors: [Finding] { findings.filter { $0.severity == .error } }
}
