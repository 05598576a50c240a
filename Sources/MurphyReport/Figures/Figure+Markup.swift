extension Figure {
  /// The number with its unit small beside it and a narrow no-break space between them (SI Brochure, 5.4.3).
  package var markup: Markup {
    if unit.isEmpty { return .text(number) }
    let apart = unit.hasPrefix("/") ? "" : "\u{202F}"
    return .group([.text(number + apart), element(.span, .class("unit"), text: unit)])
  }
}
