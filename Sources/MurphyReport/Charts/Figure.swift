/// A number for people: rounded to what matters, with its unit.
package struct Figure: Sendable, Hashable {
  package var number: String
  /// Empty for a plain count.
  package var unit: String

  package init(_ number: String, _ unit: String = "") {
    self.number = number
    self.unit = unit
  }

  /// `12.4 ms`, with a plain space, for terminals and plain text.
  package var text: String {
    unit.isEmpty ? number : unit == "%" || unit.hasPrefix("/") ? number + unit : number + " " + unit
  }
}

extension Figure {
  /// The number with its unit small beside it and a narrow no-break space between them (SI Brochure, 5.4.3).
  package var markup: Markup {
    if unit.isEmpty { return .text(number) }
    let apart = unit.hasPrefix("/") ? "" : "\u{202F}"
    return .group([.text(number + apart), element(.span, .class("unit"), text: unit)])
  }
}
