/// A branch of `anyOf` or `oneOf` that failed.
struct Branch {
  let index: Int
  let violations: [SchemaViolation]
  /// The depth of the value the branch was applied to.
  let depth: Int

  /// Closer is the branch that a person had in mind: right type first, then the right tag (a `const` or `enum` on
  /// the value or one of its properties), then the deepest mistake, then the fewest.
  static func isCloser(_ left: Branch, _ right: Branch) -> Bool {
    (left.hasWrongType ? 1 : 0, left.hasWrongTag ? 1 : 0, left.violations.count, -left.deepest, left.index)
      < (right.hasWrongType ? 1 : 0, right.hasWrongTag ? 1 : 0, right.violations.count, -right.deepest, right.index)
  }

  private var hasWrongType: Bool {
    violations.contains { $0.instancePointer.tokens.count == depth && ($0.keyword == "type" || $0.keyword == "false") }
  }

  private var hasWrongTag: Bool {
    violations.contains {
      $0.instancePointer.tokens.count <= depth + 1 && ($0.keyword == "const" || $0.keyword == "enum")
    }
  }

  private var deepest: Int { violations.map(\.instancePointer.tokens.count).max() ?? 0 }
}
