import Foundation

/// A program that a test runs to its end.
///
/// A thread of its own waits for it, never one of the threads that the tasks of all tests share.
public struct Command: Sendable {
  /// What a program said, and how it ended.
  public struct Outcome: Sendable {
    public var status: Int32
    public var bytes: [UInt8]
    public var errors: String

    public var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  private let program: String
  private let arguments: [String]
  private let folder: String?
  private let input: String
  private let environment: [String: String]

  /// - Parameters:
  ///   - folder: where it runs; nil for the folder of the tests.
  ///   - input: all of its standard input.
  ///   - environment: added to that of the tests.
  public init(
    _ program: String, _ arguments: [String], in folder: String? = nil, input: String = "",
    environment: [String: String] = [:]
  ) {
    (self.program, self.arguments, self.folder) = (program, arguments, folder)
    (self.input, self.environment) = (input, environment)
  }

  /// A script of `/bin/sh`.
  public static func shell(_ script: String, environment: [String: String] = [:]) -> Command {
    Command("/bin/sh", ["-c", script], environment: environment)
  }

  public func run() async throws -> Outcome { try await onThread { try wait() } }

  /// Files take its output: a pipe may be full, and stays open for as long as a background job of a script has it.
  private func wait() throws -> Outcome {
    let own = FileManager.default.temporaryDirectory.appending(path: "murphy-command-\(UUID())")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let files = ["in", "out", "err"].map { own.appending(path: $0) }
    for (file, text) in zip(files, [input, "", ""]) { try Data(text.utf8).write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder.map { URL(filePath: $0) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    // Tasks run on threads that block nearly all signals, and a shell that inherits that waits for its jobs forever.
    var (none, inherited) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &inherited)
    defer { pthread_sigmask(SIG_SETMASK, &inherited, nil) }
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, bytes: Array(try Data(contentsOf: files[1])),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}
