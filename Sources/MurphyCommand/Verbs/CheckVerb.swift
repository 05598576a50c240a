import ArgumentParser
import Murphy

struct CheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reports every error of a scenario or OpenAPI file, with its line and column.",
    discussion: "Sends no requests, except to download a contract from --target. Exit status: 0 valid, 2 errors.")

  @Argument(
    help: "A scenario or an OpenAPI document; without it, murphy looks for a document in this folder.",
    completion: Candidates.documents)
  var file: String?
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @Flag(help: "Warnings count as errors.") var strict = false

  @Flag(help: "List the consistency rules between requests and responses, with reasons.") var relations = false

  @Option(help: "The target to download the contract from, if the scenario names it as a path such as /openapi.json.")
  var target: String?

  func run() async throws {
    let report: FileCheck.Report
    let file: String
    do {
      let target = try target.map { try Target($0) }
      var search = DocumentSearch()
      search.target = target
      file = try await search.document(self.file, for: "check")
      if let target, self.file != nil {
        report = try await FileCheck.check(file, target: target)
      } else {
        report = try FileCheck.check(file)
      }
    } catch {
      throw Failure.report(error)
    }
    for diagnostic in report.diagnostics { Console.error(diagnostic.text) }
    let errors = report.diagnostics.count { $0.severity == .error }
    let warnings = report.diagnostics.count - errors
    Console.print("\(file): \(report.subject), \(Self.count(errors, "error")), \(Self.count(warnings, "warning"))")
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
