import ArgumentParser
import Murphy
import MurphyExamples

/// `murphy`: one file for each verb under `Verbs`.
@main struct MurphyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "murphy",
    abstract:
      """
      Replays user sessions against an HTTP API, checks every response, and decides whether a release can be \
      deployed.
      """,
    discussion: """
      The last line of the output is the verdict: PASS, FAIL, INVALID or NO DATA. PASS means that every check passed. \
      FAIL means that a check failed. INVALID means that murphy was the bottleneck, or that the run ended early. NO \
      DATA means that murphy had too little data to decide a check.

      The exit status is 0 for PASS, 1 for FAIL, 4 for INVALID and 5 for NO DATA. The exit status is 2 for invalid \
      options or an invalid input file. The exit status is 3 if murphy cannot reach the target.
      """,
    version: Version.lines,
    groupedSubcommands: groups)

  /// Every verb. A new one is a file under `Verbs`, and a line here.
  private static var groups: [CommandGroup] {
    [
      CommandGroup(name: "Write a scenario", subcommands: [InitVerb.self, ImportVerb.self, RecordVerb.self]),
      CommandGroup(
        name: "Test an API",
        subcommands: [TryVerb.self, RunVerb.self, ExploreVerb.self, LimitsVerb.self, CapacityVerb.self]),
      CommandGroup(
        name: "Analyse results",
        subcommands: [ReportVerb.self, CompareVerb.self, TrendVerb.self, TuneVerb.self, MergeVerb.self]),
      CommandGroup(
        name: "Tools",
        subcommands: [
          CheckVerb.self,
          SchemaVerb.self,
          JSONPathVerb.self,
          ServeVerb.self,
          SelfcheckVerb.self,
          CompletionsVerb.self,
        ]),
    ]
  }

  static var verbs: [any ParsableCommand.Type] { groups.flatMap(\.subcommands) }

  /// The verbs with a verdict on the last line.
  private static var judging: [any ParsableCommand.Type] {
    [
      ExploreVerb.self, RunVerb.self, MergeVerb.self, TryVerb.self, LimitsVerb.self, CompareVerb.self,
      SelfcheckVerb.self, CapacityVerb.self,
    ]
  }

  /// `--live` takes an optional port, which ArgumentParser does not support: `--live=PORT` is read as
  /// `--live-port=PORT`, and `--http-debug=N` and `--bundle=FILE` likewise. `murphy version` is `murphy --version`.
  private static var arguments: [String] {
    let given = CommandLine.arguments.dropFirst()
    if given == ["version"] { return ["--version"] }
    let values = [
      "--live=": "--live-port=", "--otlp=": "--otlp-port=", "--http-debug=": "--http-debug-count=",
      "--bundle=": "--bundle-file=",
    ]
    return given.map { argument in
      for (flag, option) in values where argument.hasPrefix(flag) { return option + argument.dropFirst(flag.count) }
      return argument
    }
  }

  /// - Throws: `GateError.usage` if the first word is not a verb.
  private static func checkVerb(_ arguments: [String]) throws(GateError) {
    guard let word = arguments.first, !word.hasPrefix("-") else { return }
    let names = verbs.map { $0._commandName } + ["help"]
    guard !names.contains(word) else { return }
    throw .usage("unknown command \"\(word)\".\(didYouMean(word, among: names)) `murphy --help` lists all commands.")
  }

  /// The output of `murphy` without arguments.
  func run() async throws {
    Console.print(
      """
      murphy replays user sessions against an HTTP API, checks every response, and gives a verdict on the release.
        murphy init --target URL      finds the OpenAPI document, measures latencies and writes scenario.yaml
        murphy run scenario.yaml      sends the load, and ends with PASS, FAIL, INVALID or NO DATA
        murphy explore --target URL   sends valid and invalid requests; it changes data, so use a test system
      `murphy --help` lists all commands. `murphy init --help` lists the options of `init`.
      """)
  }

  /// ArgumentParser exits with 64 (EX_USAGE) for wrong usage; murphy documents 2.
  static func main() async {
    ReferenceAPI.register(ReferenceAPI.examples)
    Console.ignoreBrokenPipes()
    Console.hideCredentials(in: CommandLine.arguments)
    do {
      do { try ThreadCheck.run() } catch { throw Failure.report(error) }
      let arguments = arguments
      do { try checkVerb(arguments) } catch { throw Failure.report(error) }
      var command = try parseAsRoot(arguments)
      CrashGuard(isJudging: judging.contains { $0 == type(of: command) }).arm()
      if var verb = command as? any AsyncParsableCommand {
        try await verb.run()
      } else {
        try command.run()
      }
    } catch let status as ExitStatus {
      Console.exit(status)
    } catch {
      let code = exitCode(for: error)
      if code == .validationFailure {
        Console.error(fullMessage(for: error))
        Console.exit(.usage)
      }
      if code == .success { Console.print(fullMessage(for: error)) } else { Console.error(fullMessage(for: error)) }
      Console.exit(code == .success ? .pass : .usage)
    }
    Console.exit(.pass)
  }
}

struct CompletionsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Prints a script that completes murphy commands in a shell.",
    discussion: """
      To install the script for bash: murphy completions bash > /etc/bash_completion.d/murphy
      To install the script for zsh: murphy completions zsh > /usr/share/zsh/vendor-completions/_murphy
      To install the script for fish: murphy completions fish > ~/.config/fish/completions/murphy.fish
      """)

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell

  func run() {
    let script =
      switch shell {
      case .bash: MurphyCommand.completionScript(for: .bash)
      case .zsh: MurphyCommand.completionScript(for: .zsh)
      case .fish: MurphyCommand.completionScript(for: .fish)
      }
    Console.printRaw(script + "\n")
  }
}
