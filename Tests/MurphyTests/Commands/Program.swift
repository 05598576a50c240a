import Foundation
import Testing

/// A program of this package, run as a user runs it.
struct Program {
  var name = "murphy"
  /// Another program in its place, by its path.
  var executable: String?

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// What `tail -1` shows of the output.
    var lastLine: String {
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.dropLast(output.hasSuffix("\n") ? 1 : 0).last.map(String.init) ?? ""
    }
  }

  /// Runs to the end; `interruptAfter` sends SIGINT, as Ctrl-C does, and
  /// `again` a second one after it. Killed after `limit` seconds.
  func run(
    _ arguments: [String], in folder: String = Repository.root, environment: [String: String] = [:],
    interruptAfter: Duration? = nil, again: Duration? = nil, limit: Double = 120
  ) async throws -> Outcome {
    let process = Process()
    process.executableURL = executable.map { URL(filePath: $0) } ?? Self.folder.appending(path: name)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let interrupter = Task {
      if let interruptAfter {
        try await Task.sleep(for: interruptAfter)
        process.interrupt()
      }
      if let again {
        try await Task.sleep(for: again)
        process.interrupt()
      }
      try await Task.sleep(for: .seconds(limit))
      kill(process.processIdentifier, SIGKILL)
    }
    async let errorText = Self.text(errors)
    let outputText = await Self.text(output)
    let outcome = Outcome(status: 0, output: outputText, errors: await errorText)
    process.waitUntilExit()
    interrupter.cancel()
    return Outcome(status: process.terminationStatus, output: outcome.output, errors: outcome.errors)
  }

  /// Where the build put the programs: beside the tests' own.
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  private static func text(_ pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
      }
    }
  }
}
