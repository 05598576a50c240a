import ArgumentParser
import Foundation
import Murphy

struct ExploreVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore", abstract: "Tries what an OpenAPI document allows and forbids, request by request.",
    discussion: """
      Each constraint at its edge and just beyond it, odd texts and numbers, malformed bodies, missing and wrong \
      credentials, the life of each thing from its making to its end, and pairs of parameters. What seems wrong is \
      repeated with things of its own and cut down to the smallest request before it counts. It changes and deletes only \
      what it has created, and deletes that at its end; operations that reset, import, shut down and the like are \
      left out, unless --operation names them. Use it on a system that is there for tests. Exit status as of run. \
      Example: murphy explore openapi.yaml --target http://127.0.0.1:8080
      """)

  @Argument(help: "An OpenAPI document, YAML or JSON.", completion: Candidates.documents) var document: String
  @Option(
    help: "A URL, or embedded:SYSTEM for a reference API that murphy starts itself.", completion: Candidates.targets)
  var target: String
  @Option(help: "The longest time, seconds or 90s, 10m.") var maxSeconds = "60"
  @Option(help: "The most requests.") var maxRequests = 20_000
  @Option(help: "Users who try things at once.") var users = 1
  @Option(help: "Only this operation (operationId); may be given several times.", completion: Candidates.operations)
  var only: [String] = []
  @Option(
    help: "Call this operation (operationId) whatever it changes or deletes; may be given several times.",
    completion: Candidates.operations)
  var operation: [String] = []
  @Option(help: "A kind of finding that is not looked for: explore.valid-refused; may be given several times.")
  var off: [String] = []
  @Option(help: "How long a response may take: 5s, 500ms.") var timeout = "5s"
  @Option(help: "The seed of all draws; the same seed tries the same.") var seed: UInt64?
  @Option(help: "The result.json of an earlier exploration: only what it found is tried again.") var replay: String?
  @OptionGroup(title: "Output") var output: OutputArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @Flag(help: "I am allowed to write to a target that is not on this machine, and to send it nonsense.")
  var iMayTestThisTarget = false
  @Option(help: "The folder for the reports; without it nothing is written.") var report: String?
  @Option(help: "Write what was found as a scenario, a session for each finding, to this file.") var export: String?
  @Flag(help: "Write over a file that exists.") var force = false
  @Flag(name: .shortAndLong, help: "Print every operation, finding and check, not the decision alone.")
  var verbose = false
  @Flag(help: "No progress.") var quiet = false
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments

  func validate() throws {
    try Self.check("--max-requests", maxRequests, in: 1...10_000_000)
    try Self.check("--users", users, in: 1...100)
  }

  func run() async throws {
    output.warn()
    if let report {
      let folder = ReportFolder(path: report, scenario: document)
      folder.crashGuard(Gate.crashed(file: document), as: form).arm()
    }
    let explorer: ContractExplorer
    let options: ExploreOptions
    do {
      options = try self.options()
      if let export { try DraftFile(path: export, isForced: force).checkFree() }
      explorer = try ContractExplorer(document, options)
    } catch {
      throw Failure.report(error)
    }
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid), "Stopping: what is known by now is printed. Again to quit at once.")
    let (line, begun) = (StatusLine(isQuiet: quiet), ContinuousClock.now)
    let result: RunResult
    do {
      result = try await explorer.run(stop: stop) { text in
        line.show(at: (ContinuousClock.now - begun).inSeconds, text)
      }
    } catch {
      line.end()
      let status = Failure.report(error)
      if status == .unreachable { Console.printMasked(Verdict.invalid.word + "\n") }
      throw status
    }
    line.end()
    await Console.settle(Ending(word: result.verdict.word, status: result.exitStatus.rawValue))
    withExtendedLifetime(interrupts) {}
    for line in options.replayed?.comparison(with: result) ?? [] { Console.error(TerminalText.harmless(line)) }
    if let export {
      let scenario = explorer.scenario(of: result, for: export)
      for reason in scenario.left { Console.error("left out: \(reason)") }
      if let text = scenario.text {
        do { try AtomicFile.write(text, to: export) } catch { throw Failure.report(error, as: .usage) }
      } else {
        Console.error("nothing was found that steps can show, so \(export) was not written.")
      }
    }
    try show(result)
    throw result.exitStatus
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
    options.time = .saturating(seconds: try TimeOption.seconds(maxSeconds, "--max-seconds"))
    options.timeout = .saturating(seconds: try TimeOption.seconds(timeout, "--timeout", atMost: 600))
    (options.mostRequests, options.users, options.only, options.seed) = (maxRequests, users, only, seed)
    options.operations = operation
    for name in off {
      guard let kind = FindingKind(rawValue: name) else {
        let near = didYouMean(name, among: FindingKind.allCases.map(\.rawValue))
        throw GateError.usage("--off names a kind of finding, and \"\(name)\" is none.\(near)")
      }
      options.off.insert(kind)
    }
    options.replayed = try replay.map { text throws(GateError) in try ReplayedExploration(text) }
    (options.authorities, options.certificate) = (certificates.cacert, certificates.certificate)
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    options.mayTestTarget = iMayTestThisTarget
    return options
  }
}
