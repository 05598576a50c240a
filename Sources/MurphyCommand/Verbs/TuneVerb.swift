import ArgumentParser
import Foundation
import Murphy

struct TuneVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune", abstract: "Simulates rate-limit policies and recommends a policy, without sending requests.",
    discussion: """
      Murphy generates legitimate sessions from the scenario, and simulates users who share IP addresses, as in homes, \
      offices and mobile networks. Then murphy applies many rate-limit policies to the same requests, and compares the \
      results.

      With --log, murphy applies the policies to the real requests of an access log instead.

      Examples: murphy tune gate.yaml --what-if "30/60s key=address", murphy tune gate.yaml --emit nginx, murphy tune \
      --log access.log
      """)

  @Argument(help: "The scenario file. With --log, the scenario file is optional.", completion: Candidates.documents)
  var scenario: String?
  @Option(
    help: """
      Evaluate one rate-limit policy, such as "30/60s key=address" or "4/s burst=20 key=X-Device-ID" \
      (repeatable).
      """)
  var whatIf: [String] = []
  @Option(
    help: """
      The name of the rate limit to tune. By default, murphy tunes the rate limit that applies to the most calls of \
      the sessions.
      """)
  var limit: String?
  @Option(
    help: "The operationId of an operation. Murphy tunes a new rate limit for the named operations (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Option(help: "The number of legitimate sessions that murphy simulates. The default number is 6000.")
  var sessions: Int?
  @Option(
    help: """
      The number of users that share an address: usual, none, or a table such as "85%=1,14.6%=2..5,0.4%=40..200". In \
      the example of a table, 85% of the addresses have one user. The default value is usual: a typical mix of homes, \
      offices and mobile networks.
      """)
  var sharing: String?
  @Option(help: "The seed of all random values (a number). The default seed is 1.") var seed: UInt64?
  @OptionGroup(title: "Access log") var log: AccessLogArguments
  @OptionGroup(title: "Output") var output: OutputArguments
  @Option(help: "The folder for tune.html and tune.json. The default folder is reports/<time>-<scenario>-tune.")
  var report: String?

  @OptionGroup(title: "Deployment") var deployment: DeploymentArguments
  @OptionGroup(title: "Environment") var environment: EnvironmentArguments

  func validate() throws {
    try Self.check("--sessions", sessions, in: 100...200_000)
    if scenario == nil {
      guard log.file != nil else { throw ValidationError("murphy tune needs a scenario file, or --log FILE.") }
      if deployment.apply != nil { throw ValidationError("--apply needs a scenario file.") }
      if limit != nil || !operation.isEmpty { throw ValidationError("--limit and --operation need a scenario file.") }
      if deployment.target != nil || deployment.hasTransport {
        throw ValidationError("--target, --header, --cacert and --cert need a scenario file.")
      }
    }
    if log.file != nil, sessions != nil || sharing != nil || seed != nil {
      throw ValidationError(
        "--sessions, --sharing and --seed apply only to simulated users. Remove them, or remove --log.")
    }
  }

  func run() async throws {
    output.warn()
    let gate: Gate?
    let options: TuneOptions
    var loading = RunOptions()
    do {
      options = try self.options()
      loading.environment = ProcessInfo.processInfo.environment
      try deployment.apply(to: &loading)
      gate = if let scenario { try await Gate.open(scenario, loading, isQuiet: true) } else { nil }
      if let gate, deployment.apply == nil, deployment.hasTransport, !gate.contract.file.contains("://") {
        throw GateError.usage(
          "--header, --cacert and --cert have no effect without --apply, because murphy sends no request. Add --apply.")
      }
    } catch {
      throw Failure.report(error)
    }
    if let file = log.file {
      try await tune(file, gate, options, loading)
    } else if let gate {
      try await tune(gate, options, loading)
    }
  }

  private func tune(_ gate: Gate, _ options: TuneOptions, _ loading: RunOptions) async throws {
    var result: TuneResult
    do {
      result = try gate.tune(options)
      if let product = deployment.product, let policy = result.policy {
        result.configuration = try gate.configuration(of: policy, for: product, at: loading.target)
      }
    } catch {
      throw Failure.report(error)
    }
    let title = gate.scenario.name
    show(result.configuration, or: Self.text(result, asked: whatIf.count, width: Console.width))
    try finish(result, TuneReport(result, title: title).document.html, title, result.configuration)
    try await deploy(result.policy, result.configuration, gate, loading)
  }

  /// The real requests of an access log.
  private func tune(_ file: String, _ gate: Gate?, _ tuning: TuneOptions, _ loading: RunOptions) async throws {
    var result: LogTuneResult
    do {
      var options = try log.options(file)
      (options.questions, options.limiter) = (tuning.questions, tuning.limiter)
      if let key = tuning.key { options.key = key }
      try gate?.select(operation, limit: limit, at: loading.target, in: &options)
      result = try options.tune()
      if let product = deployment.product, let policy = result.policy {
        result.configuration =
          try gate?.configuration(of: policy, for: product, at: loading.target)
          ?? product.configuration(LimiterSettings(policy, routes: []))
      }
    } catch {
      throw Failure.report(error)
    }
    let document = LogTuneReport(result).document
    show(result.configuration, or: document.terminal(width: Console.width))
    try finish(result, document.html, gate?.scenario.name ?? "log", result.configuration)
    if let gate { try await deploy(result.policy, result.configuration, gate, loading) }
  }

  /// Writes the files of a result.
  private func finish(_ result: some Encodable, _ page: String, _ title: String, _ configuration: String?) throws {
    try output.write(result)
    guard report != nil || whatIf.isEmpty else { return }
    var folder = ReportFolder(path: report, scenario: title + " tune")
    do {
      say("\nReport: \(try folder.write(result, page: page, as: "tune"))", beside: configuration)
    } catch {
      throw Failure.report(error)
    }
  }

  /// The configuration alone is on standard output, so that a shell can write it to a file.
  private func show(_ configuration: String?, or text: String) {
    say(text, beside: configuration)
    guard let configuration, deployment.apply == nil, output.form == .text else { return }
    Console.printMasked(configuration)
  }

  private func say(_ text: String, beside configuration: String?) {
    guard output.form == .text else { return }
    if configuration == nil { Console.print(text) } else { Console.error(text) }
  }

  private func deploy(
    _ policy: LimitPolicy?, _ configuration: String?, _ gate: Gate, _ loading: RunOptions
  ) async throws {
    guard let policy, let configuration else { return }
    let measured: LimitsResult
    do {
      guard let found = try await deployment.deploy(policy, configuration, gate, loading) else { return }
      measured = found
    } catch {
      throw Failure.report(error)
    }
    for limit in LimitsVerb.page(measured).limits {
      Console.printMasked(limit.document(isVerbose: false).terminal(width: Console.width) + "\n")
    }
    Console.printMasked(measured.verdict.word + "\n")
    throw measured.verdict.exitStatus
  }

  private func options() throws -> TuneOptions {
    var options = TuneOptions()
    do throws(WhatIf.Mistake) {
      for text in whatIf { options.questions.append(try WhatIf(text)) }
    } catch {
      throw GateError.usage(error.description)
    }
    options.limit = limit
    options.operations = operation
    options.sessions = sessions ?? 6000
    options.seed = seed ?? 1
    options.sharing = try AddressSharing(parsing: sharing ?? "usual")
    try deployment.apply(to: &options)
    return options
  }

  /// The demand and the responses to questions, in sentences; without questions the whole result.
  static func text(_ result: TuneResult, asked: Int, width: Int) -> String {
    let sentences =
      asked == 0
      ? result.sentences + result.faults : result.sentences.prefix(1) + result.outcomes.suffix(asked).map(\.sentence)
    return sentences.flatMap { TerminalText.hang("", $0, indent: 0, to: width) }.joined(separator: "\n")
  }
}

extension AddressSharing {
  /// `usual`, `none`, or rows of share and users: `85%=1,14.6%=2..5,0.4%=40..200`.
  init(parsing text: String) throws(GateError) {
    switch text {
    case "usual": self = .usual
    case "none": self = .none
    default:
      var rows: [Row] = []
      for word in text.split(separator: ",") {
        let sides = word.split(separator: "=").map { $0.trimmingPrefix { $0 == " " } }
        guard sides.count == 2, let share = Self.share(String(sides[0])), let users = Self.users(String(sides[1]))
        else {
          throw .usage(
            """
            --sharing "\(text)": "\(word)" is not valid; expected a percentage of addresses and the number of users of \
            each address, such as 85%=1 or 0.4%=40..200.
            """
          )
        }
        rows.append(Row(share: share, users: users))
      }
      self.init(rows)
    }
  }

  private static func share(_ text: String) -> Double? {
    let number = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard let value = Quantity.number(number), value > 0 else { return nil }
    return value
  }

  private static func users(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap { Int($0) }
    switch ends.count {
    case 1 where ends[0] > 0 && Int(text) != nil: return ends[0]...ends[0]
    case 2 where ends[0] > 0 && ends[0] <= ends[1]: return ends[0]...ends[1]
    default: return nil
    }
  }
}
