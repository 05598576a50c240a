import MurphyDocument
import MurphyModel

/// A mapping whose keys have been checked against its vocabulary.
struct Entries {
  let node: MarkedValue
  let vocabulary: Vocabulary
  fileprivate(set) var values: [String: (key: MarkedValue, value: MarkedValue)] = [:]

  /// The value behind a key of the vocabulary.
  subscript(key: String) -> MarkedValue? {
    assert(vocabulary[key] != nil, "\(key) is not a key of \(vocabulary.name)")
    return values[key]?.value
  }

  func keyNode(_ key: String) -> MarkedValue { values[key]?.key ?? node }

  func has(_ key: String) -> Bool { self[key] != nil }
}

/// A name in a mapping and what stands behind it.
typealias NamedValue = (key: String, keyNode: MarkedValue, value: MarkedValue)

extension ScenarioReader {
  /// The entries of a mapping; nil after reporting that there is none.
  func entries(_ node: MarkedValue, _ vocabulary: Vocabulary) -> Entries? {
    guard case .object = node.content else {
      report("\(vocabulary.title) is a mapping; found \(node.kindName)", at: node)
      return nil
    }
    var entries = Entries(node: node, vocabulary: vocabulary)
    for (key, keyNode, value) in pairs(node) {
      guard vocabulary[key] != nil else {
        if key.hasPrefix("x-") { continue }
        reportUnknown(key, at: keyNode, vocabulary)
        continue
      }
      entries.values[key] = (keyNode, value)
    }
    checkPresence(entries)
    return entries
  }

  private func reportUnknown(_ key: String, at node: MarkedValue, _ vocabulary: Vocabulary) {
    let known = vocabulary.keys.map(\.name)
    let hint = suggestion(key, known)
    let list = hint.isEmpty ? "; its keys are \(known.joined(separator: ", "))" : hint
    report("unknown key \"\(key)\" in \(vocabulary.title)\(list)", at: node)
  }

  private func checkPresence(_ entries: Entries) {
    let vocabulary = entries.vocabulary
    for key in vocabulary.keys where key.isRequired && !entries.has(key.name) {
      report("\(vocabulary.title) needs the key \"\(key.name)\"", at: entries.node, width: 1)
    }
    for group in vocabulary.alternatives {
      let present = group.filter { entries.has($0) }
      let names = group.map { "\"\($0)\"" }
      let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      if present.isEmpty {
        report("\(vocabulary.title) needs \(list)", at: entries.node, width: 1)
        continue
      }
      let rivals = present.filter { !vocabulary.companions.contains($0) }
      if rivals.count > 1 {
        report(
          "\(vocabulary.title) has only one of \(list); found \"\(rivals[0])\" as well",
          at: entries.keyNode(rivals[1]))
      }
    }
  }

  /// Keys and values of a mapping.
  func pairs(_ node: MarkedValue) -> [NamedValue] {
    guard case .object(let members) = node.content else { return [] }
    return members.map { ($0.key, $0.name, $0.value) }
  }

  /// The pairs of what must be a mapping; none without it.
  func mapping(_ node: MarkedValue?, _ what: String) -> [NamedValue] {
    guard let node else { return [] }
    if !node.isMapping { report("\(what) is a mapping of names and values; found \(node.kindName)", at: node) }
    return pairs(node)
  }

  /// The elements of a list; nil without one, and after reporting what is none.
  func elements(_ node: MarkedValue?, _ what: String) -> [MarkedValue]? {
    guard let node else { return nil }
    guard case .array(let sequence) = node.content else {
      report("\(what) is a list; found \(node.kindName)", at: node)
      return nil
    }
    return sequence
  }
}
