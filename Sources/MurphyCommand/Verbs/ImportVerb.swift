import ArgumentParser
import Foundation
import Murphy

struct ImportVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: """
      Creates a scenario from a HAR recording, or from a file of Postman, Bruno, Insomnia, JMeter, k6, Hurl, curl or \
      Arazzo.
      """,
    discussion: """
      Murphy matches the recorded requests with the operations of the contract. If a request repeats a value of an \
      earlier response, the scenario saves this value for the request. Pauses become think times, and secrets become \
      environment variables. Murphy omits requests that change an item, unless the session created the item or \
      --operation names the operation. At the end, murphy lists the parts that it could not import.

      Example: murphy import recording.har --contract openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(
    help: "The recording, a file of another tool, or the folder of a Bruno collection. Use - for standard input.")
  var file: String
  @Option(
    name: [.customLong("contract"), .customLong("openapi")], help: "The OpenAPI document of the API (a file).",
    completion: Candidates.documents)
  var contract: String
  @Option(help: "The target (URL) in the scenario. The default target is the target of the recording.")
  var target: String?
  @Option(name: .shortAndLong, help: "The scenario file to write. Use - for standard output.") var output =
    "scenario.yaml"
  @Option(
    help: "Keep the operation with this operationId, even if it changes or deletes data (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Flag(help: "Overwrite the output file if it exists.") var force = false

  func run() throws {
    let imported: ImportedScenario
    do {
      try draft.checkFree()
      let content = try ImportedScenario.Content.files(in: file)
      imported = try ImportedScenario.load(
        content ?? .text(String(decoding: try InputFile.bytes(file), as: UTF8.self)), of: file, contract: contract,
        target: target,
        into: output, operations: operation)
    } catch let error as ImportedScenario.Mistake {
      throw Failure.report(GateError.usage(error.description))
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw Failure.report(error)
    }
    try draft.write(imported)
  }

  private var draft: DraftFile { DraftFile(path: output, isForced: force) }
}

/// A generated scenario that a user completes: `murphy init`, `murphy import`, `murphy record`.
struct DraftFile {
  /// `-` for standard output.
  let path: String
  let isForced: Bool

  /// - Throws: `GateError.usage` for a file that would be overwritten.
  func checkFree() throws(GateError) {
    guard path != "-", !isForced, FileManager.default.fileExists(atPath: path) else { return }
    throw .usage("\(path) already exists. Choose another file with -o, or overwrite it with --force.")
  }

  /// Writes the scenario, and prints the omitted parts, the diagnostics of `murphy check`, and the next step.
  ///
  /// - Parameters:
  ///   - summary: sentences about it, after the file's name.
  ///   - next: the next command.
  /// - Throws: `ExitStatus.usage` if it could not be written, or has an error.
  func write(_ text: String, left: [String], summary: [String], next: String) throws {
    Self.say(left: left)
    if path == "-" {
      Console.printRaw(text)
      return
    }
    let report: FileCheck.Report
    do {
      try AtomicFile.write(text, to: path)
      report = try FileCheck.check(path)
    } catch {
      throw Failure.report(error, as: .usage)
    }
    for diagnostic in report.diagnostics { Console.error(diagnostic.text) }
    Console.print("\(path): " + summary.joined(separator: "\n"))
    if report.diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.usage }
    Console.print("next: \(next)")
  }

  /// - Parameter left: the omitted parts; a line with an indent continues the line before it.
  static func say(left: [String]) {
    for line in left { Console.error(TerminalText.harmless(line.hasPrefix("  ") ? line : "left out: \(line)")) }
  }

  /// The same for a recording of another tool.
  func write(_ imported: ImportedScenario) throws {
    try write(
      imported.text, left: imported.left,
      summary: [
        "\(imported.calls) call\(imported.calls == 1 ? "" : "s") in \(imported.sessions) "
          + "session\(imported.sessions == 1 ? "" : "s"), from \(imported.format.rawValue); \(imported.left.count) left out"
      ], next: "murphy try \(path)")
  }
}
