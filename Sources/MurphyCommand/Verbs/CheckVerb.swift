import ArgumentParser
import Foundation
import Murphy
import MurphyModel

struct CheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reports every error in a scenario or OpenAPI document, with its line and column.",
    discussion: """
      Murphy does not test the API. Murphy only downloads the contract from --target, and the referenced documents for \
      --bundle. The exit status is 0 if the file is valid, and 2 if the file has errors.
      """)

  @Argument(
    help: "A scenario or an OpenAPI document. By default, murphy searches the current folder for an OpenAPI document.",
    completion: Candidates.documents)
  var file: String?
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @Flag(help: "Treat warnings as errors.") var strict = false

  @Flag(help: "List the relations between requests and responses that a run checks, with the reason for each check.")
  var relations = false

  @Flag(
    help: """
      Combine the document and all referenced files and URLs into one JSON document. Murphy downloads the URLs. \
      --bundle=FILE writes the JSON document to FILE, and --bundle writes it to standard output.
      """)
  var bundle = false
  @Option(help: .hidden) var bundleFile: String?

  @Option(
    help: """
      The target from which murphy downloads the contract. Use this option if the contract in the scenario is a path \
      of the target, such as /openapi.json.
      """)
  var target: String?

  func run() async throws {
    let report: FileCheck.Report
    var bundled: String?
    let file: String
    do {
      let target = try target.map { try Target($0) }
      var search = DocumentSearch()
      search.target = target
      file = try await search.document(self.file, for: "check")
      if bundle || bundleFile != nil {
        (report, bundled) = try await FileCheck.bundle(file)
      } else if let target, self.file != nil {
        report = try await FileCheck.check(file, target: target)
      } else {
        report = try FileCheck.check(file)
      }
    } catch {
      throw Failure.report(error)
    }
    for text in Diagnostic.listing(of: report.diagnostics) { Console.error(text) }
    let errors = report.diagnostics.count { $0.severity == .error }
    let warnings = report.diagnostics.count - errors
    let summary =
      "\(file): \(report.subject), \(Self.count(errors, "error")), \(Self.count(warnings, "warning"))"
    if let bundled {
      // The output is the document.
      Console.error(summary)
      try write(bundled, of: file)
    } else {
      Console.print(summary)
      for line in relations ? report.relationTable : [report.relations].compactMap(\.self) { Console.print(line) }
    }
    if errors > 0 || (strict && warnings > 0) { throw ExitStatus.usage }
  }

  /// Writes the bundled document, but never over the original.
  private func write(_ text: String, of file: String) throws {
    guard let bundleFile else { return Console.printRaw(text) }
    do {
      let paths = [file, bundleFile].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
      guard paths[0] != paths[1] else {
        throw GateError.usage("--bundle=\(bundleFile) would overwrite the document itself. Choose another file.")
      }
      try AtomicFile.write(text, to: bundleFile)
    } catch {
      throw Failure.report(error)
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
