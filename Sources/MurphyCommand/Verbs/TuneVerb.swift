import ArgumentParser
import Foundation
import Murphy

struct TuneVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune", abstract: "Simulates rate-limit policies and recommends a policy, without sending requests.",
    discussion: """
      Murphy generates legitimate sessions from the scenario, and lets users share addresses as in homes, offices and \
      mobile networks. Then it tests every rate-limit policy on the same requests.

      Example: murphy tune gate.yaml --what-if "30/60s key=address"
      """)

  @Argument(help: "The scenario file.", completion: Candidates.documents) var scenario: String
  @Option(
    help: """
      Evaluate one rate-limit policy, such as "30/60s key=address" or "4/s burst=20 key=X-Device-ID" \
      (repeatable).
      """)
  var whatIf: [String] = []
  @Option(help: "The name of the rate limit to tune. The default is the limit that counts the most calls of sessions.")
  var limit: String?
  @Option(
    help: "Tune a rate limit for the operations with these operationIds, instead of a declared limit (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Option(help: "The number of legitimate sessions that murphy simulates.") var sessions = 6000
  @Option(
    help: """
      The number of users that share an address: usual, none, or a table such as \
      "85%=1,14.6%=2..5,0.4%=40..200".
      """)
  var sharing = "usual"
  @Option(help: "The seed of all random values (a number).") var seed: UInt64 = 1
  @OptionGroup(title: "Output") var output: OutputArguments
  @Option(help: "The folder for tune.html and tune.json. The default is reports/<time>-<scenario>-tune.") var report:
    String?

  @OptionGroup(title: "Environment") var environment: EnvironmentArguments

  func validate() throws {
    try Self.check("--sessions", sessions, in: 100...200_000)
  }

  func run() async throws {
    output.warn()
    let gate: Gate
    let result: TuneResult
    do {
      let options = try self.options()
      var loading = RunOptions()
      loading.environment = ProcessInfo.processInfo.environment
      gate = try await Gate.open(scenario, loading, isQuiet: true)
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
            "--sharing \"\(text)\": \"\(word)\" is not valid; expected a share of addresses and the users behind each, such as 85%=1 or 0.4%=40..200."
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
