import MurphyModel

/// What was asked for and how it came out: in full what is not kept, compact what is.
struct PromisesSection: ReportSection {
  static let id = "promises"
  static let title = "Promises"

  let result: RunResult

  /// More kept promises than this are folded away.
  private static let keptShown = 24

  var content: Markup? {
    let promises = result.promises
    let kept = promises.filter { $0.outcome == .kept }
    let untested = promises.filter { $0.outcome == .untested }
    let others = promises.filter { $0.outcome != .kept && $0.outcome != .untested }.sorted {
      Self.rank($0) < Self.rank($1)
    }
    return .group([
      others.isEmpty ? .nothing : list(others, style: "open"),
      kept.isEmpty ? .nothing : keptList(kept),
      untested.isEmpty ? .nothing : untestedList(untested),
    ])
  }

  private func keptList(_ kept: [Promise]) -> Markup {
    if kept.count <= Self.keptShown { return list(kept, style: "kept") }
    return element(.details) {
      element(.summary, text: "\(counted(kept.count, "promise")) kept")
      list(kept, style: "kept")
    }
  }

  private func untestedList(_ untested: [Promise]) -> Markup {
    element(.details, .class("numbers")) {
      element(.summary, text: "\(counted(untested.count, "promise")) not asked for, and not tested")
      list(untested, style: "kept")
    }
  }

  private func list(_ promises: [Promise], style: String) -> Markup {
    element(.ul, .class("promises \(style)")) {
      for promise in promises {
        element(.li) {
          Badge.of(promise.outcome)
          element(.span, .class("what")) {
            element(.strong, text: promise.name)
            " "
            element(.span, .class("seen"), text: promise.sentence)
          }
        }
      }
    }
  }

  private static func rank(_ promise: Promise) -> Int {
    switch promise.outcome {
    case .broken: 0
    case .doubtful: 1
    case .noData: 2
    case .unchecked: 3
    case .kept, .untested: 4
    }
  }
}
