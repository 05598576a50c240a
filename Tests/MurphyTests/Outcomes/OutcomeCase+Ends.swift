import Foundation
import Murphy
import WildServer

extension OutcomeCase {
  private static let long = shop(load: "[{ hold: 20/s, for: 90s }]")

  /// Runs that somebody or something ends.
  static let ends: [OutcomeCase] = [
    OutcomeCase("SIGINT", .invalid, .invalid, long, respond: healthy) { try await signalled($0, SIGINT) },
    OutcomeCase("SIGTERM", .invalid, .invalid, long, respond: healthy) { try await signalled($0, SIGTERM) },
    OutcomeCase("SIGHUP", .invalid, .invalid, long, respond: healthy) { try await signalled($0, SIGHUP) },
    OutcomeCase("SIGINT with requests under way", .invalid, .invalid, long) { _, connection in
      if connection.number > 20 { _ = connection.waitForClose(atMost: 60) } else { connection.answer(body: "{}") }
    } run: {
      try await signalled($0, SIGINT)
    },
  ]

  /// A login, whose responses the cases choose, once before or after the load.
  private static func once(_ stage: String, _ steps: String = "{ call: login }") -> String {
    shop() + "\n\(stage): [\(steps)]\n"
  }

  private static let strict: WildServer.Responder = { request, connection in
    connection.answer(request.target == "/login" ? 401 : 200, body: ShopAPI.body)
  }

  /// Setups and teardowns.
  static let fixtures: [OutcomeCase] = [
    OutcomeCase(
      "a setup and a teardown", .pass, .pass, once("setup") + "teardown: [{ call: login }]\n", respond: healthy),
    OutcomeCase("a setup that fails", .invalid, .invalid, once("setup"), respond: strict),
    OutcomeCase(
      "a setup that fails as scripted", .pass, .pass, once("setup", "{ call: login, on: { 401: end } }"),
      respond: strict),
    OutcomeCase("a teardown that fails", .pass, .pass, once("teardown"), respond: strict),
  ]

  /// Targets that are not reached before the load begins.
  static let unreached: [OutcomeCase] = [
    OutcomeCase("a target that is down", .unreachable, .invalid),
    OutcomeCase(
      "a target that is down, budgets and coverage asked for", .unreachable, .invalid,
      shop(expect: "budgets: { listItems: { p95: 1s } }, coverage: { at-least: 50% }")),
    OutcomeCase(
      "a target without an address", .unreachable, .invalid,
      run: { try await murphy($0, ["--target", "http://nowhere.invalid"]) }),
    OutcomeCase(
      "a contract of a target that is down", .unreachable, .invalid, shop().replacing("shop.yaml", with: "/api.json")),
    OutcomeCase(
      "HTTPS at a port without TLS", .unreachable, .invalid, shop().replacing(url, with: "https" + url),
      respond: healthy
    ) { file in
      let text = try String(contentsOfFile: file, encoding: .utf8).replacing("httpshttp:", with: "https:")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      return try await murphy(file)
    },
    OutcomeCase("a wrong base path", .unreachable, .invalid, long) { _, connection in
      connection.answer(404, body: "{}")
    },
    OutcomeCase("every login is rejected", .unreachable, .invalid, once("login"), respond: strict),
    OutcomeCase("no credentials", .unreachable, .invalid, long) { _, connection in
      connection.answer(401, body: "{}")
    },
    OutcomeCase("a port that expects TLS and says so", .unreachable, .invalid, long) { _, connection in
      connection.answer(400, body: "The plain HTTP request was sent to HTTPS port")
    },
  ]

  /// Wrong usage and files with mistakes: nothing is sent, and there is no verdict.
  static let mistakes: [OutcomeCase] = [
    OutcomeCase("a scenario with a mistake", .usage, nil, shop(steps: "- call: listThings"), respond: healthy),
    OutcomeCase("a scenario that is not there", .usage, nil, run: { try await murphy($0 + ".yaml") }),
    OutcomeCase("a contract that is not there", .usage, nil, shop().replacing("shop.yaml", with: "no.yaml")),
    OutcomeCase("a contract that is not OpenAPI", .usage, nil, shop().replacing("shop.yaml", with: "scenario.yaml")),
    OutcomeCase("an unknown option", .usage, nil, respond: healthy) { try await murphy($0, ["--lode", "2"]) },
    OutcomeCase("an unknown session", .usage, nil, respond: healthy) { try await murphy($0, ["--only", "nobody"]) },
    OutcomeCase("a file of authorities that is not there", .usage, nil, respond: healthy) {
      try await murphy($0, ["--cacert", "/nowhere.pem"])
    },
    OutcomeCase("a report folder that is a file", .usage, nil, respond: healthy) {
      try await Program().run(["run", $0, "--report", $0])
    },
    OutcomeCase("an option of the reference API for another target", .usage, nil, respond: healthy) {
      try await murphy($0, ["--fault", "stall"])
    },
  ]
}
