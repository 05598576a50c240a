import ArgumentParser
import Foundation
import Murphy

struct TryVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try", abstract: "Runs each session once with one user and prints every step.",
    discussion: """
      Murphy prints each request and its response, saved values, contract violations, and the reason why a session \
      ended. Murphy masks secrets and skips think times. The exit status is 0 if every session completed and every \
      checked response matches the contract. The exit status is 1 if a session failed or a response violates the \
      contract. Murphy also prints the number of responses that it could not check.

      Example: murphy try scenarios/murphys-laws/release-gate.yaml --session browse
      """)

  @Argument(help: "The scenario file. Use - for standard input.", completion: Candidates.documents) var scenario: String
  @Option(help: "Run only sessions with this name (repeatable).", completion: Candidates.sessions) var session:
    [String] = []
  @Option(
    help: "The API to test: a URL, or embedded:SYSTEM for a reference API that murphy starts.",
    completion: Candidates.targets)
  var target: String?
  @Option(help: "The seed of all random values. Without --seed, murphy uses the scenario's seed.") var seed: UInt64?
  @Option(
    help: """
      Generate the same uuid(), email() and long string() values as an earlier run with this salt. The report \
      shows the salt.
      """) var salt: UInt64?
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments
  @Option(help: "The maximum time for each session, such as 30s or 5m.") var maxSeconds = "5m"
  @Flag(help: "Pause for the think times of the session, as in a run under load.") var think = false
  @Flag(help: "Print one line for each request and response, without headers and bodies.") var brief = false
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments
  @OptionGroup(title: "Reference API", visibility: .hidden) var reference: ReferenceArguments

  func run() async throws {
    var options = RunOptions()
    var gate: Gate
    let sessions: [String]
    do {
      options = try self.options()
      gate = try await Gate.open(scenario, options, isQuiet: brief)
      for warning in gate.missingCredentials(options) { Console.error(warning.text) }
      // Sessions that are still running at the time limit get no grace period.
      gate.scenario.settings.grace = .milliseconds(50)
      sessions = try gate.sessionNames(among: session)
    } catch {
      throw Failure.report(error)
    }
    let stop = StopSignal()
    let interrupts = Interrupts(endingWith: Ending(.invalid)) { stop.request() }
    let text = TraceText(namesSessions: false, colours: Console.usesColour, isLong: !brief)
    let rejections = RejectionLog(gate.contract, environment: options.environment)
    options.trace = SessionTrace { event in
      rejections.record(event)
      Console.printRaw(text.text(event))
    }
    var begun = 0
    var requests = 0
    var failed = 0
    var errors = 0
    var setupFailed = false
    var unchecked = 0
    for name in sessions where !stop.isRequested {
      options.only = [name]
      begun += 1
      do {
        let record = try await gate.run(options, stop: stop)
        Console.hide(record.mask)
        requests += record.ledger.sent
        // Sessions that a stop interrupted have not failed.
        if !stop.isRequested {
          failed += record.failedSessions
          errors += record.findings.count { $0.severity == .error }
          setupFailed = setupFailed || record.info.setup?.failed != nil
        }
        unchecked += record.ledger.uncheckedTotal
      } catch {
        throw Failure.report(error)
      }
      Console.print("")
    }
    withExtendedLifetime(interrupts) {}
    for sentence in rejections.advice { Console.error(sentence) }
    let verdict: Verdict =
      stop.isRequested ? .invalid : failed + errors > 0 || setupFailed ? .fail : requests > 0 ? .pass : .noData
    Console.print(
      "\(begun) session\(begun == 1 ? "" : "s"), \(requests) request\(requests == 1 ? "" : "s"), "
        + "\(failed) session\(failed == 1 ? "" : "s") failed, \(errors) error\(errors == 1 ? "" : "s") found"
        + (setupFailed ? ", the setup failed" : "")
        + (unchecked == 0 ? "" : ", \(unchecked) response\(unchecked == 1 ? "" : "s") not fully checked"))
    Console.printMasked(verdict.word + "\n")
    throw verdict.exitStatus
  }

  private func options() throws -> RunOptions {
    var options = RunOptions()
    options.target = try target.map { text throws(GateError) in try Target(text) }
    (options.seed, options.salt) = (seed, salt)
    (options.users, options.iterations, options.loops) = (1, 1, 1)
    options.duration = try TimeOption.duration(maxSeconds, "--max-seconds")
    options.skipsThinking = !think
    options.walksCollections = false
    certificates.apply(to: &options)
    try credentials.apply(to: &options)
    options.environment = ProcessInfo.processInfo.environment
    options.reference = try reference.options()
    return options
  }
}

extension RunRecord {
  /// Sessions with a failed step, or that the time limit ended.
  fileprivate var failedSessions: Int {
    sessions.reduce(0) { $0 + $1.unfinished + $1.failed.reduce(0) { $0 + $1.count } }
  }
}
