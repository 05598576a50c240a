import MurphyModel
import Yams

/// A mapping whose keys have been checked against its vocabulary.
struct Entries {
  let node: Node
  let vocabulary: Vocabulary
  fileprivate(set) var values: [String: (key: Node, value: Node)] = [:]

  /// The value behind a key of the vocabulary.
  subscript(key: String) -> Node? {
    assert(vocabulary[key] != nil, "\(key) is no key of \(vocabulary.name)")
    return values[key]?.value
  }

  func keyNode(_ key: String) -> Node { values[key]?.key ?? node }

  func has(_ key: String) -> Bool { self[key] != nil }
}

extension ScenarioReader {
  /// The entries of a mapping; nil after reporting that there is none.
  func entries(_ node: Node, _ vocabulary: Vocabulary) -> Entries? {
    guard case .mapping = node else {
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

  private func reportUnknown(_ key: String, at node: Node, _ vocabulary: Vocabulary) {
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
      } else if present.count > 1 {
        report(
          "\(vocabulary.title) has only one of \(list); found \"\(present[0])\" as well",
          at: entries.keyNode(present[1]))
      }
    }
  }

  /// Keys and values of a mapping with merges (`<<`) unfolded; duplicates are reported, the last one counts.
  func pairs(_ node: Node) -> [(key: String, keyNode: Node, value: Node)] {
    guard case .mapping(let mapping) = node else { return [] }
    var own: [(key: String, keyNode: Node, value: Node)] = []
    var merged: [(key: String, keyNode: Node, value: Node)] = []
    var earlier: [(mark: Mark?, node: Node)] = []
    for (keyNode, value) in mapping {
      guard let key = keyNode.scalarText else {
        report("a key is a text; found \(keyNode.kindName)", at: keyNode)
        continue
      }
      if YAMLFile.isDuplicate(key) {
        earlier.append((keyNode.mark, keyNode))
      } else if key == "<<" {
        merged += mergedPairs(value)
      } else {
        own.append((key, keyNode, value))
      }
    }
    for duplicate in earlier { reportDuplicate(duplicate.node, among: own.map(\.keyNode)) }
    var seen = Set(own.map(\.key))
    return own + merged.filter { seen.insert($0.key).inserted }
  }

  /// The file has the original name where the renamed key stands.
  private func reportDuplicate(_ node: Node, among keys: [Node]) {
    guard let mark = node.mark, let line = source.line(mark.line), let renamed = node.scalarText else { return }
    var place = mark.column - 1
    let characters = Array(line)
    if characters.indices.contains(place), "\"'".contains(characters[place]) { place += 1 }
    guard characters.indices.contains(place) else { return }
    let name = String(characters[place]) + renamed.dropFirst()
    let again = keys.first { $0.scalarText == name } ?? node
    report("duplicate key \"\(name)\"; it stands in line \(mark.line) already", at: again)
  }

  private func mergedPairs(_ value: Node) -> [(key: String, keyNode: Node, value: Node)] {
    switch value {
    case .mapping: return pairs(value)
    case .sequence(let sequence): return sequence.flatMap { pairs($0) }
    default:
      report("<< takes an alias of a mapping; found \(value.kindName)", at: value)
      return []
    }
  }

  /// The elements of a list; nil after reporting that there is none.
  func elements(_ node: Node, _ what: String) -> [Node]? {
    guard case .sequence(let sequence) = node else {
      report("\(what) is a list; found \(node.kindName)", at: node)
      return nil
    }
    return Array(sequence)
  }
}
