import ArgumentParser
import Foundation
import Murphy

/// `murphy tune SCENARIO`: what-if for rate limits. Nothing is sent.
struct TuneVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune", abstract: "Which rate limit throttles whom, and what it lets an abuser do; nothing is sent.",
    discussion: """
      Draws honest sessions from the scenario, lets them share addresses as homes, offices and carriers do, and tries \
      every policy on the same demand. Example: murphy tune gate.yaml --what-if "30/60s key=address"
      """)

  @Argument(help: "A scenario file.", completion: Candidates.documents) var scenario: String
  @Option(help: "Answer for one policy: \"30/60s key=address\", \"4/s burst=20 key=X-Device-ID\". May be repeated.")
  var whatIf: [String] = []
  @Option(help: "The limit to tune, by its name; by default the one that sessions call most.") var limit: String?
  @Option(
    help: "Tune these operations together instead of a limit's; may be repeated.", completion: Candidates.operations)
  var operation: [String] = []
  @Option(help: "Honest sessions to draw.") var sessions = 6000
  @Option(help: "How users share addresses: usual, none, or a table such as \"85%=1,14.6%=2..5,0.4%=40..200\".")
  var sharing = "usual"
  @Option(help: "The seed of all draws.") var seed: UInt64 = 1
  @OptionGroup(title: "Output") var output: OutputArguments
  @Option(help: "Folder for tune.html and tune.json; by default reports/<time>-<scenario>-tune.") var report: String?

  @OptionGroup(title: "Environment") var environment: EnvironmentArguments

  func validate() throws {
    if !(100...200_000 ~= sessions) {
      throw ValidationError("--sessions takes a number from 100 to 200000, found \(sessions).")
    }
  }

  func run() async throws {
    output.warn()
    let gate: Gate
    let result: TuneResult
    do {
      let options = try self.options()
      var loading = RunOptions()
      loading.environment = ProcessInfo.processInfo.environment
      gate = try await Gate.load(scenario, options: loading)
      Console.hide(gate.mask(environment: loading.environment))
      result = try gate.tune(options)
    } catch {
      throw Failure.report(error)
    }
    if output.form == .text { Console.print(Self.text(result, asked: whatIf.count, width: Console.width)) }
    try output.write(result)
    guard report != nil || whatIf.isEmpty else { return }
    var folder = ReportFolder(path: report, scenario: gate.scenario.name + " tune")
    do {
      let page = try folder.write(result, page: TuneReport(result, title: gate.scenario.name).document.html, as: "tune")
      if output.form == .text { Console.print("\nReport: \(page)") }
    } catch {
      throw Failure.report(error)
    }
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
    options.sessions = sessions
    options.seed = seed
    options.sharing = try AddressSharing(parsing: sharing)
    return options
  }

  /// Sentences: the demand and the answers when something was asked, else all that was found.
  static func text(_ result: TuneResult, asked: Int, width: Int) -> String {
    let sentences =
      asked == 0
      ? result.sentences + result.faults : result.sentences.prefix(1) + result.answers.suffix(asked).map(\.sentence)
    return sentences.flatMap { TerminalText.hang("", $0, indent: 0, to: width) }.joined(separator: "\n")
  }
}
