import ArgumentParser
import Murphy

/// `murphy check FILE`: every mistake of a scenario or an OpenAPI document; nothing is sent.
struct CheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reports every mistake of a scenario or OpenAPI file, with line and caret.",
    discussion: "Nothing is sent. Exit status 0 without mistakes, 2 with.")

  @Argument(help: "A scenario or an OpenAPI document.") var file: String
  @Flag(help: "Warnings count as mistakes.") var strict = false

  func run() throws {
    let report: FileCheck.Report
    do { report = try FileCheck.check(file) } catch { throw Failure.report(error) }
    for diagnostic in report.diagnostics { Console.error(diagnostic.text) }
    let errors = report.diagnostics.count { $0.severity == .error }
    let warnings = report.diagnostics.count - errors
    Console.print("\(file): \(report.subject), \(Self.count(errors, "mistake")), \(Self.count(warnings, "warning"))")
    if errors > 0 || (strict && warnings > 0) { throw ExitStatus.usage }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
