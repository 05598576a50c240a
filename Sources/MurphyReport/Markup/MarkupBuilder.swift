/// Lets elements be written one below the other, with `if` and `for` between them.
@resultBuilder
package enum MarkupBuilder {
  package static func buildExpression(_ markup: Markup) -> Markup { markup }
  package static func buildExpression(_ text: String) -> Markup { .text(text) }
  package static func buildExpression(_ parts: [Markup]) -> Markup { .group(parts) }
  package static func buildExpression(_ markup: Markup?) -> Markup { markup ?? .nothing }
  package static func buildBlock(_ parts: Markup...) -> Markup { parts.count == 1 ? parts[0] : .group(parts) }
  package static func buildOptional(_ markup: Markup?) -> Markup { markup ?? .nothing }
  package static func buildEither(first: Markup) -> Markup { first }
  package static func buildEither(second: Markup) -> Markup { second }
  package static func buildArray(_ parts: [Markup]) -> Markup { .group(parts) }
}
