import ArgumentParser
import Foundation
import Murphy

struct TrendVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend", abstract: "Draws operations over many stored results, and where their levels changed.",
    discussion: """
      Example: murphy trend reports/ --report reports/trend. A folder stands for all results in it. The status is 0 \
      whatever the page shows: murphy compare and murphy run --baseline judge.
      """)

  @Argument(help: "Result files, report folders, or folders of them.") var results: [String]
  @Option(help: "Only this scenario; may be repeated.") var scenario: [String] = []
  @Option(help: "Folder for trend.html and trend.json; by default reports/<time>-trend.") var report: String?
  @OptionGroup(title: "Output") var output: OutputArguments

  func run() throws {
    output.warn()
    let (trend, page): (TrendResult, String)
    var folder = ReportFolder(path: report, scenario: "trend")
    do {
      var runs = try StoredResults.read(results)
      if !scenario.isEmpty {
        let known = Set(runs.map(\.result.run.scenario))
        if let missing = scenario.first(where: { !known.contains($0) }) {
          throw GateError.usage("no result is of the scenario \"\(missing)\".\(didYouMean(missing, among: known))")
        }
        runs.removeAll { !scenario.contains($0.result.run.scenario) }
      }
      trend = Trend.of(runs)
      page = try folder.write(trend, page: TrendReport(trend).document.html, as: "trend")
    } catch {
      throw Failure.report(error, as: .usage)
    }
    try output.write(trend)
    guard output.form == .text else { return }
    let lines = TrendReport.sentences(trend).flatMap { TerminalText.hang("", $0, indent: 0, to: Console.width) }
    Console.print((lines + ["", "Report: \(page)"]).joined(separator: "\n"))
  }
}
