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
    #expect(error?.description.contains("no line of \(path) can be read; the first is line 1: ") == true)
    #expect(throws: GateError.self) { try LogTuneOptions(file: path + "-missing").tune() }
  }

  @Test func `only requests of the tuned operations count`() throws {
    let path = try Self.file([
      Self.line(1, "::1", "POST /laws/7/vote HTTP/1.1"), Self.line(2, "::1", "GET /laws/7/vote HTTP/1.1"),
      Self.line(3, "::1"),
    ])
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = LogTuneOptions(file: path)
    options.questions = [try WhatIf("5/s burst=5")]
    options.limiter = TuneOptions.Limiter(algorithms: [.tokenBucket], windows: nil)
    let gate = try ProbeBench.gate("voting-bursts")
    let operation = try #require(gate.contract.index(of: "voteLaw").map { gate.contract.operations[$0] })
    try gate.select(["voteLaw"], limit: nil, at: try Target("http://127.0.0.1:1"), in: &options)
    #expect(operation.method == "POST")
    let isPath = operation.isPath("/laws/7/vote")
    let result = try options.tune()
    #expect(result.log.lines == 3 && result.log.requests == (isPath ? 1 : 0))
    #expect(result.policy?.operations == ["voteLaw"] && result.policy?.name == "voteLaw")
  }

  @Test func `HEAD counts as GET, as in the configuration of a limiter`() throws {
    let path = try Self.file([
      Self.line(1, "::1", "GET /laws/7 HTTP/1.1"), Self.line(2, "::1", "HEAD /laws/7 HTTP/1.1"),
      Self.line(3, "::1", "DELETE /laws/7 HTTP/1.1"),
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
