import MurphySchema

/// Values that recorded answers held, and the names under which steps save those that later requests send.
struct RecordedValues {
  private struct Origin {
    var step: Int
    var path: String
    var key: String
  }

  /// The newest answer that held a value.
  private var origins: [String: Origin] = [:]
  /// By value and step: the name.
  private var names: [String: String] = [:]
  private var taken = VariableNames()
  /// By the number of the call: what it saves.
  private(set) var saves: [Int: [DraftedSave]] = [:]

  /// Values of one answer; more are not looked at.
  private static let most = 20_000
  /// Texts that are not ids may be anything: short ones come up by chance.
  private static let shortest = 8

  mutating func note(_ answer: JSONValue, of step: Int) {
    var left = Self.most
    note(answer, path: "$", key: "", step: step, left: &left)
  }

  private mutating func note(_ value: JSONValue, path: String, key: String, step: Int, left: inout Int) {
    guard left > 0 else { return }
    left -= 1
    switch value {
    case .object(let members):
      for (name, value) in members {
        note(value, path: path + Producers.step(name), key: name, step: step, left: &left)
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        note(item, path: path + "[\(index)]", key: key, step: step, left: &left)
      }
    case .string(let text): keep(text, Origin(step: step, path: path, key: key))
    case .number: keep(value.text, Origin(step: step, path: path, key: key))
    case .bool, .null: break
    }
  }

  private mutating func keep(_ text: String, _ origin: Origin) {
    guard !text.isEmpty else { return }
    // The first place in the newest answer, and an id rather than a count that happens to be the same.
    if let known = origins[text], known.step == origin.step, isID(known.key) || !isID(origin.key) { return }
    if let known = origins[text], isID(known.key), !isID(origin.key) { return }
    origins[text] = origin
    names[text] = nil
  }

  private func isID(_ key: String) -> Bool {
    let plain = DraftNames.plain(key)
    return plain.hasSuffix("id") || ["key", "slug", "code", "token", "accesstoken"].contains(plain)
  }

  /// The name of a value that an earlier answer gave; nil for one that none gave.
  ///
  /// - Parameter isPath: it stands in a path, or names an id: then a small number is one, too.
  mutating func name(for text: String, isPath: Bool) -> String? {
    guard let origin = origins[text], text.count >= Self.shortest || (isPath && isID(origin.key)) else { return nil }
    if let known = names[text] { return known }
    let name = taken.new(origin.key.isEmpty ? "value" : origin.key)
    names[text] = name
    saves[origin.step, default: []].append(DraftedSave(name: name, source: .body(origin.path)))
    return name
  }

  func holds(_ text: String) -> Bool { text.count >= Self.shortest && origins[text] != nil }
}
