/// A word of an expression.
struct ExpressionToken: Hashable {
  enum Kind: Hashable {
    case number(String)
    case text(String)
    case name(String)
    /// A JSONPath query, from `$` on.
    case path(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  var kind: Kind
  /// Characters before it.
  var offset: Int
  var width: Int

  /// For messages.
  var found: String {
    switch kind {
    case .number(let text), .path(let text): text
    case .text(let text): "\"\(text)\""
    case .name(let name): "\"\(name)\""
    case .symbol(let symbol): "\"\(symbol)\""
    case .end: "the end"
    }
  }
}
