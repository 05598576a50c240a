import Foundation
import Murphy

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
    for reason in left { Console.error(TerminalText.harmless("left out: \(reason)")) }
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
