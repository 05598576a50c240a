import MurphyModel

/// What an exploration tried of each operation, and what it did not.
struct ExploredSection: ReportSection {
  static let id = "explored"
  static let title = "What was tried"
  static let entry = "Tried"

  let result: RunResult

  var content: Markup? {
    guard let explored = result.explored else { return nil }
    return .group([
      lead(
        "Each constraint of the contract at its edge (positive) and just beyond it (negative), calls by others (auth), the "
          + "life of each thing (state), and several trials at once (pairs, random). Plain is the status of the plainest "
          + "request; where that did not succeed, rejections prove little."),
      ReportTable.explored(explored).markup,
      .group(explored.notes.map { element(.p, text: $0) }),
    ])
  }
}
