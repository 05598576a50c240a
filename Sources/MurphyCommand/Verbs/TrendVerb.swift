import ArgumentParser
import Foundation
import Murphy

struct TrendVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Draws charts of the latencies and errors in many stored results, and marks each lasting change.",
    discussion: """
      If an argument is a folder, murphy reads all results in the folder, for example the folder of murphy run \
      --baseline. Murphy leaves out other files in the folder, and lists them. The exit status is 0, or 2 if murphy \
      cannot read a named file or finds no result. For a verdict whether an API became slower, use murphy compare or \
      murphy run --baseline.

      Example: murphy trend reports/ --report reports/trend
      """)

  @Argument(help: "Result files, report folders, or folders that contain report folders.") var results: [String]
  @Option(help: "Read only the results of the scenario with this name (repeatable).") var scenario: [String] = []
  @Option(help: "The folder for trend.html and trend.json. The default folder is reports/<time>-trend.")
  var report: String?
  @OptionGroup(title: "Output") var output: OutputArguments

  func run() throws {
    output.warn()
    var trend: TrendResult
    let page: String
    var folder = ReportFolder(path: report, scenario: "trend")
    do {
      var (runs, unreadable) = try StoredResults.gather(results)
      if !scenario.isEmpty {
        let known = Set(runs.map(\.result.run.scenario))
        if let missing = scenario.first(where: { !known.contains($0) }) {
          throw GateError.usage("no result belongs to the scenario \"\(missing)\".\(didYouMean(missing, among: known))")
        }
        runs.removeAll { !scenario.contains($0.result.run.scenario) }
      }
      trend = Trend.of(runs)
      if !unreadable.isEmpty { trend.unreadable = unreadable.map { .init(file: $0.path, detail: $0.reason) } }
      page = try folder.write(trend, page: TrendReport(trend).document.html, as: "trend")
    } catch {
      throw Failure.report(error, as: .usage)
    }
    try output.write(trend)
    guard output.form == .text else { return }
    Console.printMasked(TrendReport(trend).document.terminal(width: Console.width, page: page))
  }
}
