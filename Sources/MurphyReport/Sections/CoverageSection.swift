import MurphyModel

/// The covered and the uncovered elements of the contract.
struct CoverageSection: ReportSection {
  static let id = "coverage"
  static let title = "Contract coverage"
  static let entry = "Coverage"

  let result: RunResult

  /// Further names are counted, not listed.
  private static let namesShown = 80

  var blocks: [Block] {
    let coverage = result.coverage
    if !coverage.items.isEmpty {
      Block.lead(sentence(coverage))
      element(.div, .class("coverage")) {
        for (operation, items) in coverage.items.grouped(by: \.operation) { block(operation, items) }
      }
    }
  }

  private func sentence(_ coverage: Coverage) -> String {
    let share = Figure.percent(coverage.seen, of: coverage.items.count).text
    let gate = coverage.required.map { ", \(Figure.percentage($0, 2).text) required" } ?? ""
    return
      "\(coverage.seen.text) of \(coverage.items.count.text) contract elements were exercised (\(share)\(gate)). The "
      + "run did not test the other elements. For properties, enum values and schema branches, murphy counts only a "
      + "sample of the responses."
  }

  private func block(_ name: String, _ items: [CoverageItem]) -> Markup {
    let seen = items.count { $0.count > 0 }
    return element(.details) {
      element(.summary) {
        element(.span, .class("name"), text: name.isEmpty ? "the API" : name)
        element(.span, .class("gauge plain"), .decorative) {
          element(.i, .width(percent: Double(seen) * 100 / Double(items.count)))
        }
        element(.span, .class("share"), text: "\(seen) of \(items.count)")
      }
      for (kind, items) in items.grouped(by: \.kind) { line(kind, items) }
    }
  }

  private func line(_ kind: String, _ items: [CoverageItem]) -> Markup {
    element(.div, .class("kind")) {
      element(.h3, text: Self.words(kind))
      element(.ul) {
        for item in items.prefix(Self.namesShown) {
          element(.li, .class(item.count > 0 ? "kept" : "never")) {
            element(.span, .class("sign"), .decorative, text: item.count > 0 ? "✓" : "○")
            element(.code, text: item.name)
            element(.small, text: item.count > 0 ? "× \(item.count.text)" : "not exercised")
          }
        }
        if items.count > Self.namesShown {
          element(.li, .class("cut"), text: "and \(counted(items.count - Self.namesShown, "more", "more"))")
        }
      }
    }
  }

  private static func words(_ kind: String) -> String {
    switch kind {
    case "operation": "operation"
    case "status": "statuses"
    case "media-type": "media types"
    case "header": "headers"
    case "branch": "branches"
    case "enum": "enum values"
    case "property": "properties"
    default: kind
    }
  }
}
