import Foundation
import Glibc
import MurphySchema
import TestSupport

/// A headless Chromium, steered by the DevTools protocol over two pipes (`--remote-debugging-pipe`): it reads
/// commands from descriptor 3 and writes responses to 4, each a JSON text with a zero byte behind it.
package final class Chromium {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Events that no caller waited for, in their order.
  package private(set) var events: [JSONValue] = []

  private let process = Process()
  private let folder: String
  private let commands: Int32
  private let answers: Int32
  private var unread: [UInt8] = []
  private var lastCommand = 0

  private static let patience: Int32 = 60_000

  /// - Throws: `Tool.Missing` where there is no Chromium.
  package init() throws {
    let program = try Tool.chromium.path
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-chromium-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard mkfifo(folder + "/in", 0o600) == 0, mkfifo(folder + "/out", 0o600) == 0 else {
      throw Failure(description: "cannot make pipes in \(folder): \(String(cString: strerror(errno)))")
    }
    // Read-write, for opening one end alone would wait for the other.
    commands = open(folder + "/in", O_RDWR | O_CLOEXEC)
    answers = open(folder + "/out", O_RDWR | O_CLOEXEC)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" 3<\"$PIPES/in\" 4>\"$PIPES/out\"", program, "--headless", "--no-sandbox",
      "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
      "--user-data-dir=\(folder)/profile", "about:blank",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["PIPES": folder, "HOME": folder]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Sends a command and waits for its response; events that come before it are kept.
  @discardableResult
  package func call(_ method: String, _ parameters: JSONObject = [:], session: String? = nil) throws -> JSONValue {
    lastCommand += 1
    var message: JSONObject = [
      "id": .number(JSONNumber(lastCommand)), "method": .string(method), "params": .object(parameters),
    ]
    if let session { message["sessionId"] = .string(session) }
    try send(JSONValue.object(message).text)
    while true {
      let answer = try receive(for: method)
      guard answer["id"]?.int == lastCommand else {
        events.append(answer)
        continue
      }
      if let error = answer["error"] { throw Failure(description: "\(method): \(error.text)") }
      return answer["result"] ?? .null
    }
  }

  /// Waits for an event, which may have come already.
  package func wait(for method: String) throws {
    if let index = events.firstIndex(where: { $0["method"]?.string == method }) {
      events.remove(at: index)
      return
    }
    while true {
      let event = try receive(for: method)
      if event["method"]?.string == method { return }
      events.append(event)
    }
  }

  /// The events kept so far, which are then forgotten.
  package func takeEvents() -> [JSONValue] {
    defer { events = [] }
    return events
  }

  package func close() {
    _ = try? call("Browser.close")
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    Glibc.close(commands)
    Glibc.close(answers)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func send(_ text: String) throws {
    var rest = Array(text.utf8)[...] + [0]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
      guard count > 0 else {
        throw Failure(description: "Chromium takes no commands: \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(count)
    }
  }

  private func receive(for method: String) throws -> JSONValue {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = unread[..<end]
        unread.removeSubrange(...end)
        return try JSONValue.parse(Array(message))
      }
      var waiting = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Self.patience) > 0 else {
        throw Failure(description: "Chromium did not answer \(method) within \(Self.patience / 1000) s")
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = buffer.withUnsafeMutableBytes { read(answers, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(description: "Chromium ended before it answered \(method)") }
      unread += buffer[..<count]
    }
  }
}
