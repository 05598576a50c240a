import MurphyModel

/// What became of an operation's requests, as a bar.
struct OutcomeBar {
  let ends: [RequestEnd]

  var markup: Markup {
    let parts = ends.filter { $0.count > 0 }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .nothing }
    return element(.span, .class("outcomes"), .decorative) {
      for part in parts {
        element(.i, .class(part.style), .width(percent: max(Double(part.count) * 100 / Double(total), 0.8)))
      }
    }
  }
}
