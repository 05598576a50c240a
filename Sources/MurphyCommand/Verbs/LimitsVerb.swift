import ArgumentParser
import Foundation
import Murphy
import MurphyReport

struct LimitsVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: """
      Measures rate limiters: their quota, time window, algorithm and limit key, and the accuracy of their \
      headers.
      """,
    discussion: """
      The exit status is 0 if the measurements confirm the declared rate limits. The exit status is 1 if a measurement \
      contradicts a declared rate limit. The exit status is 2 for invalid options or an invalid file, and 3 if murphy \
      cannot reach the target. The exit status is 5 if the verdict is NO DATA. A target on another machine requires \
      --i-may-test-this-target.
      """)

  @Argument(help: "The scenario file.", completion: Candidates.documents) var scenario: String
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Option(help: "Test only the rate limits of the operation with this operationId.", completion: Candidates.operations)
  var operation: String?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Start each measurement from the declared rate limit, and verify the declared values. --no-declared is the same \
      as --black-box.
      """)
  var declared = true
  @Flag(
    help: """
      Measure each rate limit without the declared values. A measurement without the declared values takes longer.
      """) var blackBox =
    false
  @Flag(
    inversion: .prefixedNo,
    help: """
      Also test the limit key, concurrent requests, and whether failed requests count. With --no-follow-ups, murphy \
      omits these additional tests.
      """)
  var followUps = true
  @Flag(
    help: "Test only the quota and the limit key, in one time window. Do not measure the length of the time window.")
  var quick = false
  @Option(help: "The maximum number of requests that murphy sends for each rate limit.") var maxRequests = 5000
  @Option(
    help: "The maximum time of the command: a number of seconds, or a time such as 90s or 10m.") var maxSeconds =
    "600"
  @Flag(help: "Confirm that you are allowed to use up the rate limits of a target on another machine.")
  var iMayTestThisTarget = false
  @Option(help: "The seed of the random client identities. Without --seed, murphy uses a random seed.")
  var seed: UInt64?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments
  @OptionGroup(title: "Output") var output: OutputArguments
  @Option(help: "The folder for limits.html and limits.json. The default folder is reports/<time>-<scenario>-limits.")
  var report: String?
  @Flag(
    name: .shortAndLong,
    help: "Print every measured fact and every finding, instead of only the table.") var verbose =
    false
  @Flag(help: "Print only the findings, and no progress.") var quiet = false

  func validate() throws {
    try Self.check("--max-requests", maxRequests, in: 8...1_000_000)
  }

  func run() async throws {
    output.warn()
    let gate: Gate
    let options: LimitsOptions
    do {
      options = try self.options()
      var loading = RunOptions()
      loading.target = options.target
      loading.environment = options.environment
      loading.reference = options.reference
      certificates.apply(to: &loading)
      try credentials.apply(to: &loading)
      gate = try await Gate.open(scenario, loading, isQuiet: quiet).authorised(loading)
    } catch {
      throw Self.failure(error)
    }
    var folder = ReportFolder(path: report, scenario: gate.scenario.name + " limits")
    do {
      try folder.prepare()
    } catch {
      throw Self.failure(error)
    }
    try OutputFile.guardCrash(
      gate.crashed(options), [output.file, folder.path + "/limits.json"],
      stale: [folder.path + "/limits.html"])
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.noData), "Stopping: printing partial results. Press Ctrl-C again to quit immediately.")
    let line = StatusLine(isQuiet: quiet)
    let result: LimitsResult
    do {
      result = try await gate.probeLimits(
        options, stop: stop, announce: { line.announce($0, $1) }, progress: { line.show($0, $1) }
      ) { [verbose, output] part in
        for limit in part.limits { line.end(limit.name) }
        guard output.form == .text else { return }
        for limit in Self.page(part).limits {
          Console.printMasked(limit.document(isVerbose: verbose).terminal(width: Console.width) + "\n")
        }
      }
    } catch {
      line.end()
      folder.discard()
      throw Self.failure(error)
    }
    line.end()
    if let tokens = gate.scenario.credential?.takeCounts(), tokens.renewals != nil { Console.error(tokens.sentence) }
    await Console.settle(Ending(result.verdict))
    withExtendedLifetime(interrupts) {}
    try output.write(result)
    let page: String
    do {
      page = try folder.write(result, page: Self.page(result).document.html, as: "limits")
    } catch {
      throw Self.failure(error)
    }
    if output.form == .text {
      Console.printMasked(Self.page(result).document.terminal(width: Console.width, page: page))
    }
    throw result.verdict.exitStatus
  }

  static func page(_ result: LimitsResult) -> LimitsReport {
    LimitsReport(
      scenario: result.scenario, target: result.target, version: result.version, verdict: result.verdict,
      reasons: result.reasons,
      limits: result.limits.map { .init($0.name, $0.policy, $0.report, $0.row, $0.findings, $0.verdict) })
  }

  /// Prints the reason why no probe began; a target that is not reachable has a last word too.
  private static func failure(_ error: any Error) -> ExitStatus {
    let status = Failure.report(error)
    if status == .unreachable { Console.printMasked(Verdict.invalid.word + "\n") }
    return status
  }

  private func options() throws -> LimitsOptions {
    var options = LimitsOptions()
    options.target = try target.map { text throws(GateError) in try Target(text) }
    options.operation = operation
    options.isQuick = quick
    options.isBlackBox = blackBox || !declared
    options.maxRequests = maxRequests
    options.time = try TimeOption.duration(maxSeconds, "--max-seconds")
    options.mayTestTarget = iMayTestThisTarget
    options.asksFollowUps = followUps
    (options.authorities, options.certificate) = (certificates.cacert, certificates.certificate)
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    options.seed = seed
    return options
  }
}
