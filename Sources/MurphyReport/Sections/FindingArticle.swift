import MurphyModel

/// One finding: what, where, how often, at which load, and the exchange that proves it.
struct FindingArticle {
  let finding: Finding
  /// In the order of the page, from 1.
  let number: Int
  let unfolded: Bool
  /// Its details that no finding before it has told.
  let details: [String]
  /// The finding that has told some of its details.
  let sibling: Int?
  /// The promises that it breaks, by their numbers.
  let breaks: [(number: Int, name: String)]
  /// The stages of the run's load.
  let stages: [LoadStage]

  /// The element that a link to a finding leads to.
  static func anchor(_ number: Int) -> String { "finding-\(number)" }

  var markup: Markup {
    element(.article, .class("finding \(finding.severity.rawValue)"), .id(Self.anchor(number))) {
      element(.p, .class("what")) {
        element(.span, .class("number"), text: "\(number)")
        Badge.of(finding.severity)
        element(.code, text: finding.kind.rawValue)
        if let operation = finding.operation { element(.span, .class("name"), text: operation) }
      }
      element(.h4, text: finding.message)
      element(.div, .class("when")) {
        hasMoment ? finding.occurrence : ""
        if let threshold = finding.loadThreshold {
          " · "
          element(.strong, text: threshold)
        }
        for (index, promise) in breaks.enumerated() {
          index == 0 && !hasMoment ? "breaks " : " · breaks "
          element(.a, .anchor(Promise.anchor(promise.number)), text: promise.name)
        }
      }
      if !details.isEmpty || sibling != nil {
        element(.ul, .class("details")) {
          for line in details.prefix(Self.detailsShown) { element(.li, text: line) }
          if let sibling {
            element(.li) {
              "more as at finding "
              element(.a, .anchor(Self.anchor(sibling)), text: "\(sibling)")
            }
          }
        }
      }
      if details.count > Self.detailsShown {
        element(.details) {
          element(.summary, text: counted(details.count - Self.detailsShown, "more line"))
          element(.ul, .class("details")) {
            for line in details.dropFirst(Self.detailsShown).prefix(24) { element(.li, text: line) }
          }
        }
      }
      LoadDrift(finding: finding, stages: stages).markup
      EvidenceView(
        evidence: finding.evidence ?? Evidence(), fingerprint: finding.fingerprint, unfolded: unfolded, number: number
      ).markup
    }
  }

  private static let detailsShown = 5

  /// A budget and a promise on the traffic are of the whole run.
  private var hasMoment: Bool { finding.group != .budget && finding.group != .traffic }
}
