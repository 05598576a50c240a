import ArgumentParser
import Foundation
import Murphy

struct ExploreVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Generates valid and invalid requests from the OpenAPI document, and tests an API with these requests.",
    discussion: """
      Murphy tests values just inside and just outside each constraint, unusual strings and numbers, and malformed \
      bodies. Murphy also tests missing and wrong credentials, the life cycle of each resource, and pairs of \
      parameters. Before murphy reports a suspected bug, it reproduces the bug with new resources and reduces the \
      request to a minimum.

      Use murphy explore only on a test system. Murphy changes only resources that murphy itself created, and deletes \
      these resources at the end. Murphy skips an operation that resets, imports or shuts down the system, unless \
      --operation names the operation.

      murphy explore has the same exit statuses as murphy run. Without the argument DOCUMENT, murphy searches for an \
      OpenAPI document, as murphy init does.

      Example: murphy explore openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(
    help: "The OpenAPI document, in YAML or JSON. By default, murphy searches for the document.",
    completion: Candidates.documents
  )
  var document: String?
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String
  @Option(
    help: """
      The maximum time of the whole exploration: a number of seconds, or a time such as 90s or 10m. The default time \
      is 60 seconds. With --max-seconds, murphy sends random requests after its planned test cases, until this time \
      is over.
      """)
  var maxSeconds: String?
  @Option(help: "The maximum number of requests that murphy sends in total.") var maxRequests = 20_000
  @Option(
    help: """
      The number of concurrent users. By default, murphy starts with 1 user, and adds up to 7 users if responses are \
      slow.
      """)
  var users: Int?
  @Option(help: "Test only the operation with this operationId (repeatable).", completion: Candidates.operations)
  var only: [String] = []
  @Option(
    help: "Also call the operation with this operationId, even if it changes or deletes data (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Option(help: "Disable the check for a kind of finding, such as explore.valid-refused (repeatable).")
  var off: [String] = []
  @Option(help: "The maximum time that murphy waits for a response, such as 5s.") var timeout = "5s"
  @Option(
    help: "The seed of all random values. Explorations with the same seed send the same test cases.") var seed: UInt64?
  @Option(
    help: """
      Repeat only the test cases that caused findings in an earlier exploration. REPLAY is the file result.json of the \
      earlier exploration.
      """)
  var replay: String?
  @OptionGroup(title: "Output") var output: OutputArguments
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @Flag(
    help: "Confirm that you are allowed to change data, and to send invalid data, on a target on another machine.")
  var iMayTestThisTarget = false
  @Option(help: "The folder for the reports. Without --report, murphy writes no report.") var report: String?
  @Option(help: "Write a scenario to this file, with one session for each finding.") var export: String?
  @Flag(help: "Overwrite the output file if it exists.") var force = false
  @Flag(name: .shortAndLong, help: "Print every operation, finding and check, instead of only the summary.")
  var verbose = false
  @Flag(help: "Print no progress.") var quiet = false
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments

  func validate() throws {
    try Self.check("--max-requests", maxRequests, in: 1...10_000_000)
    if let users { try Self.check("--users", users, in: 1...100) }
  }

  func run() async throws {
    output.warn()
    let options: ExploreOptions
    let document: String
    do {
      options = try self.options()
      document = try await certificates.search(at: options.target, options.headers).document(
        self.document, for: "explore")
    } catch {
      throw Self.reported(error)
    }
    if let report {
      let folder = ReportFolder(path: report, scenario: document)
      folder.crashGuard(Gate.crashed(file: document), as: form).arm()
    }
    let explorer: ContractExplorer
    do {
      if let export { try DraftFile(path: export, isForced: force).checkFree() }
      explorer = try await ContractExplorer.open(document, options)
    } catch {
      throw Self.reported(error)
    }
    let (stop, abandon) = (StopSignal(), StopSignal())
    let interrupts = Interrupts(endingWith: Ending(.invalid)) {
      let items = explorer.createdItems
      Console.error(
        items == 0
          ? "\nStopping: printing partial results. Press Ctrl-C again to quit immediately."
          : "\nStopping: deleting \(counted(items, "item")) that this exploration created. Press Ctrl-C again to stop.")
      stop.request()
    } second: {
      abandon.request()
    }
    let (line, begun) = (StatusLine(isQuiet: quiet), ContinuousClock.now)
    let result: RunResult
    do {
      result = try await explorer.run(stop: stop, abandon: abandon) { text in
        line.show(at: ContinuousClock.now - begun, text)
      }
    } catch {
      line.end()
      throw Self.reported(error)
    }
    line.end()
    await Console.settle(Ending(word: result.verdict.word, status: result.exitStatus.rawValue))
    withExtendedLifetime(interrupts) {}
    for line in options.replayed?.comparison(with: result) ?? [] { Console.error(TerminalText.harmless(line)) }
    if let export {
      let scenario = explorer.scenario(of: result, for: export)
      for reason in scenario.left { Console.error("not exported: \(reason)") }
      if let text = scenario.text {
        do { try AtomicFile.write(text, to: export) } catch { throw Failure.report(error, as: .usage) }
      } else {
        Console.error(
          "murphy cannot reproduce any finding with the steps of a scenario, so it did not write \(export).")
      }
    }
    try show(result)
    throw result.exitStatus
  }

  private static func reported(_ error: any Error) -> ExitStatus {
    let status = Failure.report(error)
    if status == .unreachable { Console.printMasked(Verdict.invalid.word + "\n") }
    return status
  }

  private func show(_ result: RunResult) throws {
    var written: String?
    if let report {
      var folder = ReportFolder(path: report, scenario: result.run.scenario)
      do { try folder.prepare() } catch { throw Failure.report(error, as: .usage) }
      written = folder.write(result)
    }
    Console.printMasked(form.text(result, report: written))
    if let file = output.file { form.write(result, report: written, to: file) }
  }

  private var form: RunOutput { RunOutput(isVerbose: verbose, form: output.form, isRepeatable: true) }

  private func options() throws -> ExploreOptions {
    var options = ExploreOptions(target: try Target(target))
    if let maxSeconds {
      options.time = try TimeOption.duration(maxSeconds, "--max-seconds")
      options.invents = true
    }
    options.timeout = try TimeOption.duration(timeout, "--timeout", atMost: .seconds(600))
    (options.mostRequests, options.users, options.only, options.seed) = (maxRequests, users, only, seed)
    options.operations = operation
    for name in off {
      guard let kind = FindingKind(rawValue: name) else {
        let near = didYouMean(name, among: FindingKind.allCases.map(\.rawValue))
        throw GateError.usage("--off: unknown kind of finding \"\(name)\".\(near)")
      }
      options.off.insert(kind)
    }
    options.replayed = try replay.map { text throws(GateError) in try ReplayedExploration(text) }
    (options.authorities, options.certificate) = (certificates.cacert, certificates.certificate)
    (options.headers, options.tokens) = (try credentials.fields, try credentials.tokens)
    Console.hide(SecretMask(secrets: options.tokens?.secrets ?? []))
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    options.mayTestTarget = iMayTestThisTarget
    return options
  }
}
