extension JSONPath {
  /// The same query in the language of jq, giving its nodes one after another; nil for one with slices, conditions
  /// or descendants.
  public var filter: String? {
    var text = ""
    for segment in query.segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): text += Self.member(name)
      case .index(let index): text += "[\(index)]?"
      case .wildcard: text += "[]?"
      case .slice, .filter: return nil
      }
    }
    return "." + text
  }

  /// A member in the language of jq.
  public static func member(_ name: String) -> String { "[\(JSONValue.string(name).text)]?" }
}
