import Foundation
import Murphy

/// A scenario that a verb has written for a person to go on with: `murphy init`, `murphy import`, `murphy record`.
struct DraftFile {
  /// `-` for standard output.
  let path: String
  let isForced: Bool

  /// - Throws: `GateError.usage` for a file that would be lost.
  func checkFree() throws(GateError) {
    guard path != "-", !isForced, FileManager.default.fileExists(atPath: path) else { return }
    throw .usage("\(path) exists. Give another file with -o, or write over it with --force.")
  }

  /// Writes the scenario, and says what was left out, what `murphy check` says to it, and what comes next.
  ///
  /// - Parameters:
  ///   - summary: sentences about it, behind the file's name.
  ///   - next: what to type now.
  /// - Throws: `ExitStatus.usage` where it could not be written, or has a mistake.
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

  /// The same for what another tool has recorded.
  func write(_ imported: ImportedScenario) throws {
    try write(
      imported.text, left: imported.left,
      summary: [
        "\(imported.calls) call\(imported.calls == 1 ? "" : "s") in \(imported.sessions) "
          + "session\(imported.sessions == 1 ? "" : "s"), from \(imported.format.rawValue); \(imported.left.count) left out"
      ], next: "murphy try \(path)")
  }
}
