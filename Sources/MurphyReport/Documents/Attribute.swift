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
