import MurphyCapacity
import MurphyModel

/// A search as a terminal shows it: a row for each window, what was found, and the last word.
package struct CapacityText {
  private let result: CapacityResult
  private let width: Int

  /// - Parameter width: columns of the terminal.
  package init(_ result: CapacityResult, width: Int = 80) {
    (self.result, self.width) = (result, max(width, 40))
  }

  package var text: String {
    let facts =
      "\(result.target), windows of \(Figure.seconds(result.window).text), seed \(result.seed), "
      + "\(Figure.seconds(result.duration).text) in all"
    return TerminalText.joined(
      [
        [result.scenario, facts].flatMap { TerminalText.hang("", $0, indent: 0, to: width) },
        ReportTable.windows(result).lines(width: width),
        result.reasons.flatMap { TerminalText.hang("- ", $0, indent: 2, to: width) },
      ], result.verdict)
  }

  /// A window in a line, as progress shows it.
  package static func line(_ step: CapacityStep, of result: CapacityResult) -> String {
    let cause = step.causes.first.map { ": " + $0.sentence } ?? ""
    return "\(step.purpose.rawValue) \(result.text(step.load))  \(step.outcome.word)\(cause)"
  }
}
