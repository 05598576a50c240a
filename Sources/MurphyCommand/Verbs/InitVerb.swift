import ArgumentParser
import Foundation
import Murphy

/// `murphy init OPENAPI`: a first scenario for an API.
struct InitVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Writes a first scenario out of an OpenAPI document.",
    discussion: """
      A session for each resource: lists are read, and what they name is opened; bodies come from examples, defaults \
      and schemas. With --target a short calm run measures the latency budgets. Operations that change something are \
      called only with --writes. Example: murphy init openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(help: "An OpenAPI document, YAML or JSON.") var document: String
  @Option(name: .shortAndLong, help: "The scenario's file; - for standard output.") var output = "scenario.yaml"
  @Option(help: "A URL to measure at, or embedded:SYSTEM for a reference API that murphy starts itself.")
  var target: String?
  @Flag(help: "Call operations that change something, too.") var writes = false
  @Flag(help: "Write over a file that exists.") var force = false
  @Option(help: "PEM file of the certificate authorities to trust.") var cacert: String?
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API") var reference: ReferenceArguments

  func run() async throws {
    let first: FirstScenario
    do {
      if output != "-", !force, FileManager.default.fileExists(atPath: output) {
        throw GateError.usage("\(output) exists. Give another file with -o, or write over it with --force.")
      }
      let stop = StopSignal()
      let interrupts = Interrupts(endingWith: Ending(.invalid)) { stop.request() }
      let progress = ProgressLine(isQuiet: target == nil)
      defer { progress.end() }
      first = try await FirstScenario.draft(document, options(), stop: stop) { progress.show($0) }
      withExtendedLifetime(interrupts) {}
      if let hint = first.basePathHint { Console.error(hint) }
      if stop.isRequested { throw GateError.usage("interrupted, so nothing was written.") }
    } catch {
      throw Failure.report(error)
    }
    let draft = first.draft
    for reason in draft.left { Console.error("left out: \(reason)") }
    if let measured = first.measured { say(measured) }
    guard draft.called > 0 else {
      Console.error(
        "murphy: no operation of \(document) can be called"
          + (draft.unsafe.isEmpty ? "." : " without changing something. Use --writes."))
      throw ExitStatus.usage
    }
    if output == "-" {
      Console.printRaw(draft.text)
      return
    }
    do { try AtomicFile.write(draft.text, to: output) } catch { throw Failure.report(error, as: .usage) }
    try check(draft)
  }

  /// What the calm run found, so that nobody takes it for a verdict.
  private func say(_ result: RunResult) {
    let errors = result.findings.count { $0.severity == .error }
    Console.error(
      "measured: \(result.ledger.answered) answers in \(Int(saturating: result.run.duration.rounded())) s, "
        + "\(errors) finding\(errors == 1 ? "" : "s"); murphy run shows them")
    if result.operations.contains(where: { $0.outcomes.clientError > 0 }), !missing.isEmpty {
      Console.error(
        "some answers are errors of the client (4xx), and not set \(missing.count == 1 ? "is" : "are") "
          + missing.joined(separator: ", "))
    }
  }

  /// Environment variables with credentials that the document names and nobody has set.
  private var missing: [String] {
    ((try? Contract.load(document)).map { $0.credentialVariables } ?? []).filter {
      (ProcessInfo.processInfo.environment[$0] ?? "").isEmpty
    }
  }

  /// Says what was written, and what is to be done next.
  private func check(_ draft: ScenarioDraft) throws {
    let report: FileCheck.Report
    do { report = try FileCheck.check(output) } catch { throw Failure.report(error) }
    for diagnostic in report.diagnostics { Console.error(diagnostic.text) }
    Console.print(
      "\(output): \(draft.called) operation\(draft.called == 1 ? "" : "s") with a step, "
        + "\(draft.left.count) left out, \(draft.unsafe.count) without one, for they change something")
    if !missing.isEmpty { Console.print("set \(missing.joined(separator: ", ")) in the environment, or with -e") }
    if report.diagnostics.contains(where: { $0.severity == .error }) { throw ExitStatus.usage }
    let word = target == nil ? " --target URL" : ""
    Console.print("next: murphy try \(output)\(word), then murphy run \(output)\(word)")
  }

  private func options() throws -> FirstScenario.Options {
    var options = FirstScenario.Options()
    options.file = output
    options.target = try target.map { text throws(GateError) in try Target(text) }
    options.targetText = target
    options.writes = writes
    options.authorities = cacert
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    return options
  }
}
