import ArgumentParser
import Foundation
import Murphy
import MurphyReport

struct InitVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Creates a scenario from an OpenAPI document.",
    discussion: """
      Murphy writes one session for each resource. Each session requests lists, and then single items from these \
      lists. Request bodies come from examples, defaults and schemas in the document. With --target, murphy measures \
      latencies in a short run at low load, and derives latency budgets from these latencies. Murphy calls an \
      operation that changes data only if you set --writes.

      Without the argument DOCUMENT, murphy searches for openapi.yaml and similar files. Murphy searches the current \
      folder and its subfolders api, docs, doc, spec and openapi. If these folders contain no OpenAPI document, \
      murphy requests the document from the target, and saves it in the current folder.

      Example: murphy init openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(
    help: "The OpenAPI document, in YAML or JSON. By default, murphy searches for the document.",
    completion: Candidates.documents
  )
  var document: String?
  @Option(name: .shortAndLong, help: "The scenario file to write. Use - for standard output.") var output =
    "scenario.yaml"
  @Option(
    help: "The API to measure: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Flag(help: "Also call operations that change data, but only on items that the session creates.") var writes = false
  @Option(
    help: "Also call the operation with this operationId, even if it changes or deletes data (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Flag(help: "Overwrite the output file if it exists.") var force = false
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments

  func run() async throws {
    let first: ScenarioGenerator
    let document: String
    do {
      try file.checkFree()
      let target = try self.target.map { text throws(GateError) in try Target(text) }
      document = try await certificates.search(at: target, credentials.fields).document(self.document, for: "init")
      let stop = StopSignal()
      let interrupts = Interrupts(endingWith: Ending(.invalid)) { stop.request() }
      let progress = StatusLine(isQuiet: target == nil)
      defer { progress.end() }
      first = try await ScenarioGenerator.draft(document, options(target), stop: stop) {
        progress.show($0, findings: false)
      }
      withExtendedLifetime(interrupts) {}
      if let hint = first.basePathHint { Console.error(hint) }
      for sentence in first.unusedCredentials { Console.error(sentence) }
      if stop.isRequested { throw GateError.usage("a signal interrupted murphy, so murphy wrote no file.") }
    } catch {
      throw Failure.report(error)
    }
    let draft = first.draft
    if let measured = first.measured {
      say(measured, first)
    }
    say(first.violations)
    for sentence in first.usedQuotas { Console.error(TerminalText.harmless(sentence)) }
    for sentence in first.rejections { Console.error(sentence) }
    // Standard output may be the scenario itself.
    for line in first.writes.lines { Console.error(TerminalText.harmless(line)) }
    guard draft.called > 0 else {
      DraftFile.say(left: draft.left.lines)
      Console.error(
        "murphy: cannot call any operation of \(document)"
          + (draft.unsafe.isEmpty ? "." : " without changing data. Add --writes."))
      throw ExitStatus.usage
    }
    var summary = [
      "\(draft.called) operation\(draft.called == 1 ? "" : "s") in the sessions, \(draft.left.count) left out for "
        + "the reasons above, \(draft.unsafe.count) left out because they change data"
    ]
    if !first.missingCredentials.isEmpty {
      summary.append("set \(first.missingCredentials.joined(separator: ", ")) in the environment, or with -e")
    }
    if try !credentials.texts.isEmpty || credentials.tokens != nil {
      summary.append("use the same --header, --login or --token-command with murphy try and murphy run")
    }
    let word = target == nil ? " --target URL" : ""
    try file.write(
      draft.text, left: draft.left.lines, summary: summary,
      next: "murphy try \(output)\(word), then murphy run \(output)\(word)")
  }

  private var file: DraftFile { DraftFile(path: output, isForced: force) }

  /// The result of the trial run, clearly not as a verdict.
  private func say(_ result: RunResult, _ first: ScenarioGenerator) {
    let missing = first.missingCredentials
    Console.error(
      "measured: \(counted(result.ledger.answered, "response")) in \(Figure.time(result.run.duration).text)")
    if let tokens = result.run.tokens, tokens.renewals != nil { Console.error(tokens.sentence) }
    let rejected = result.operations.filter { operation in
      !operation.statuses.isEmpty && operation.statuses.allSatisfy { [401, 403].contains($0.status) }
    }
    // A login needs no credentials: its body has another user than the API.
    for login in rejected where first.logins.contains(login.operation) {
      Console.error(
        "\(login.operation) returned only \(Self.text(login.statuses)): set a user of the API in its request body")
    }
    let refused = rejected.filter { !first.logins.contains($0.operation) }
    // If other operations succeed without credentials, the values in the request may be the cause of a 403.
    let isLockedOut =
      refused.contains { $0.statuses.contains { $0.status == 401 } }
      || refused.count == result.operations.count { !$0.statuses.isEmpty }
    if let operation = refused.first {
      let others = refused.count > 1 ? " and \(refused.count - 1) more" : ""
      Console.error(
        "\(operation.operation)\(others) returned only \(Self.text(operation.statuses)): "
          + (!missing.isEmpty
            ? "set \(missing.joined(separator: ", ")), and run murphy init again"
            : !isLockedOut
              ? "the scenario does not require success"
              : !first.unusedCredentials.isEmpty
                ? "no request contained the credentials that are set"
                : "pass credentials with --header, --login or --token-command"))
    } else if result.operations.contains(where: { $0.outcomes.clientError > 0 }), !missing.isEmpty {
      Console.error(
        "some responses are client errors (4xx). Environment variables that are not set: "
          + missing.joined(separator: ", "))
    }
  }

  private static func text(_ statuses: [StatusCount]) -> String {
    statuses.map { "\($0.status)" }.joined(separator: ", ")
  }

  private static let mostViolations = 10

  private func say(_ violations: [String]) {
    guard !violations.isEmpty else { return }
    for line in violations.prefix(Self.mostViolations) { Console.error("finding: " + TerminalText.harmless(line)) }
    let others = violations.count - Self.mostViolations
    Console.error(
      (others > 0 ? "and \(counted(others, "other finding")): " : "")
        + "murphy check lists all errors of the document. murphy try and murphy run show the request and response of "
        + "each violation")
  }

  private func options(_ target: Target?) throws -> ScenarioGenerator.Options {
    var options = ScenarioGenerator.Options()
    options.file = output
    options.run.target = target
    options.targetText = self.target
    (options.writes, options.operations) = (writes, operation)
    certificates.apply(to: &options.run)
    try credentials.apply(to: &options.run)
    options.run.environment = ProcessInfo.processInfo.environment
    options.run.reference = try reference.options()
    return options
  }
}
