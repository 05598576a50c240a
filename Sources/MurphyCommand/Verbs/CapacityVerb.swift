import ArgumentParser
import Foundation
import Murphy

struct CapacityVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capacity", abstract: "Finds the highest load at which all checks of a scenario pass.",
    discussion: """
      Murphy tests one constant load after another. Murphy starts with a small load, and doubles the load until a \
      check fails. Then murphy tests loads halfway between the highest load that passed and the lowest load that \
      failed. At the end, murphy tests the highest load that passed again, for twice as long. A load fails only if a \
      check fails in two tests in a row.

      The capacity is the highest load that passed. The verdict is PASS if murphy found the capacity, or if the load \
      of --at-least passed. The verdict is FAIL if no load passed, or if the load of --at-least failed. The verdict is \
      INVALID if murphy was the bottleneck, or if a signal interrupted murphy. The verdict is NO DATA if murphy did \
      not find the capacity with the precision of --precision.
      """)

  @Argument(help: "The scenario file.", completion: Candidates.documents) var scenario: String?
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Option(
    help: """
      The first load that murphy tests after a short test at a small load, such as 50/s or 20 users. By default, the \
      first load is the highest load of the scenario.
      """)
  var from: String?
  @Option(help: "The highest load to test, such as 500/s or 200 users.") var max: String?
  @Option(
    help: """
      The load at which all checks must pass, such as 200/s or 50 users. If a check fails at this load, the verdict is \
      FAIL.
      """)
  var atLeast: String?
  @Option(
    help: """
      Stop when the highest passed load and the lowest failed load differ by at most this percentage, such as 5%.
      """) var precision = "5%"
  @Option(
    help: """
      The time for which murphy measures each load. If a check needs more samples, murphy measures longer, up to 60s.
      """)
  var window =
    "10s"
  @Option(
    help: """
      The maximum time of the whole search: a number of seconds, or a time such as 90s or 10m. Murphy starts no test \
      that might exceed the maximum time.
      """)
  var maxSeconds = "1800"
  @Option(help: "The seed of all random values (a number).") var seed: UInt64?
  @Option(help: "Run only sessions with this name (repeatable).", completion: Candidates.sessions) var only: [String] =
    []
  @Option(
    help: "The number of threads that generate load. By default, murphy uses one thread for each processor core.")
  var loops: Int?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments
  @Option(
    help: """
      The folder for capacity.html, capacity.json and capacity.md. The default folder is \
      reports/<time>-<scenario>-capacity.
      """)
  var report: String?
  @OptionGroup(title: "Output") var output: OutputArguments
  @Flag(help: "Print the JSON Schema of capacity.json, and do nothing else.") var schema = false
  @Flag(help: "Print only the result, and no progress.") var quiet = false

  func validate() throws {
    try LoadArguments.check(loops: loops)
  }

  func run() async throws {
    if schema {
      Console.printRaw(ReportSchema.capacity)
      return
    }
    output.warn()
    let result: CapacityResult
    var folder: ReportFolder
    do {
      let options = try self.options()
      guard let scenario else { throw GateError.usage("murphy capacity needs a scenario file.") }
      let gate = try await Gate.open(scenario, options.run, isQuiet: quiet)
      folder = ReportFolder(path: report, scenario: gate.scenario.name + " capacity")
      try folder.prepare()
      try OutputFile.guardCrash(
        gate.crashed(options), [folder.path + "/capacity.json", output.file],
        stale: ["html", "md"].map { "\(folder.path)/capacity.\($0)" })
      do {
        result = try await search(gate, options)
      } catch {
        folder.discard()
        throw error
      }
    } catch {
      throw Failure.report(error)
    }
    try output.write(result)
    let document = CapacityReport(result).document
    var path: String?
    do {
      path = try folder.write(result, page: document.html, summary: document.markdown, as: "capacity")
    } catch {
      Console.error("murphy: \(error)")
    }
    GitHubActions.annotate("murphy capacity", result.verdict, reason: result.reasons.first)
    if output.form == .text {
      if let path { Console.print("\nReport: \(path)\n") }
      Console.printMasked(document.terminal(width: Console.width))
    }
    throw result.verdict.exitStatus
  }

  private func search(_ gate: Gate, _ options: CapacityOptions) async throws -> CapacityResult {
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid), "Stopping after the current window. Press Ctrl-C again to quit immediately.")
    let isQuiet = quiet
    let result = try await gate.capacity(options, stop: stop) { step, result in
      guard !isQuiet, step.purpose != .recover else { return }
      Console.error("\(step.start.components.seconds) s  \(CapacityReport.line(step, of: result))")
    }
    withExtendedLifetime(interrupts) {}
    return result
  }

  private func options() throws -> CapacityOptions {
    var options = CapacityOptions()
    options.run.target = try target.map { text throws(GateError) in try Target(text) }
    options.run.seed = seed
    options.run.only = only
    options.run.loops = loops
    certificates.apply(to: &options.run)
    try credentials.apply(to: &options.run)
    options.run.environment = ProcessInfo.processInfo.environment
    options.run.reference = try reference.options()
    options.first = try load(from, "--from", &options)
    options.most = try load(max, "--max", &options)
    options.required = try load(atLeast, "--at-least", &options)
    if let required = options.required, let most = options.most, required > most {
      throw GateError.usage(
        "--at-least \(atLeast ?? "") is higher than --max \(max ?? ""), so murphy cannot test it. Raise --max.")
    }
    guard case .success(let share) = Quantity.share(precision), 0.005...0.5 ~= share else {
      throw GateError.usage("--precision takes a percentage from 0.5% to 50%, found \"\(precision)\".")
    }
    options.precision = share
    guard case .success(let length) = Quantity.duration(window), .seconds(2) ... .seconds(600) ~= length else {
      throw GateError.usage("--window takes a time from 2s to 10m, found \"\(window)\".")
    }
    options.window = length
    options.limit = try TimeOption.duration(maxSeconds, "--max-seconds", atMost: TimeOption.day * 7)
    return options
  }

  /// `50/s`, or a number of users: `20`, `20 users`.
  private func load(_ text: String?, _ option: String, _ options: inout CapacityOptions) throws -> Double? {
    guard let text else { return nil }
    let isRate = text.contains("/")
    if let counts = options.countsUsers, counts == isRate {
      throw GateError.usage(
        "\(option) \(text): use the same unit for all loads: rates (50/s) or numbers of users (20).")
    }
    options.countsUsers = !isRate
    if isRate, case .success(let rate) = Quantity.rate(text), rate > 0 { return rate }
    let digits = text.replacing(#/ *users?$/#, with: "")
    if !isRate, let users = Int(digits), 1...1_000_000 ~= users { return Double(users) }
    throw GateError.usage("\(option) takes a rate such as 50/s, or a number of users, found \"\(text)\".")
  }
}
