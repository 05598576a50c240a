import Foundation
import Murphy
import Testing

/// `murphy compare` as a user runs it.
@Suite(.serialized) struct CompareCommandTests {
  static let smoke = Repository.scenarios + "/smoke.yaml"

  @Test func `stored runs are compared from two folders`() async throws {
    try await withTemporaryFolder { folder in
      for (side, fault) in [("base", [String]()), ("candidate", ["--fault", "missing-field"])] {
        for number in 1...2 {
          _ = try await Program().run(
            ["run", Self.smoke, "--duration", "2s", "--seed", "5", "--report", "\(folder)/\(side)/\(number)"] + fault)
        }
      }
      let json = folder + "/compare.json"
      let outcome = try await Program().run(
        ["compare", folder + "/base", folder + "/candidate", "--json", json, "--metric", "errors"])
      #expect(outcome.output.contains("Findings new in the candidate: "), "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "FAIL")
      #expect(outcome.status == 1)
      let text = try String(contentsOfFile: json, encoding: .utf8)
      #expect(text.contains("\"murphy-compare/1\""))

      let files = ["\(folder)/base/1/result.json", "\(folder)/base/2"]
      let same = try await Program().run(["compare", "--base"] + files + ["--candidate"] + files)
      #expect(same.lastLine == "NO DATA")
      #expect(same.status == 5, "\(same.output)")
      #expect(same.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("are the same run"))
    }
  }

  @Test(arguments: [
    ["compare"], ["compare", "one"], ["compare", smoke, "--base", "embedded:murphys-laws"],
    ["compare", "/nowhere/a", "/nowhere/b"], ["compare", "a", "--base", "b", "--candidate", "c"],
    ["compare", smoke, "--base", "embedded:murphys-laws", "--candidate", "embedded:nobody"],
    ["compare", "a", "b", "--metric", "p98"],
  ])
  func `wrong usage is a sentence and status two`(arguments: [String]) async throws {
    let outcome = try await Program().run(arguments)
    #expect(outcome.status == 2)
    #expect(!outcome.errors.isEmpty)
    #expect(outcome.output.isEmpty)
  }

  /// Both servers are processes that murphy starts anew for each group and ends; eight groups do not fit.
  @Test func `commands start the targets and are ended`() async throws {
    let program = Program.folder.appending(path: "murphy").path
    let ports = [try await Self.freePort(), try await Self.freePort()]
    func stopped(_ port: Int) -> String { NSTemporaryDirectory() + "murphy-stopped-\(port)" }
    defer { for port in ports { try? FileManager.default.removeItem(atPath: stopped(port)) } }
    func serve(_ port: Int) -> String {
      "\(program) serve murphys-laws --port \(port) & trap \"touch '\(stopped(port))'; kill $!\" TERM; wait"
    }
    let outcome = try await Program().run([
      "compare", Self.smoke, "--base", "http://127.0.0.1:\(ports[0])", "--candidate", "http://127.0.0.1:\(ports[1])",
      "--base-command", serve(ports[0]), "--candidate-command", serve(ports[1]), "--slice", "500ms", "--blocks", "2",
      "--max-seconds", "1",
    ])
    #expect(outcome.status == 5, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.lastLine == "NO DATA")
    #expect(outcome.output.contains("both targets restarted for each"))
    #expect(outcome.output.contains("a verdict needs 8 "), "\(outcome.output)")
    for port in ports {
      #expect(FileManager.default.fileExists(atPath: stopped(port)), "a command did not receive SIGTERM")
      let error = #expect(throws: GateError.self) {
        try Target("http://127.0.0.1:\(port)").checkReachability(nil)
      }
      #expect(error?.exitStatus == .unreachable)
    }
  }

  private static func freePort() async throws -> Int {
    let server = try await ReferenceAPI.murphysLaws.start()
    await server.stop()
    return server.port
  }

  @Test func `a target that is down is status three`() async throws {
    let down = "http://127.0.0.1:1"
    let outcome = try await Program().run(["compare", Self.smoke, "--base", down, "--candidate", down])
    #expect(outcome.status == 3, "\(outcome.errors)")
  }
}
