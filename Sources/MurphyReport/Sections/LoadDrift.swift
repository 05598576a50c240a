import MurphyModel

/// How often a finding came at each stage of the load, where that differs: a bar per stage.
struct LoadDrift {
  let finding: Finding
  /// The run's stages.
  let stages: [LoadStage]

  var markup: Markup {
    let occurrences = finding.load.filter { $0.requests > 0 && stages.indices.contains($0.stage) }
    let (lowest, highest) = (occurrences.map(share).min() ?? 0, occurrences.map(share).max() ?? 0)
    // As often at every load: its count says that.
    guard occurrences.count > 1, highest > 1.25 * lowest else { return .nothing }
    return element(.div, .class("drift"), Attribute("role", "img"), .label("How often it came at each load")) {
      for stage in occurrences.prefix(24) { line(stage, highest) }
    }
  }

  private func share(_ stage: LoadOccurrence) -> Double { Double(stage.occurrences) / Double(stage.requests) }

  /// A share only where each request can show the finding once.
  private func amount(_ stage: LoadOccurrence) -> String {
    let requests = counted(stage.requests, "request")
    return stage.occurrences > stage.requests
      ? "\(Figure.count(stage.occurrences).text) times in \(requests)"
      : "\(Figure.percent(stage.occurrences, of: stage.requests).text) of \(requests)"
  }

  private func line(_ stage: LoadOccurrence, _ highest: Double) -> Markup {
    element(.div) {
      element(.span, .class("stage"), text: stages[stage.stage].text)
      element(.span, .class("gauge broken"), .decorative) {
        element(.i, .width(percent: highest > 0 ? share(stage) * 100 / highest : 0))
      }
      element(
        .span, .class("share"),
        text: "\(amount(stage)) at \(Figure.rate(stage.rate).text)"
      )
    }
  }
}
