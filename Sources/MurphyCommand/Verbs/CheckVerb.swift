import ArgumentParser
import Murphy

struct CheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reports every mistake of a scenario or OpenAPI file, with line and caret.",
    discussion: "Nothing is sent, but for a contract that --target fetches. Exit status 0 without mistakes, 2 with.")

  @Argument(help: "A scenario or an OpenAPI document.", completion: Candidates.documents) var file: String
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @Flag(help: "Warnings count as mistakes.") var strict = false

  @Flag(help: "Lists what is looked for between requests and responses, and why.") var relations = false

  @Option(help: "Where to fetch a contract from that the scenario names as a path of the target, as /openapi.json.")
  var target: String?

  func run() async throws {
    let report: FileCheck.Report
    do {
      if let target {
        report = try await FileCheck.check(file, target: Target(target))
      } else {
        report = try FileCheck.check(file)
      }
    } catch {
      throw Failure.report(error)
    }
    for diagnostic in report.diagnostics { Console.error(diagnostic.text) }
    let errors = report.diagnostics.count { $0.severity == .error }
    let warnings = report.diagnostics.count - errors
    Console.print("\(file): \(report.subject), \(Self.count(errors, "mistake")), \(Self.count(warnings, "warning"))")
    if relations {
      for line in report.relationTable { Console.print(line) }
    } else if let line = report.relations {
      Console.print(line)
    }
    if errors > 0 || (strict && warnings > 0) { throw ExitStatus.usage }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
