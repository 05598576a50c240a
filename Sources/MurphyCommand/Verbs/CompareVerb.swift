import ArgumentParser
import Foundation
import Murphy

struct CompareVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract:
      "Tests statistically whether a new version of an API (the candidate) is slower than an old one (the base).",
    discussion: """
      To compare two running targets, use: murphy compare SCENARIO --base TARGET --candidate TARGET. TARGET is a URL \
      or embedded:SYSTEM?fault=NAME. Murphy sends load to the two targets alternately.

      To compare stored results of several runs, use: murphy compare --base R1.json R2.json --candidate R3.json \
      R4.json. To compare two folders with stored results, use: murphy compare BASE CANDIDATE.

      The verdict is FAIL if murphy detects a slowdown. Without a slowdown, the probability of the verdict FAIL is at \
      most 1 %. The verdict is PASS if a slowdown above the margin is ruled out with 95 % confidence. The margin is a \
      slowdown of 5 % for p50 and of 10 % for p99, and 0.5 percentage points for the error rate. If murphy neither \
      detects nor rules out a slowdown, the verdict is NO DATA. Murphy then prints the smallest slowdown that the \
      comparison could detect.

      With --responses, murphy compares the responses of two running targets instead of their speed. The verdict is \
      FAIL if a response differs, except in values that also differ between two runs of the base.
      """)

  @Argument(
    help: """
      The scenario file if you compare running targets, or two folders with stored results (first the base, then the \
      candidate).
      """)
  var paths: [String] = []
  @Option(parsing: .upToNextOption, help: "The base is a version that works: a target, or result files and folders.")
  var base: [String] = []
  @Option(
    parsing: .upToNextOption, help: "The candidate is the version to test: a target, or result files and folders.")
  var candidate: [String] = []
  @Option(
    help: """
      A metric that decides the verdict (repeatable): p50, p95, p99, errors, throughput. The default metrics are p50, \
      p99 and errors.
      """)
  var metric: [CompareMetric] = []
  @Option(
    help:
      """
      For stored results: an operation that is the same in base and candidate. Murphy subtracts the slowdown of this \
      operation from the slowdown of each other operation.
      """)
  var control: String?
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Live load") var load: CompareLoadArguments
  @OptionGroup(title: "Spans") var spans: SpanArguments
  @OptionGroup(title: "Responses") var responses: CompareResponseArguments
  @OptionGroup(title: "Output") var output: OutputArguments
  @Option(
    help: """
      The folder for compare.html, compare.json and compare.md. The default folder is \
      reports/<time>-<scenario>-compare.
      """)
  var report: String?
  @Flag(help: "Print the JSON Schema of compare.json, and do nothing else.") var schema = false
  @Flag(help: "Print only the verdict, and no progress.") var quiet = false

  func run() async throws {
    if schema {
      Console.printRaw(ReportSchema.comparison)
      return
    }
    output.warn()
    // A folder that cannot be written is reported before any load is sent.
    var named = report.map { ReportFolder(path: $0, scenario: "") }
    do { try named?.prepare() } catch { throw Failure.report(error, as: .usage) }
    if responses.responses { return try await compareResponses(&named) }
    let result: CompareResult
    do {
      result = try await isLive ? live() : stored()
    } catch {
      named?.discard()
      throw Failure.report(error)
    }
    try finish(
      result, CompareReport(result).document, result.verdict, result.reasons,
      named ?? ReportFolder(path: nil, scenario: result.scenario + " compare"), as: "compare")
  }

  /// Writes a result and its reports to the folder and to standard output.
  ///
  /// - Throws: the exit status, always.
  func finish(
    _ result: some Encodable, _ document: ReportDocument, _ verdict: Verdict, _ reasons: [String],
    _ folder: ReportFolder, as name: String
  ) throws -> Never {
    try output.write(result)
    var (folder, page) = (folder, String?.none)
    do {
      page = try folder.write(result, page: document.html, summary: document.markdown, as: name)
    } catch {
      // The result is still printed on standard output.
      Console.error("murphy: \(error)")
    }
    if output.form == .text {
      Console.print(String(document.terminal(width: Console.width, page: page).dropLast()))
    }
    GitHubActions.annotate("murphy compare", verdict, reason: reasons.first)
    throw verdict.exitStatus
  }

  private var metrics: [CompareMetric] { metric.isEmpty ? CompareMetric.usual : metric }

  /// True for targets instead of files.
  private var isLive: Bool {
    (base + candidate).contains { text in ["http://", "https://", "embedded:"].contains { text.hasPrefix($0) } }
  }

  private func stored() throws -> CompareResult {
    var sides = (base, candidate)
    if base.isEmpty, candidate.isEmpty {
      guard paths.count == 2 else {
        throw GateError.usage(
          "murphy compare needs a base and a candidate. Name two folders of results, or name result files or targets "
            + "after --base and --candidate.")
      }
      sides = ([paths[0]], [paths[1]])
    } else if let extra = paths.first {
      throw GateError.usage(
        "murphy compare: unexpected argument \(extra). Name result files after --base and --candidate. To compare with "
          + "a scenario, use targets: --base URL --candidate URL.")
    }
    guard !sides.0.isEmpty, !sides.1.isEmpty else {
      throw GateError.usage("murphy compare: the option --\(sides.0.isEmpty ? "base" : "candidate") is missing.")
    }
    let judge = StoredJudge(ComparePromise(metrics: metrics), control: control)
    return StoredComparison(judge).result(
      base: try StoredResults.read(sides.0), candidate: try StoredResults.read(sides.1))
  }

  /// The two targets, with the options that both kinds of comparison share.
  func liveOptions() throws -> CompareOptions {
    guard paths.count == 1, base.count == 1, candidate.count == 1 else {
      throw GateError.usage(
        "murphy compare takes one scenario (found \(paths.count)), one --base target (found \(base.count)) and one "
          + "--candidate target (found \(candidate.count)). Use: murphy compare SCENARIO --base URL --candidate URL.")
    }
    if control != nil {
      throw GateError.usage("--control applies only to stored results. Remove --control from a live comparison.")
    }
    var options = CompareOptions(base: try Target(base[0]), candidate: try Target(candidate[0]))
    try load.apply(to: &options)
    return options
  }

  private func live() async throws -> CompareResult {
    var options = try liveOptions()
    options.metrics = metrics
    var loading = options.run
    loading.target = options.base
    let gate = try await Gate.open(paths[0], loading, isQuiet: quiet)
    options.run.spans = try await spans.receiver()
    let page = report.map { $0 + "/compare" }
    try OutputFile.guardCrash(
      gate.crashed(options), [page.map { $0 + ".json" }, output.file],
      stale: page.map { page in ["html", "md"].map { "\(page).\($0)" } } ?? [])
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid),
      "Stopping after the current time slice. Press Ctrl-C again to quit immediately.")
    let isQuiet = quiet
    let result = try await gate.compare(options, stop: stop) { progress in
      if !isQuiet { Self.show(progress) }
    }
    await options.run.spans?.stop()
    if !quiet, Console.rewritesLines { Console.errorInPlace("") }
    withExtendedLifetime(interrupts) {}
    return result
  }

  private static func show(_ progress: CompareProgress) {
    let line =
      "group \(progress.group) of \(progress.lookAt) until the next evaluation, slice \(progress.slice) of "
      + "\(progress.slices), \(progress.elapsed.components.seconds) s"
    if Console.rewritesLines {
      Console.errorInPlace(line)
    } else if progress.slice == progress.slices {
      Console.error(line)
    }
  }
}

extension CompareMetric: ExpressibleByArgument {
  package static var allValueStrings: [String] { deciding.map(\.rawValue) }

  /// Nil for a metric that cannot decide a verdict.
  package init?(argument: String) {
    guard let metric = CompareMetric.deciding.first(where: { $0.rawValue == argument }) else { return nil }
    self = metric
  }
}

/// The load of a live comparison.
struct CompareLoadArguments: ParsableArguments {
  @Option(
    help: """
      For a live comparison: a shell command that starts the base at its URL. Murphy runs the command before each \
      group of time slices.
      """)
  var baseCommand: String?
  @Option(
    help: """
      For a live comparison: a shell command that starts the candidate at its URL. Murphy runs the command before each \
      group of time slices.
      """)
  var candidateCommand: String?
  @Option(
    help: """
      For a live comparison: the duration of one time slice, in which sessions start. The sessions of a time slice may \
      end later.
      """)
  var slice = "2s"
  @Option(
    help: """
      For a live comparison: the number of pairs of time slices in each group. The number of pairs must be even.
      """) var blocks =
    4
  @Option(
    help: """
      For a live comparison: the maximum total time, as a number of seconds, or a time such as 90s or 10m. Murphy \
      starts no group of time slices that might exceed the maximum time.
      """)
  var maxSeconds = "900"
  @Option(
    help: """
      For a live comparison: the seed of all random values in the sessions. Murphy uses the same seed for base and \
      candidate.
      """) var seed: UInt64?
  @Option(help: "For a live comparison: the seed of the random order of the time slices.") var coins: UInt64?
  @Option(help: "For a live comparison: the factor by which murphy multiplies arrival rates and numbers of users.")
  var load = 1.0
  @Option(
    help: "For a live comparison: replace the load of the scenario by this number of concurrent users.") var users: Int?
  @Option(
    help: "For a live comparison: run only sessions with this name (repeatable).", completion: Candidates.sessions)
  var only: [String] = []
  @Option(
    help: """
      For a live comparison: the number of threads that generate load. By default, murphy uses one thread for each \
      processor core.
      """) var loops: Int?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "Live: TLS") var certificates: CertificateArguments

  func validate() throws {
    if !(2...200 ~= blocks) || !blocks.isMultiple(of: 2) {
      throw ValidationError("--blocks takes an even number from 2 to 200, found \(blocks).")
    }
    try LoadArguments.check(load: load, users: users)
    try LoadArguments.check(loops: loops)
  }

  func apply(to options: inout CompareOptions) throws {
    guard case .success(let length) = Quantity.duration(slice), .milliseconds(100) ... .seconds(600) ~= length else {
      throw GateError.usage("--slice takes a time from 100ms to 10m, found \"\(slice)\".")
    }
    options.slice = length
    options.blocks = blocks
    options.limit = try TimeOption.duration(maxSeconds, "--max-seconds")
    options.coins = coins
    options.baseCommand = baseCommand
    options.candidateCommand = candidateCommand
    options.run.seed = seed
    options.run.load = load
    options.run.users = users
    options.run.only = only
    options.run.loops = loops
    certificates.apply(to: &options.run)
    try credentials.apply(to: &options.run)
    options.run.environment = ProcessInfo.processInfo.environment
  }
}
