/// A piece of an HTML, SVG or XML document.
///
/// Escaping is automatic. Text and attribute values are escaped when the document is written. Tags and attribute names
/// come from this module. The only unescaped content is a literal of the source code.
package indirect enum Markup: Sendable {
  case text(String)
  case element(Tag, [Attribute], Markup)
  case group([Markup])
  /// The content of a `style` or `script` element, which HTML reads without escapes.
  case literal(StaticString)

  /// Writes no character.
  package static let nothing = Markup.group([])

  /// True if it writes no character.
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

/// An element that contains only text.
package func element(_ tag: Tag, _ attributes: Attribute..., text: String) -> Markup {
  .element(tag, attributes, .text(text))
}

extension Markup {
  /// The document in HTML syntax (WHATWG), including SVG.
  package var html: String {
    var writer = MarkupWriter(syntax: .html)
    writer.write(self)
    return writer.text
  }

  /// The document in XML 1.0 syntax, without a declaration; empty elements close themselves.
  package var xml: String {
    var writer = MarkupWriter(syntax: .xml)
    writer.write(self)
    return writer.text
  }
}

/// Writes markup as text and escapes data.
struct MarkupWriter {
  enum Syntax { case html, xml }

  let syntax: Syntax
  var text = ""

  init(syntax: Syntax) { self.syntax = syntax }

  mutating func write(_ markup: Markup) {
    switch markup {
    case .text(let content): escape(content, quotes: false)
    case .group(let parts): for part in parts { write(part) }
    case .literal(let literal): text += literal.description
    case .element(let tag, let attributes, let content): write(tag, attributes, content)
    }
  }

  private mutating func write(_ tag: Tag, _ attributes: [Attribute], _ content: Markup) {
    text += "<"
    text += tag.rawValue
    for attribute in attributes {
      text += " "
      text += attribute.name
      guard let value = attribute.value else { continue }
      text += "=\""
      escape(value, quotes: true)
      text += "\""
    }
    if syntax == .xml, content.isEmpty {
      text += "/>"
      return
    }
    text += ">"
    if tag.isVoid { return }
    write(content)
    text += "</"
    text += tag.rawValue
    text += ">"
  }

  /// Control characters that neither XML 1.0 §2.2 nor HTML allows become U+FFFD, so that a reader sees each
  /// replacement.
  private mutating func escape(_ content: String, quotes: Bool) {
    for scalar in content.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where quotes: text += "&quot;"
      case "\n" where quotes && syntax == .xml: text += "&#10;"
      case "\r": text += syntax == .xml ? "&#13;" : "\u{FFFD}"
      case "\t", "\n": text.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      // A direction override in data would reorder the words around it on the page.
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Allows elements to be written one below the other, with `if` and `for` between them.
@resultBuilder
package enum MarkupBuilder {
  package static func buildExpression(_ markup: Markup) -> Markup { markup }
  package static func buildExpression(_ text: String) -> Markup { .text(text) }
  static func buildExpression(_ block: Block) -> Markup { [block].html }
  static func buildExpression(_ blocks: [Block]) -> Markup { blocks.html }
  package static func buildExpression(_ parts: [Markup]) -> Markup { .group(parts) }
  package static func buildExpression(_ markup: Markup?) -> Markup { markup ?? .nothing }
  package static func buildBlock(_ parts: Markup...) -> Markup { parts.count == 1 ? parts[0] : .group(parts) }
  package static func buildOptional(_ markup: Markup?) -> Markup { markup ?? .nothing }
  package static func buildEither(first: Markup) -> Markup { first }
  package static func buildEither(second: Markup) -> Markup { second }
  package static func buildArray(_ parts: [Markup]) -> Markup { .group(parts) }
}
