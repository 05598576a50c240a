import MurphySchema

/// Values of recorded responses. Steps save the values that later requests send, under names.
struct RecordedValues {
  private struct Origin {
    var step: Int
    var path: String
    var key: String
  }

  /// The newest response that contained a value.
  private var origins: [String: Origin] = [:]
  /// By value and step: the name.
  private var names: [String: String] = [:]
  private var taken = VariableNames()
  /// By the number of the call: the values that it saves.
  private(set) var saves: [Int: [DraftedSave]] = [:]

  /// The maximum number of values read from one response.
  private static let most = 20_000
  /// A minimum length for strings that are not ids: short strings match by chance.
  private static let shortest = 8

  mutating func recordResponse(_ answer: JSONValue, of step: Int) {
    var left = Self.most
    recordValue(answer, path: "$", key: "", step: step, left: &left)
  }

  private mutating func recordValue(_ value: JSONValue, path: String, key: String, step: Int, left: inout Int) {
    guard left > 0 else { return }
    left -= 1
    switch value {
    case .object(let members):
      for (name, value) in members {
        recordValue(value, path: path + Producers.step(name), key: name, step: step, left: &left)
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        recordValue(item, path: path + "[\(index)]", key: key, step: step, left: &left)
      }
    case .string(let text): keep(text, Origin(step: step, path: path, key: key))
    case .number: keep(value.text, Origin(step: step, path: path, key: key))
    case .bool, .null: break
    }
  }

  private mutating func keep(_ text: String, _ origin: Origin) {
    guard !text.isEmpty else { return }
    // The first place in the newest response. An id is preferred to a count with the same value.
    if let known = origins[text], known.step == origin.step, isID(known.key) || !isID(origin.key) { return }
    if let known = origins[text], isID(known.key), !isID(origin.key) { return }
    origins[text] = origin
    names[text] = nil
  }

  private func isID(_ key: String) -> Bool {
    let plain = DraftNames.plain(key)
    return plain.hasSuffix("id") || ["key", "slug", "code", "token", "accesstoken"].contains(plain)
  }

  /// The name of a value from an earlier response; nil if no response contained it.
  ///
  /// - Parameter isPath: true if the text is in a path or names an id. Then a small number is accepted too.
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
