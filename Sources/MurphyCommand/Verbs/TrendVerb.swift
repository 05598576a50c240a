import ArgumentParser
import Foundation
import Murphy

struct TrendVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend", abstract: "Charts operations over many stored results and marks changes.",
    discussion: """
      Example: murphy trend reports/ --report reports/trend. A folder means all results in it. The exit status is \
      always 0: for a verdict use murphy compare or murphy run --baseline.
      """)

  @Argument(help: "Result files, report folders, or folders of them.") var results: [String]
  @Option(help: "Only this scenario (repeatable).") var scenario: [String] = []
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
    Console.printMasked(TrendReport(trend).document.terminal(width: Console.width, page: page))
  }
}
