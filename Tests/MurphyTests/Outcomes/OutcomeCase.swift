import Foundation
import Murphy
import TestSupport
import WildServer

/// Swift Testing has a type of this name too.
typealias RunStatus = ExitStatus

/// A run of `murphy run`, and what it must end with.
struct OutcomeCase: Sendable {
  let name: String
  let status: ExitStatus
  /// Nil where no run takes place: wrong usage and files with mistakes.
  let verdict: Verdict?
  /// Runs the scenario file, with the reports in the folder beside it that `reports(of:)` names.
  let run: @Sendable (_ file: String) async throws -> Program.Outcome
  let scenario: String
  /// A server that the scenario is run against.
  let respond: WildServer.Responder?

  static func reports(of file: String) -> String { file + ".report" }

  /// Where the scenario stands for the server's URL.
  static let url = "URL"

  init(
    _ name: String, _ status: ExitStatus, _ verdict: Verdict?, _ scenario: String = shop(),
    respond: WildServer.Responder? = nil,
    run: @escaping @Sendable (_ file: String) async throws -> Program.Outcome = { try await murphy($0) }
  ) {
    self.name = name
    self.status = status
    self.verdict = verdict
    self.run = run
    self.scenario = scenario
    self.respond = respond
  }

  /// One call of `listItems`; the budgets for errors and sessions that every run has are judged too.
  static func shop(
    steps: String = "- call: listItems", expect: String = "", settings: String = "",
    load: String = "[{ hold: 40/s, for: 1s }]"
  ) -> String {
    ShopAPI.scenario(url: url, steps: steps, expect: expect, settings: settings, load: load)
  }

  /// `murphy run` with reports in their place.
  static func murphy(_ file: String, _ arguments: [String] = []) async throws -> Program.Outcome {
    try await Program().run(["run", file, "--seed", "7", "--report", reports(of: file)] + arguments)
  }

  /// The same, and a signal once the load is under way.
  static func signalled(_ file: String, _ signal: Int32) async throws -> Program.Outcome {
    let murphy = try WatchedProgram(["run", file, "--seed", "7", "--report", reports(of: file)])
    defer { murphy.end() }
    guard try await murphy.waits(for: " req/s ") else { return try await murphy.outcome() }
    murphy.send(signal)
    return try await murphy.outcome()
  }

  /// Runs the case in a folder of its own; `body` gets the scenario's path.
  @discardableResult
  func perform<Value>(_ body: (String, Program.Outcome) async throws -> Value) async throws -> Value {
    let server = try respond.map { try WildServer($0) }
    defer { server?.stop() }
    let url = try server?.url ?? "http://127.0.0.1:\(FreePort.find())"
    return try await ShopAPI.withFiles(scenario.replacing(Self.url, with: url)) { file in
      try await body(file, try await run(file))
    }
  }
}
