import MurphyModel

/// One finding: what, where, how often, at which load, and the exchange that proves it.
struct FindingArticle {
  let finding: Finding
  let index: Int
  let unfolded: Bool

  var markup: Markup {
    element(.article, .class("finding \(finding.severity.rawValue)"), .id("finding-\(index + 1)")) {
      element(.p, .class("what")) {
        Badge.of(finding.severity)
        element(.code, text: finding.kind)
        if let operation = finding.operation { element(.span, .class("name"), text: operation) }
      }
      element(.h3, text: finding.message)
      element(.p, .class("when")) {
        finding.occurrence
        if let threshold = finding.loadThreshold {
          " · "
          element(.strong, text: threshold)
        }
      }
      if !finding.details.isEmpty {
        element(.ul, .class("details")) { for line in finding.details.prefix(12) { element(.li, text: line) } }
      }
      LoadDrift(finding: finding).markup
      if let evidence = finding.evidence {
        EvidenceView(evidence: evidence, unfolded: unfolded, number: index + 1).markup
      }
      element(.p, .class("fingerprint")) {
        "fingerprint "
        element(.code, text: finding.fingerprint)
      }
    }
  }
}
