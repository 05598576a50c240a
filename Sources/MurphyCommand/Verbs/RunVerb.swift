import ArgumentParser
import Foundation
import Murphy

struct RunVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Replays the sessions of a scenario, checks every response, and writes reports.")

  @Argument(help: "The scenario file. Use - for standard input.", completion: Candidates.documents) var scenario: String
  @OptionGroup(title: "Load") var load: LoadArguments
  @OptionGroup(title: "Shards") var shards: ShardArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments
  @Option(help: "The folder for the reports. The default is reports/<time>-<scenario>.") var report: String?
  @Flag(help: "Print the times at which sessions arrive, and the random values. Send no requests.") var plan = false
  @Flag(help: "Fail the run if murphy could not check every response.") var failOnUnchecked = false
  @Flag(help: "Update or create the coverage baseline file of the scenario from this run.")
  var updateBaseline = false
  @Flag(
    help:
      "Serve a live report and metrics (OpenMetrics) on the loopback address. --live=PORT sets the port.")
  var live = false
  @Option(help: .hidden) var livePort: Int?
  @Option(
    parsing: .upToNextOption,
    help:
      """
      The results of earlier runs (files or folders). If the API is slower than in these runs, the run fails. Without \
      --seed, the run uses the seed of the earlier runs.
      """
  )
  var baseline: [String] = []
  @Flag(help: "Print no progress and no warnings on standard error.") var quiet = false
  @Flag(name: .shortAndLong, help: "Print all tables, findings and checks, and not only the decision.")
  var verbose = false
  @OptionGroup(title: "Output") var output: OutputArguments
  @Flag(
    help: "Print the first 20 requests and responses on standard error. --http-debug=N prints the first N.")
  var httpDebug =
    false
  @Option(help: .hidden) var httpDebugCount: Int?

  func validate() throws {
    if let livePort, !(0...65_535 ~= livePort) {
      throw ValidationError("--live takes a port from 0 to 65535, found \(livePort).")
    }
    if let httpDebugCount, httpDebugCount < 1 {
      throw ValidationError("--http-debug takes a number of exchanges, found \(httpDebugCount).")
    }
  }

  func run() async throws {
    output.warn()
    if !plan {
      ReportFolder(path: report, scenario: scenario).crashGuard(Gate.crashed(file: scenario), as: form).arm()
    }
    let gate: Gate
    var options = RunOptions()
    var earlier: Baseline?
    do {
      options = try load.options(reference: reference)
      options.shard = try shards.choice(options.environment, isQuiet: quiet)
      try checkShard(options.shard)
      if !baseline.isEmpty {
        let runs = try Baseline(baseline)
        if options.seed == nil { options.seed = runs.seed }
        earlier = runs
      }
      options.failOnUnchecked = failOnUnchecked
      options.isWatched = live || livePort != nil
      options.trace = trace
      gate = try await Gate.open(scenario, options, isQuiet: quiet)
      for warning in gate.missingCredentials(options) { Console.error(warning.text) }
      if plan {
        Console.printRaw(TerminalText.harmless(try gate.plan(options)))
        return
      }
    } catch GateError.unreachable(let reason) where !plan {
      let result = Gate.unreached(reason, file: scenario, options: options)
      throw await end(unreached: result, in: ReportFolder(path: report, scenario: result.run.scenario))
    } catch {
      throw Failure.report(error)
    }

    let name = options.shard.map { $0.of > 1 ? " shard \($0.number) of \($0.of)" : "" } ?? ""
    var folder = ReportFolder(path: report, scenario: gate.scenario.name + name)
    do { try folder.prepare() } catch { throw Failure.report(error, as: .usage) }
    if options.shard != nil { Gate.removeShard(in: folder.path) }
    folder.crashGuard(gate.crashed(options: options), as: form).arm()

    let server: LiveServer?
    do {
      server = try await watch(gate, options)
    } catch {
      folder.discard()
      throw Failure.report(error)
    }
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid),
      "Stopping: finishing sessions and writing reports. Press Ctrl-C again to quit immediately.")
    let progress = StatusLine(isQuiet: quiet)
    let measured: (record: RunRecord, part: RunMeasurement)
    do {
      measured = try await gate.measure(options, stop: stop) { snapshot in
        progress.show(snapshot)
        server?.show(snapshot)
      }
    } catch GateError.unreachable(let reason) {
      progress.end()
      await server?.finish(report: nil)
      throw await end(unreached: gate.unreached(reason, options: options), in: folder)
    } catch {
      progress.end()
      await server?.finish(report: nil)
      folder.discard()
      throw Failure.report(error)
    }
    progress.end()

    let record = measured.record
    Console.hide(record.mask)
    var result = gate.judge(record, options: options)
    if updateBaseline, let gate = try await writeBaseline(gate, result, options) {
      result = gate.judge(record, options: options)
    }
    if let earlier { result = earlier.judge(result, options: options) }
    await keepShard(measured.part, record.info.shard, record.mask, gate, options, in: folder, &result)
    let status = await end(result, in: folder)
    await server?.finish(report: HTMLReport(result).text)
    withExtendedLifetime(interrupts) {}
    throw status
  }
}

extension RunVerb {
  /// - Throws: `GateError.usage` for options that apply only to a whole run.
  private func checkShard(_ shard: ShardChoice?) throws(GateError) {
    guard let shard, shard.of > 1 else { return }
    let name = "shard \(shard.number) of \(shard.of)"
    if !baseline.isEmpty {
      throw .usage("--baseline needs a whole run, and this is \(name). Use it with `murphy merge`.")
    }
    if failOnUnchecked {
      throw .usage("--fail-on-unchecked needs a whole run, and this is \(name). Use it with `murphy merge`.")
    }
    if updateBaseline {
      throw .usage(
        "--update-baseline needs a whole run, and this is \(name). A shard covers only a part of the contract.")
    }
  }

  /// Writes the data that `murphy merge` needs from a shard. A shard that cannot be merged has no result.
  private func keepShard(
    _ part: RunMeasurement, _ shard: RunShard?, _ mask: SecretMask, _ gate: Gate, _ options: RunOptions,
    in folder: ReportFolder,
    _ result: inout RunResult
  ) async {
    guard let shard else { return }
    do {
      let file = try gate.writeShard(part, mask, environment: options.environment, to: folder.path)
      if let upload = shards.upload { try await Gate.upload(file, of: shard, to: upload, options) }
    } catch {
      Console.error("murphy: \(error)")
      result.verdict = .invalid
      result.reasons.insert("\(error)", at: 0)
    }
  }

  /// Shows the running test, if requested.
  private func watch(_ gate: Gate, _ options: RunOptions) async throws -> LiveServer? {
    guard options.isWatched else { return nil }
    let server = try await gate.watch(options, port: livePort ?? 0)
    Console.error("Live: \(server.url) (metrics at \(server.url)metrics)")
    return server
  }

  /// Shows the first exchanges, if requested.
  private var trace: SessionTrace? {
    guard httpDebug || httpDebugCount != nil else { return nil }
    let text = TraceText(namesSessions: true, colours: false)
    return SessionTrace(most: httpDebugCount ?? 20) { event in
      let lines = text.text(event)
      if !lines.isEmpty { Console.error(lines) }
    }
  }

  /// Writes the reports and prints the verdict as the last line.
  private func end(_ result: RunResult, in folder: ReportFolder) async -> ExitStatus {
    await Console.settle(Ending(word: result.verdict.word, status: result.exitStatus.rawValue))
    let written = folder.write(result)
    GitHubActions.publish(result)
    Console.printMasked(form.text(result, report: written))
    if let file = output.file { form.write(result, report: written, to: file) }
    return result.exitStatus
  }

  private var form: RunOutput { RunOutput(isVerbose: verbose, form: output.form, isRepeatable: true) }

  /// The same for a target that was not reachable; the reason is on standard error too.
  private func end(unreached result: RunResult, in folder: ReportFolder) async -> ExitStatus {
    Console.error("murphy: \(result.reasons.first ?? "")")
    var folder = folder
    do { try folder.prepare() } catch { Console.error("murphy: \(error)") }
    return await end(result, in: folder)
  }

  /// The gate with the new baseline; nil if the scenario names none.
  private func writeBaseline(_ gate: Gate, _ result: RunResult, _ options: RunOptions) async throws -> Gate? {
    guard let baseline = gate.advancedBaseline(result) else {
      Console.error("murphy: \(scenario) has no coverage baseline; add `expect: coverage: { baseline: FILE }`.")
      return nil
    }
    do {
      try AtomicFile.write(baseline.text, to: baseline.file)
      return try await Gate.load(scenario, options: options)
    } catch {
      throw Failure.report(error)
    }
  }
}

/// The options of a run: target, seed, size of the load.
struct LoadArguments: ParsableArguments {
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Option(
    help: "The seed of all random values. Runs with the same seed have the same plan of sessions.") var seed: UInt64?
  @Option(help: "Generate the same uuid() and long string() values as the run with this salt.") var salt: UInt64?
  @Option(
    help: "Multiply arrival rates and numbers of users by this factor. The factor 0.5 halves the load.") var load = 1.0
  @Option(help: "Shorten or lengthen the load to this duration, such as 30s or 2m.") var duration: String?
  @Option(help: "Replace the scenario's load by this number of concurrent users.") var users: Int?
  @Option(help: "The maximum number of sessions of each user, if the load is a number of users.") var iterations: Int?
  @Option(help: "Run only sessions with this name (repeatable).", completion: Candidates.sessions) var only: [String] =
    []
  @Option(
    help: "The number of threads that generate load. The default is one thread for each processor core.") var loops:
    Int?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments

  func validate() throws {
    try Self.check(load: load, users: users)
    try Self.check("--iterations", iterations, in: 1...1_000_000_000)
    try Self.check(loops: loops)
  }

  static func check(load: Double, users: Int?) throws {
    if !(load > 0 && load <= 100_000) {
      throw ValidationError("--load takes a factor above 0 and up to 100000, found \(load).")
    }
    try check("--users", users, in: 1...1_000_000)
  }

  /// - Throws: if loops would have to share cores.
  static func check(loops: Int?) throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    guard let loops, !(1...cores ~= loops) else { return }
    throw ValidationError(
      "--loops takes a number from 1 to \(cores), the cores of this machine, found \(loops)."
        + (loops > cores
          ? " Loops that share a core delay each other. For more load, use more machines: --shard K/N." : ""))
  }

  func options(reference: ReferenceArguments) throws -> RunOptions {
    var options = RunOptions()
    options.target = try target.map { text throws(GateError) in try Target(text) }
    options.seed = seed
    options.salt = salt
    options.load = load
    options.duration = try duration.map { text in
      guard case .success(let seconds) = Quantity.duration(text), seconds > 0, seconds <= 366 * 86_400
      else {
        throw GateError.usage(
          "--duration takes a time such as 30s or 2m, at most a year, found \"\(text)\"."
            + (Double(text) == nil ? "" : " Did you mean \"\(text)s\"?"))
      }
      return .saturating(seconds: seconds)
    }
    options.users = users
    options.iterations = iterations
    options.only = only
    options.loops = loops
    certificates.apply(to: &options)
    try credentials.apply(to: &options)
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    return options
  }
}
