/// A piece of an HTML, SVG or XML document.
///
/// Escaping is by construction: text and attribute values are escaped when the document is written, tags and
/// attribute names come from this module, and the only unescaped content is a literal of the source code.
package indirect enum Markup: Sendable {
  case text(String)
  case element(Tag, [Attribute], Markup)
  case group([Markup])
  /// The content of a `style` or `script` element, which HTML reads without escapes.
  case literal(StaticString)

  package static let nothing = Markup.group([])

  package var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .group(let parts): parts.allSatisfy(\.isEmpty)
    case .element, .literal: false
    }
  }
}

/// An element with its attributes and content.
package func element(
  _ tag: Tag, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup = { .nothing }
) -> Markup {
  .element(tag, attributes, content())
}

/// An element that holds text alone.
package func element(_ tag: Tag, _ attributes: Attribute..., text: String) -> Markup {
  .element(tag, attributes, .text(text))
}
