import MurphyContract
import MurphyModel
import MurphySchema

/// A mapping whose keys have been checked against its vocabulary.
struct Entries {
  let node: MarkedValue
  let vocabulary: Vocabulary
  fileprivate(set) var values: [String: (key: MarkedValue, value: MarkedValue)] = [:]

  /// The value of a key of the vocabulary.
  subscript(key: String) -> MarkedValue? {
    assert(vocabulary[key] != nil, "\(key) is not a key of \(vocabulary.name)")
    return values[key]?.value
  }

  func keyNode(_ key: String) -> MarkedValue { values[key]?.key ?? node }

  func has(_ key: String) -> Bool { self[key] != nil }
}

/// A name in a mapping, with its value.
typealias NamedValue = (key: String, keyNode: MarkedValue, value: MarkedValue)

extension ScenarioReader {
  /// The entries of a mapping; nil after reporting that the node is not a mapping.
  func entries(_ node: MarkedValue, _ vocabulary: Vocabulary) -> Entries? {
    guard case .object = node.content else {
      return refuse("\(vocabulary.title) must be a mapping; found \(node.kindName)", at: node)
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
    let list = Self.home(of: key, besides: vocabulary) ?? "the known keys are \(known.joined(separator: ", "))"
    report("unknown key \"\(key)\" in \(vocabulary.title)\(hint.isEmpty ? "; \(list)" : hint)", at: node)
  }

  /// The place that a key belongs in; nil if there is none or several.
  private static func home(of key: String, besides vocabulary: Vocabulary) -> String? {
    if vocabulary["steps"] != nil, Vocabulary.steps.contains(where: { $0.key == key }) {
      return "\"\(key)\" is a step; write it as an item of the list \"steps\""
    }
    let homes = Vocabulary.all.filter { $0[key] != nil }
    return homes.count == 1 ? "\"\(key)\" is a key of \(homes[0].title)" : nil
  }

  private func checkPresence(_ entries: Entries) {
    let vocabulary = entries.vocabulary
    for key in vocabulary.keys where key.isRequired && !entries.has(key.name) {
      report("\(vocabulary.title) needs the key \"\(key.name)\"", at: entries.node)
    }
    for group in vocabulary.alternatives {
      let present = group.filter { entries.has($0) }
      let names = group.map { "\"\($0)\"" }
      let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      if present.isEmpty {
        report("\(vocabulary.title) needs one of the keys \(list)", at: entries.node)
        continue
      }
      let rivals = present.filter { !vocabulary.companions.contains($0) }
      if rivals.count > 1 {
        report(
          "\(vocabulary.title) can have only one of the keys \(list); remove this key or \"\(rivals[0])\"",
          at: entries.keyNode(rivals[1]))
      }
    }
  }

  /// Keys and values of a mapping.
  func pairs(_ node: MarkedValue) -> [NamedValue] {
    guard case .object(let members) = node.content else { return [] }
    return members.map { ($0.key, $0.name, $0.value) }
  }

  /// The pairs of a node that must be a mapping; none without a node.
  func mapping(_ node: MarkedValue?, _ what: String) -> [NamedValue] {
    guard let node else { return [] }
    if !node.isMapping { report("\(what) must be a mapping from names to values; found \(node.kindName)", at: node) }
    return pairs(node)
  }

  /// The elements of a list; nil without a node, and after reporting a node that is not a list.
  func elements(_ node: MarkedValue?, _ what: String) -> [MarkedValue]? {
    guard let node else { return nil }
    guard case .array(let sequence) = node.content else {
      return refuse("\(what) must be a list; found \(node.kindName)", at: node)
    }
    return sequence
  }

  func text(_ node: MarkedValue?, _ what: String) -> String? {
    guard let node else { return nil }
    guard let text = node.scalarText, node.scalarValue != .null else {
      return refuse("\(what) must be a string; found \(node.kindName)", at: node)
    }
    return text
  }

  func boolean(_ node: MarkedValue?, _ what: String) -> Bool? {
    guard let node else { return nil }
    guard case .bool(let value)? = node.scalarValue else {
      return refuse("\(what) must be true or false; found \(found(node))", at: node)
    }
    return value
  }

  func whole(_ node: MarkedValue?, _ what: String, _ range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    guard let number = node.scalarValue?.int, range.contains(number) else {
      let bounds =
        range.upperBound == Int.max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      return refuse("\(what) must be a whole number \(bounds); found \(found(node))", at: node)
    }
    return number
  }

  func share(_ node: MarkedValue?, _ what: String) -> Double? {
    guard let node else { return nil }
    guard let share = node.scalarValue?.double, share > 0, share.isFinite else {
      return refuse("\(what) must be a positive number without a unit, such as 2; found \(found(node))", at: node)
    }
    return share
  }

  /// One of the names of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: MarkedValue?, _ what: String, _ type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    known(node, among: Choice.allCases.map(\.rawValue), what).flatMap { Choice(rawValue: $0) }
  }

  /// A string that is one of some names.
  func known(_ node: MarkedValue?, among names: [String], _ what: String) -> String? {
    guard let node else { return nil }
    if let text = node.scalarText, names.contains(text) { return text }
    return refuse(
      "\(what) must be one of \(names.joined(separator: ", ")); found \(found(node))"
        + suggestion(node.scalarText ?? "", names), at: node)
  }

  func duration(_ node: MarkedValue?, _ what: String, positive: Bool = false) -> Duration? {
    guard let duration = quantity(node, what, Quantity.duration), let node else { return nil }
    guard !positive || duration > .zero else { return refuse("\(what) must be longer than 0s", at: node) }
    guard duration <= .seconds(366 * 86_400) else { return refuse("\(what) must be at most one year", at: node) }
    return duration
  }

  func rate(_ node: MarkedValue?, _ what: String) -> Rate? {
    quantity(node, what, Quantity.rate).map { Rate(perSecond: $0) }
  }

  func percentage(_ node: MarkedValue?, _ what: String) -> Double? { quantity(node, what, Quantity.share) }

  func size(_ node: MarkedValue?, _ what: String) -> ByteCount? { quantity(node, what, Quantity.size) }

  /// A number with its unit.
  func quantity<Value>(
    _ node: MarkedValue?, _ what: String, _ read: (String) -> Result<Value, Quantity.Mistake>
  ) -> Value? {
    guard let node else { return nil }
    guard let text = node.scalarText, !text.isEmpty else {
      return refuse("\(what) must be a number with a unit; found \(node.kindName)", at: node)
    }
    switch read(text) {
    case .success(let value): return value
    case .failure(let mistake):
      return refuse("\(what): \(mistake.message); found \(found(node))", at: node)
    }
  }

  /// `"20"` for a scalar, `a list` for anything else.
  func found(_ node: MarkedValue) -> String {
    guard let text = node.scalarText, node.scalarValue != .null else { return node.kindName }
    return "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
  }
}

extension MarkedValue {
  /// The value of a string, a number, a boolean or null; nil for a list or mapping.
  var scalarValue: JSONValue? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.value
  }

  /// The elements of a list, or one value in place of a list.
  var items: [MarkedValue] {
    if case .array(let items) = content { items } else { [self] }
  }

  /// The text of a scalar as written, for any type.
  var scalarText: String? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.text
  }

  var line: Int { Int(place.line) }
  var column: Int { Int(place.column) }

  var isMapping: Bool {
    guard case .object = content else { return false }
    return true
  }

  /// For messages: `a list`.
  var kindName: String {
    switch content {
    case .array: "a list"
    case .object: "a mapping"
    case .scalar(let scalar):
      switch scalar.value {
      case .null: "no value"
      case .bool: "a boolean"
      case .number: "a number"
      default: "a string"
      }
    }
  }
}
