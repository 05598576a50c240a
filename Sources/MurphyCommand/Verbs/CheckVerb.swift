import ArgumentParser
import Foundation
import Murphy
import MurphyModel

struct CheckVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Reports every error in a scenario or OpenAPI document, with its line and column.",
    discussion: """
      murphy check does not test the API. It only downloads the contract from --target, and the referenced documents \
      for --bundle. The exit status is 0 if the file is valid, and 2 if the file has errors.

      With --against, murphy lists the changes between two versions of a contract. The exit status is 1 if a change is \
      breaking. Example: murphy check new.yaml --against old.yaml --used-by scenario.yaml app.har
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
      Combine the document and all referenced files and URLs into one JSON document. Murphy downloads referenced \
      URLs. --bundle=FILE writes the JSON document to FILE, and --bundle to standard output.
      """)
  var bundle = false
  @Option(help: .hidden) var bundleFile: String?

  @Option(
    help: """
      The target from which murphy downloads the contract. Use --target if the contract in the scenario is a path of \
      the target, such as /openapi.json.
      """)
  var target: String?

  @Option(
    help: "Compare the document with an older version of it, and list the breaking and compatible changes.",
    completion: Candidates.documents)
  var against: String?
  @Option(
    parsing: .upToNextOption,
    help: """
      With --against: scenarios, recordings (HAR) and results of murphy that show which operations, fields and values \
      clients use.
      """)
  var usedBy: [String] = []
  @Option(
    help: """
      With the value breaking:unused, the check does not fail because of breaking changes that no client of --used-by \
      uses.
      """)
  var allow: Allowance?
  @OptionGroup(title: "Output") var output: OutputArguments

  enum Allowance: String, ExpressibleByArgument, CaseIterable {
    case unusedBreaks = "breaking:unused"
  }

  func validate() throws {
    if against == nil, !usedBy.isEmpty || allow != nil || output.format != nil || output.output != nil {
      throw ValidationError("--used-by, --allow, --format and --output need the older document. Add --against FILE.")
    }
    if allow != nil, usedBy.isEmpty {
      throw ValidationError("--allow breaking:unused needs the files that show the use. Add --used-by FILE.")
    }
    if against != nil, bundle || bundleFile != nil || relations || target != nil {
      throw ValidationError("--against compares two documents. Omit --bundle, --relations and --target.")
    }
  }

  func run() async throws {
    if let against { return try await compare(with: against) }
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

  private func compare(with old: String) async throws {
    let changes: ContractChanges
    do {
      let file = try await DocumentSearch().document(file, for: "check")
      changes = try ContractChanges(from: old, to: file, usedBy: usedBy, allowsUnused: allow != nil)
    } catch {
      throw Failure.report(error)
    }
    for note in changes.notes { Console.error(note) }
    try output.write(changes)
    if output.form == .text { Console.print(changes.text) }
    throw changes.verdict.exitStatus
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
