import MurphyDocument
import MurphyModel

/// The tags that steps name.
struct TagNames {
  /// In the order of their first place.
  var all: [String] = []
  /// Indices of those around the place that is being read.
  var open: [Int] = []

  /// Each has figures of its own, on every loop.
  static let most = 100
  static let longest = 60
}

extension ScenarioReader {
  /// What is read has these tags, too.
  func tagged<Result>(_ node: MarkedValue?, _ read: () -> Result) -> Result {
    let outer = tagNames.open
    tagNames.open = tags(node)
    defer { tagNames.open = outer }
    return read()
  }

  /// Those of the place and its own, ascending.
  func tags(_ node: MarkedValue?) -> [Int] {
    guard let node else { return tagNames.open }
    return Set(tagNames.open + node.items.compactMap(tag)).sorted()
  }

  private func tag(_ node: MarkedValue) -> Int? {
    guard let name = text(node, "a tag") else { return nil }
    guard !name.isEmpty, name.count <= TagNames.longest, !name.contains(where: \.isNewline) else {
      report("a tag is a text of up to \(TagNames.longest) characters in one line; found \(found(node))", at: node)
      return nil
    }
    if let known = tagNames.all.firstIndex(of: name) { return known }
    guard tagNames.all.count < TagNames.most else {
      report("a scenario has at most \(TagNames.most) tags", at: node)
      return nil
    }
    tagNames.all.append(name)
    return tagNames.all.count - 1
  }
}
