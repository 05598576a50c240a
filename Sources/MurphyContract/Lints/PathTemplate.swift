/// `/laws/{id}/votes`: what is fixed and what is named.
package struct PathTemplate {
  /// In order.
  package let names: [String]
  /// With every name taken out: equal for templates that match the same paths.
  package let shape: String
  /// A brace without its partner.
  package let isBroken: Bool

  package init(_ text: String) {
    var names: [String] = []
    var shape = ""
    var broken = false
    var name: String?
    for character in text {
      switch (character, name) {
      case ("{", nil): name = ""
      case ("{", _): broken = true
      case ("}", let open?):
        names.append(open)
        if open.isEmpty { broken = true }
        shape += "{}"
        name = nil
      case ("}", nil): broken = true
      case (_, let open?): name = open + String(character)
      default: shape.append(character)
      }
    }
    self.names = names
    self.shape = shape
    isBroken = broken || name != nil
  }

  /// Whether some path matches both templates though neither is the more concrete in every segment.
  package func isAmbiguous(with other: PathTemplate) -> Bool {
    let mine = shape.split(separator: "/", omittingEmptySubsequences: false)
    let theirs = other.shape.split(separator: "/", omittingEmptySubsequences: false)
    guard mine.count == theirs.count, shape != other.shape else { return false }
    var mineIsConcrete = false
    var theirsIsConcrete = false
    for (left, right) in zip(mine, theirs) where left != right {
      if left == "{}" {
        theirsIsConcrete = true
      } else if right == "{}" {
        mineIsConcrete = true
      } else {
        return false
      }
    }
    return mineIsConcrete && theirsIsConcrete
  }
}
