import MurphyModel

extension Conformance {
  /// `41 of 41 answers unchecked (…)`, `330 answers checked, 41 unchecked (…)`
  package var uncheckedText: String {
    let open = Figure.count(uncheckedTotal).text
    if uncheckedTotal == answers { return "\(open) of \(counted(answers, "answer")) unchecked (\(reasons))" }
    return "\(counted(answers - uncheckedTotal, "answer")) checked, \(open) unchecked (\(reasons))"
  }

  /// The reasons; with their counts when there are several, at most three of them.
  private var reasons: String {
    if unchecked.count == 1 { return unchecked[0].reason }
    let shown = unchecked.prefix(3).map { "\(Figure.count($0.count).text) × \($0.reason)" }.joined(separator: "; ")
    return unchecked.count > 3 ? shown + "; and \(counted(unchecked.count - 3, "more reason"))" : shown
  }
}
