import MurphyModel

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
  /// A sentence. Its parts between backticks are code.
  package static func prose(_ text: String) -> Markup {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 1, !parts.count.isMultiple(of: 2) else { return .text(text) }
    return .group(
      parts.enumerated().map { index, part in
        index.isMultiple(of: 2) ? .text(String(part)) : .element(.code, [], .text(String(part)))
      })
  }

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

extension Figure {
  /// The number followed by its unit in small type, with a narrow no-break space between them (SI Brochure, 5.4.3).
  package var markup: Markup {
    if unit.isEmpty { return .text(number) }
    let apart = unit.hasPrefix("/") ? "" : "\u{202F}"
    return .group([.text(number + apart), element(.span, .class("unit"), text: unit)])
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

/// An attribute of an element. No attribute takes a URL from data: a report links only within itself.
package struct Attribute: Sendable, Hashable {
  package let name: String
  /// Nil for a boolean attribute.
  package let value: String?

  package init(_ name: StaticString, _ value: String?) {
    self.name = name.description
    self.value = value
  }

  /// A number with at most two decimals.
  package init(_ name: StaticString, _ value: Double) { self.init(name, Coordinate.text(value)) }

  /// Several names are separated by spaces.
  package static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  package static func id(_ name: String) -> Attribute { Attribute("id", name) }
  /// A link to an element of this document.
  package static func anchor(_ id: String) -> Attribute { Attribute("href", "#" + id) }
  package static func scope(_ scope: Scope) -> Attribute { Attribute("scope", scope.rawValue) }
  /// A name for screen readers.
  package static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
  /// For decoration only; other text has the same information.
  static let decorative = Attribute("aria-hidden", "true")
  /// Shows the content of a `details` element from the start.
  package static let open = Attribute("open", nil)
  /// The extent of a drawing, in pixels.
  static func viewBox(_ width: Double, _ height: Double) -> Attribute {
    Attribute("viewBox", ("0 0 \(width) \(height)" as PathData).text)
  }
  /// The outline of a path.
  static func path(_ data: PathData) -> Attribute { Attribute("d", data.text) }
  /// A width in per cent of the surrounding box.
  package static func width(percent: Double) -> Attribute {
    Attribute("style", "width:\(Coordinate.text(min(max(percent, 0), 100)))%")
  }

  /// The cells that a header cell describes.
  package enum Scope: String, Sendable { case row, col }
}

/// The commands of a path, in which numbers are coordinates: `"M\(x) \(y)H\(end)"`.
struct PathData: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: Double) { text += Coordinate.text(value) }
  }

  let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

/// Numbers for SVG and CSS: a decimal point, and no more digits than a pixel needs.
package enum Coordinate {
  /// At most two decimals, without trailing zeros; a number that is not finite becomes 0.
  package static func text(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "0" }
    let hundredths = Int64(saturating: (value * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest.isMultiple(of: 10) { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The name of an element.
package enum Tag: String, Sendable {
  // SVG
  case svg, g, path, circle, text, desc
  // HTML
  case html, head, title, style, script, body, header, main, nav, section, footer, article, figure, figcaption, h1,
    h2, h3, h4, p, div, span, strong, i, small, code, pre, mark, ul, li, dl, dt, dd, table, caption, thead, tbody,
    tr, th, td, details, summary, a
  case meta, link, br
  // JUnit
  case testsuites, testsuite, testcase, properties, property, failure, error, skipped
  case systemOut = "system-out"

  /// True if the element has no content and no end tag in HTML.
  var isVoid: Bool { [.meta, .link, .br].contains(self) }
}
