import MurphyModel

/// One figure of what became of an operation's requests.
package struct RequestEnd: Sendable, Hashable {
  package var name: String
  /// The stylesheet's class.
  package var style: String
  package var count: Int
  /// What of it has another name.
  package var note: String?
}

extension OperationResult {
  /// Six figures that add up to the requests sent; nil for results of versions that did not count them so.
  package var shownEnds: [RequestEnd]? { ends?.shown }

  /// `281 of 307 answers violate`; nil where no violating answer was counted.
  var violationText: String? {
    if let ends, ends.violating > 0 { return Self.text(ends.violating, of: ends.answers) }
    if let conformance, conformance.violating > 0 { return Self.text(conformance.violating, of: conformance.answers) }
    return nil
  }

  private static func text(_ violating: Int, of answers: Int) -> String {
    "\(Figure.count(violating).text) of \(counted(answers, "answer")) \(violating == 1 ? "violates" : "violate")"
  }
}

extension RequestEnds {
  package var shown: [RequestEnd] {
    [
      RequestEnd(name: "ok", style: "ok", count: ok),
      RequestEnd(name: "violating", style: "server", count: violating),
      RequestEnd(name: "unchecked", style: "unchecked", count: unchecked),
      RequestEnd(name: "refused", style: "limited", count: refused),
      RequestEnd(name: "errors", style: "client", count: errors),
      RequestEnd(
        name: "unanswered", style: "lost", count: unanswered + cancelled,
        note: cancelled == 0 ? nil : "\(Figure.count(cancelled).text) cancelled"),
    ]
  }
}

extension RunResult {
  /// The sum over all operations; nil where one was not counted so.
  package var allEnds: RequestEnds? {
    var sum = RequestEnds()
    for operation in operations {
      guard let ends = operation.ends else { return nil }
      sum += ends
    }
    return sum
  }
}
