import Foundation

/// A program of this package as a process that a test can wait for, stop and kill.
final class WatchedProgram: @unchecked Sendable {
  // Confined to one test; the lock guards what the pipes' threads write.
  private let process = Process()
  private let lock = NSLock()
  private var output = Data()
  private var errors = Data()
  private let pipes = (output: Pipe(), errors: Pipe())
  private let readers = DispatchGroup()

  init(_ arguments: [String], of name: String = "murphy") throws {
    process.executableURL = Program.folder.appending(path: name)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: Repository.root)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipes.output
    process.standardError = pipes.errors
    try process.run()
    read(pipes.output) { $0.output.append($1) }
    read(pipes.errors) { $0.errors.append($1) }
  }

  private func read(_ pipe: Pipe, _ keep: @escaping @Sendable (WatchedProgram, Data) -> Void) {
    readers.enter()
    Thread.detachNewThread { [self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        lock.withLock { keep(self, data) }
      }
      readers.leave()
    }
  }

  /// Its output and errors so far.
  var said: String { lock.withLock { String(decoding: output + errors, as: UTF8.self) } }

  /// Waits until its output or errors hold `text`; false when it ended before, or two minutes have passed.
  func waits(for text: String) async throws -> Bool {
    for _ in 0..<2400 {
      if said.contains(text) { return true }
      guard process.isRunning else { return false }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Ends it at once and waits for that.
  func end() {
    if process.isRunning { send(SIGKILL) }
    process.waitUntilExit()
  }

  /// Waits for its end, three minutes at most.
  func outcome() async throws -> Program.Outcome {
    for _ in 0..<3600 where process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
    end()
    readers.wait()
    return lock.withLock {
      Program.Outcome(
        status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
        errors: String(decoding: errors, as: UTF8.self))
    }
  }
}
