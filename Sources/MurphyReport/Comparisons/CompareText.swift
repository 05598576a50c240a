import MurphyCompare
import MurphyModel

/// A comparison as a terminal shows it: a table, what else changed, the reasons and the last word.
package struct CompareText {
  private let result: CompareResult
  private let page: String?
  private let width: Int

  /// - Parameters:
  ///   - page: the file that shows the same in a browser; nil where there is none.
  ///   - width: columns of the terminal.
  package init(_ result: CompareResult, page: String? = nil, width: Int = 80) {
    (self.result, self.page, self.width) = (result, page, max(width, 40))
  }

  package var text: String {
    let parts = [
      head, CompareTables(result: result).terminal.lines(width: width), findings,
      listed("coverage lost: \(result.coverageLost.count)", result.coverageLost.map(\.lossText)),
      listed("limits changed:", result.limitsChanged.map(\.text)),
      result.reasons.flatMap { TerminalText.hang("- ", $0, indent: 2, to: width) },
      page.map { ["Report: \(TerminalText.safe($0))"] } ?? [],
    ]
    return TerminalText.joined(parts, result.verdict)
  }

  private var head: [String] {
    func side(_ name: String, _ side: CompareSide) -> [String] {
      let sent = "(\(counted(side.requests, "request")), \(counted(side.sessions, "session")))"
      return TerminalText.hang(name, "\(side.shown) \(sent)", indent: 11, to: width)
    }
    let design = result.design.map { design in
      "\(counted(design.groups.count, "group")) of \(counted(2 * (design.groups.first?.blocks.count ?? 0), "slice")) of "
        + "\(Figure.seconds(design.slice).text), "
        + "\(design.restarts ? "both targets started again for each" : "targets not started anew"); coins "
        + "\(design.coins), seed \(design.seed), \(Figure.seconds(design.duration).text) in all"
    }
    return wrapped(result.scenario) + side("base       ", result.base) + side("candidate  ", result.candidate)
      + (design.map(wrapped) ?? [])
  }

  private static let linesShown = 10

  private var findings: [String] {
    let changes = result.findings
    return [("new", changes.new), ("gone", changes.gone), ("still there", changes.still)].flatMap { title, list in
      let more = list.count - Self.linesShown
      return (list.isEmpty ? [] : ["findings \(title): \(list.count)"])
        + list.prefix(Self.linesShown).flatMap(lines) + (more > 0 ? ["  and \(more) more"] : [])
    }
  }

  /// A command is not wrapped: it is to be pasted.
  private func lines(_ change: FindingChange) -> [String] {
    indented("\(change.severity.rawValue): \(change.sentence)")
      + [change.reproduction.map { "    reproduce: \(TerminalText.safe($0.text))" }].compactMap(\.self)
  }

  private func listed(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [title] + lines.first(Self.linesShown).flatMap(indented)
  }

  private func wrapped(_ text: String) -> [String] { TerminalText.hang("", text, indent: 0, to: width) }
  private func indented(_ text: String) -> [String] { TerminalText.hang("  ", text, indent: 2, to: width) }
}
