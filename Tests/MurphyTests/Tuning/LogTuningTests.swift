import Foundation
import Murphy
import MurphyHTTP
import MurphyModel
import Testing

/// Access logs as files.
@Suite struct LogTuningTests {
  private static func line(_ second: Int, _ client: String, _ request: String = "GET /laws HTTP/1.1") -> String {
    "\(client) - - [27/Nov/2026:17:00:\(second < 10 ? "0" : "")\(second) +0000] \"\(request)\" 200 5 \"-\" \"-\""
  }

  private static func file(_ lines: [String], end: String = "\n") throws -> String {
    let path = NSTemporaryDirectory() + "murphy-log-\(UUID().uuidString)"
    try (lines.joined(separator: "\n") + end).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static let lines = (0..<60).map { line($0, $0.isMultiple(of: 2) ? "192.0.2.1" : "192.0.2.2") }

  @Test func `unreadable lines are counted and the first is named`() throws {
    let path = try Self.file(Self.lines.prefix(3) + ["", "hello", "world"] + Self.lines.dropFirst(3), end: "")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try LogTuneOptions(file: path).tune().log
    #expect(log.lines == 63 && log.requests == 60 && log.keys == 2 && log.unreadable == 2)
    #expect(log.firstUnreadable?.hasPrefix("line 5: ") == true)
  }

  @Test func `a compressed log gives the same result`() throws {
    let path = try Self.file(Self.lines)
    var writer = try GzipLineWriter(path + ".gz")
    for line in Self.lines { try writer.write(line) }
    try writer.close()
    defer { for file in [path, path + ".gz"] { try? FileManager.default.removeItem(atPath: file) } }
    #expect(try LogTuneOptions(file: path).tune().rows == LogTuneOptions(file: path + ".gz").tune().rows)
  }

  @Test func `a file without a readable line is an error`() throws {
    let path = try Self.file(["hello"])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: GateError.self) { try LogTuneOptions(file: path).tune() }
    #expect(
      error?.description.contains(
        "can read only 0 of 1 line of \(path). The first unreadable line is line 1: ") == true)
    #expect(throws: GateError.self) { try LogTuneOptions(file: path + "-missing").tune() }
  }

  @Test func `a log without a counted request is an error`() throws {
    let path = try Self.file([])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: GateError.self) { try LogTuneOptions(file: path).tune() }
    #expect(error?.description.contains("no request that a policy counts") == true)
  }

  @Test func `only requests of the tuned operations count`() throws {
    var options = LogTuneOptions(file: "")
    options.questions = [try WhatIf("5/s burst=5")]
    options.limiter = TuneOptions.Limiter(algorithms: [.tokenBucket], windows: nil)
    let gate = try ProbeBench.gate("voting-bursts")
    let operation = try #require(gate.contract.index(of: "voteLaw").map { gate.contract.operations[$0] })
    try gate.select(["voteLaw"], limit: nil, at: try Target("http://127.0.0.1:1"), in: &options)
    let call = options.base + operation.path.replacing(/\{[^}]*\}/, with: "7")
    options.file = try Self.file([
      Self.line(1, "::1", "\(operation.method) \(call) HTTP/1.1"), Self.line(2, "::1", "DELETE \(call) HTTP/1.1"),
      Self.line(3, "::1"),
    ])
    defer { try? FileManager.default.removeItem(atPath: options.file) }
    let result = try options.tune()
    #expect(result.log.lines == 3 && result.log.requests == 1)
    #expect(result.policy?.operations == ["voteLaw"] && result.policy?.name == "voteLaw")
  }

  @Test(arguments: ["1e300", "-1", "0", "1795801000", "1795799000", "1795800270", "9e18", "\"NaN\"", "4000000000"])
  func `one wrong time never changes the result of the other requests`(_ time: String) throws {
    func line(_ time: String) -> String { #"{"time": \#(time), "remote_addr": "192.0.2.1"}"# }
    let right = (0..<600).map { line("\(1_795_800_000 + $0)") }
    func stopped(_ lines: [String]) throws -> [Int] {
      let path = try Self.file(lines)
      defer { try? FileManager.default.removeItem(atPath: path) }
      return try LogTuneOptions(file: path).tune().rows.map { $0.legitimateRequests + $0.stoppedRequests }
    }
    let expected = try stopped(right)
    do {
      let found = try stopped(right.prefix(300) + [line(time)] + right.dropFirst(300))
      for (found, expected) in zip(found, expected) { #expect((found - expected).magnitude <= 5, "\(time)") }
    } catch let error as GateError {
      #expect(error.description.contains("is not sorted by time: line "))
      #expect(error.description.contains(#"To sort the log, run: jq -c -s 'sort_by(.["time"])[]' "#))
    }
  }

  @Test func `the command of the message sorts the logs of two hosts`() async throws {
    let path = try Self.file(Self.lines.reversed().map { $0 } + Self.lines)
    defer { for file in [path, path + ".sorted"] { try? FileManager.default.removeItem(atPath: file) } }
    let error = #expect(throws: GateError.self) { try LogTuneOptions(file: path).tune() }
    let command = try #require(error?.description.components(separatedBy: "To sort the log, run: ").last)
      .replacing("> sorted.log", with: "> '\(path).sorted'")
    try await DeploymentHook(option: "sort", command: command).run(configuration: nil)
    #expect(try LogTuneOptions(file: path + ".sorted").tune().log.requests == 2 * Self.lines.count)
  }

  @Test func `a policy for another key than the log's is refused`() throws {
    let path = try Self.file(Self.lines.map { $0.replacing(" - - ", with: " - ann ") })
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = LogTuneOptions(file: path)
    options.questions = [try WhatIf("30/60s key=x-api-key")]
    let error = #expect(throws: GateError.self) { try options.tune() }
    let reason = "the limit key of the policy is x-api-key, but the log contains the values of address"
    #expect(error?.description.contains(reason) == true)
    options.format = try AccessLog(fields: "key=remote_user")
    options.questions = [try WhatIf("30/60s")]
    let result = try options.tune()
    #expect(result.rows.allSatisfy { $0.policy.text.hasSuffix("key remote_user") })
    #expect(result.log.keys == 1)
    options.limiter = TuneOptions.Limiter(algorithms: [.tokenBucket], windows: nil)
    #expect(throws: GateError.self) { try options.tune() }
    options.key = .token
    #expect(try options.tune().policy?.key == .token)
  }

  @Test func `a folder is no damaged log`() throws {
    let error = #expect(throws: GateError.self) { try LogTuneOptions(file: NSTemporaryDirectory()).tune() }
    #expect(error?.description.hasSuffix(": is a directory.") == true, "\(error?.description ?? "")")
  }

  @Test func `HEAD counts as GET, as in the configuration of a limiter`() throws {
    let path = try Self.file([
      Self.line(1, "::1", "GET /api/v1/laws/7 HTTP/1.1"), Self.line(2, "::1", "HEAD /api/v1/laws/7 HTTP/1.1"),
      Self.line(3, "::1", "DELETE /api/v1/laws/7 HTTP/1.1"),
    ])
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = LogTuneOptions(file: path)
    options.questions = [try WhatIf("5/s burst=5")]
    let gate = try ProbeBench.gate("voting-bursts")
    try gate.select(["getLaw"], limit: nil, at: try Target("http://127.0.0.1:1"), in: &options)
    let log = try options.tune().log
    #expect(log.lines == 3 && log.requests == 2)
  }

  @Test func `a missing log has one clear reason`() throws {
    let error = #expect(throws: GateError.self) { try LogTuneOptions(file: "/missing/access.log").tune() }
    #expect(error?.description == "--log: cannot read /missing/access.log: no such file or directory.")
  }
}
