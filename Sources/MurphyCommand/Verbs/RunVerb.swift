import ArgumentParser
import Murphy

struct RunVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Replays the sessions of a scenario, checks every response, and writes reports.")

  @Argument(help: "The scenario file. Use - for standard input.", completion: Candidates.documents) var scenario: String
  @OptionGroup(title: "Load") var load: LoadArguments
  @OptionGroup(title: "Shards") var shards: ShardArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments
  @Option(help: "The folder for the reports. The default folder is reports/<time>-<scenario>.") var report: String?
  @Flag(help: "Print the start time of each session and the random values, and send no requests.") var plan = false
  @Flag(help: "Fail the run if there is a response that murphy could not check.") var failOnUnchecked = false
  @Flag(help: "Update or create the coverage baseline file of the scenario with the coverage of this run.")
  var updateBaseline = false
  @Flag(
    help:
      "Serve a live report and metrics (OpenMetrics) on the loopback address. --live=PORT sets the port.")
  var live = false
  @Option(help: .hidden) var livePort: Int?
  @OptionGroup(title: "Spans") var spans: SpanArguments
  @Option(
    parsing: .upToNextOption,
    help:
      """
      A folder that keeps the results of runs. If the API is slower than in earlier runs in the folder, the run fails. \
      Murphy creates the folder, and stores the result of each run that does not fail. You can also give results of earlier \
      runs (several files or folders), which murphy only reads. Without --seed, the run uses the seed of the earlier runs.
      """
  )
  var baseline: [String] = []
  @Option(
    help: """
      The maximum number of results of the scenario in the folder of --baseline. Murphy removes the oldest results. The \
      default is 100.
      """)
  var keep: Int?
  @Flag(help: "Print no progress and no warnings on standard error.") var quiet = false
  @Flag(name: .shortAndLong, help: "Print all tables, findings and checks, instead of only the summary.")
  var verbose = false
  @OptionGroup(title: "Output") var output: OutputArguments
  @Flag(
    help: """
      Print the first 20 requests and responses on standard error. --http-debug=N prints the first N requests and \
      responses.
      """)
  var httpDebug =
    false
  @Option(help: .hidden) var httpDebugCount: Int?

  func validate() throws {
    if let livePort, !(0...65_535 ~= livePort) {
      throw ValidationError("--live takes a port from 0 to 65535, found \(livePort).")
    }
    if let httpDebugCount, httpDebugCount < 1 {
      throw ValidationError("--http-debug takes a number of exchanges above 0, found \(httpDebugCount).")
    }
  }

  func run() async throws {
    output.warn()
    if plan { return try await printPlan() }
    ReportFolder(path: report, scenario: scenario).crashGuard(Gate.crashed(file: scenario), as: form).arm()
    var (options, earlier) = try settings()
    let gate = try await open(options)
    try read(&earlier, for: gate, &options)
    let folder = try prepareFolder(gate, options)
    options.spans = try await spans.receiver { folder.discard() }
    let server = try await watch(gate, options, in: folder)
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid),
      "Stopping: finishing sessions and writing reports. Press Ctrl-C again to quit immediately.")
    let (record, part) = try await measure(gate, options, stop, server, in: folder)
    Console.hide(record.mask)
    var result = try await judge(record, gate, options, earlier)
    earlier?.store(&result, reports: folder.path)
    await keepShard(part, record.info.shard, record.mask, gate, options, in: folder, &result)
    let status = await end(result, in: folder)
    await server?.finish(report: HTMLReport(result).text)
    await options.spans?.stop()
    withExtendedLifetime(interrupts) {}
    throw status
  }
}

/// The steps of a run, in their order.
extension RunVerb {
  private func printPlan() async throws {
    do {
      var (options, earlier) = try settings()
      let gate = try await openGate(options)
      try earlier?.read(for: gate, &options, isPlan: true)
      Console.printRaw(TerminalText.harmless(try gate.plan(options)))
    } catch {
      throw Failure.report(error)
    }
  }

  /// The options, and the earlier runs that the run is compared with.
  private func settings() throws -> (options: RunOptions, earlier: Baseline?) {
    do {
      var options = try load.options(reference: reference)
      options.shard = try shards.choice(options.environment, isQuiet: quiet)
      try checkShard(options.shard)
      let earlier = try Baseline.option(baseline, keep: keep)
      if let report, earlier?.keeps(report) == true {
        throw GateError.usage("--report and --baseline name the same folder. Choose another folder for the reports.")
      }
      options.failOnUnchecked = failOnUnchecked
      options.isWatched = live || livePort != nil
      options.trace = trace
      return (options, earlier)
    } catch {
      throw Failure.report(error)
    }
  }

  /// Reads the baseline before the load, and prepares the folder that keeps it.
  private func read(_ earlier: inout Baseline?, for gate: Gate, _ options: inout RunOptions) throws {
    do { try earlier?.read(for: gate, &options) } catch { throw Failure.report(error) }
    if let warning = earlier?.warning, !quiet { Console.error("murphy: \(warning)") }
  }

  private func openGate(_ options: RunOptions) async throws -> Gate {
    let gate = try await Gate.open(scenario, options, isQuiet: quiet)
    for warning in gate.missingCredentials(options) { Console.error(warning.text) }
    return gate
  }

  /// The gate; if the target is not reachable, the reports say so.
  private func open(_ options: RunOptions) async throws -> Gate {
    do {
      return try await openGate(options)
    } catch GateError.unreachable(let reason) {
      let result = Gate.unreached(reason, file: scenario, options: options)
      throw await end(unreached: result, in: ReportFolder(path: report, scenario: result.run.scenario))
    } catch {
      throw Failure.report(error)
    }
  }

  private func prepareFolder(_ gate: Gate, _ options: RunOptions) throws -> ReportFolder {
    let name = options.shard.map { $0.of > 1 ? " shard \($0.number) of \($0.of)" : "" } ?? ""
    var folder = ReportFolder(path: report, scenario: gate.scenario.name + name)
    do { try folder.prepare() } catch { throw Failure.report(error, as: .usage) }
    if options.shard != nil { Gate.removeShard(in: folder.path) }
    folder.crashGuard(gate.crashed(options: options), as: form).arm()
    return folder
  }

  /// Shows the running test, if requested.
  private func watch(_ gate: Gate, _ options: RunOptions, in folder: ReportFolder) async throws -> LiveServer? {
    guard options.isWatched else { return nil }
    do {
      let server = try await gate.watch(options, port: livePort ?? 0)
      Console.error("Live: \(server.url) (metrics at \(server.url)metrics)")
      return server
    } catch {
      folder.discard()
      throw Failure.report(error)
    }
  }

  /// Sends the load; if the target is not reachable, the reports say so.
  private func measure(
    _ gate: Gate, _ options: RunOptions, _ stop: StopSignal, _ server: LiveServer?, in folder: ReportFolder
  ) async throws -> (record: RunRecord, part: RunMeasurement) {
    let progress = StatusLine(isQuiet: quiet)
    do {
      defer { progress.end() }
      return try await gate.measure(options, stop: stop) { snapshot in
        progress.show(snapshot)
        server?.show(snapshot)
      }
    } catch GateError.unreachable(let reason) {
      await server?.finish(report: nil)
      throw await end(unreached: gate.unreached(reason, options: options), in: folder)
    } catch {
      await server?.finish(report: nil)
      folder.discard()
      throw Failure.report(error)
    }
  }

  /// The result, with an updated coverage baseline and the comparison with earlier runs, if requested.
  private func judge(
    _ record: RunRecord, _ gate: Gate, _ options: RunOptions, _ earlier: Baseline?
  ) async throws -> RunResult {
    var result = gate.judge(record, options: options)
    if updateBaseline, let gate = try await writeBaseline(gate, result, options) {
      result = gate.judge(record, options: options)
    }
    if let earlier { result = earlier.judge(result, options: options) }
    return result
  }

  /// - Throws: `GateError.usage` for options that apply only to a whole run.
  private func checkShard(_ shard: ShardChoice?) throws(GateError) {
    guard let shard, shard.of > 1 else { return }
    let name = "shard \(shard.number) of \(shard.of)"
    if !baseline.isEmpty {
      throw .usage(
        "--baseline requires a whole run, but this process runs \(name). Use --baseline with `murphy merge`.")
    }
    if failOnUnchecked {
      throw .usage(
        """
        --fail-on-unchecked requires a whole run, but this process runs \(name). Use --fail-on-unchecked with `murphy \
        merge`.
        """)
    }
    if updateBaseline {
      throw .usage(
        """
        --update-baseline requires a whole run, but this process runs \(name). A shard covers only a part of the \
        contract.
        """)
    }
    if spans.isRequested {
      throw .usage(
        """
        --otlp requires a whole run, but this process runs \(name). The target sends all spans to one receiver, and the \
        shards are separate processes.
        """)
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
      Console.error(
        """
        murphy: --update-baseline has no effect, because \(scenario) names no coverage baseline. Add `expect: \
        coverage: { baseline: FILE }`.
        """)
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
