import MurphyJSON
import MurphyScenario

/// The texts and numbers within saved values, found by how they look in a request.
struct SavedLeaves {
  struct Leaf {
    let saved: SavedValue
    /// The place within the saved value, in the language of jq: `[3]["id"]`.
    let place: String
    let text: String

    /// Finds the leaf in the answer; nil where the query cannot be written in the language of jq.
    func filter(_ path: JSONPath) -> String? {
      guard let filter = path.filter else { return nil }
      return (path.isSingular ? filter : "[\(filter)]") + place
    }
  }

  private var leaves: [[UInt8]: Leaf] = [:]
  private static let most = 2_000

  init(_ values: [SavedValue]) {
    for saved in values { add(saved.value, of: saved, at: "") }
  }

  var isEmpty: Bool { leaves.isEmpty }

  subscript(token: ArraySlice<UInt8>) -> Leaf? { leaves[Array(token)] }

  private mutating func add(_ value: JSONValue, of saved: SavedValue, at place: String) {
    guard leaves.count < Self.most else { return }
    switch value {
    case .string, .number:
      let text = value.interpolated
      let bytes = Array(text.utf8)
      // A text with a separator is never found.
      guard !bytes.isEmpty, leaves[bytes] == nil else { return }
      leaves[bytes] = Leaf(saved: saved, place: place, text: text)
    case .array(let elements):
      for (index, element) in elements.enumerated() { add(element, of: saved, at: place + "[\(index)]") }
    case .object(let object):
      for (name, element) in object { add(element, of: saved, at: place + JSONPath.member(name)) }
    case .null, .bool: break
    }
  }

  /// Between these stand the values of a path, a query, a form, a header field and JSON.
  static func isSeparator(_ byte: UInt8) -> Bool { byte <= 0x20 || "/?&=;,:\"{}[]".utf8.contains(byte) }
}

extension [UInt8] {
  /// Runs of bytes, each separator a run of its own.
  func split(keeping isSeparator: (UInt8) -> Bool) -> [ArraySlice<UInt8>] {
    var runs: [ArraySlice<UInt8>] = []
    var start = startIndex
    for index in indices where isSeparator(self[index]) {
      if start < index { runs.append(self[start..<index]) }
      runs.append(self[index...index])
      start = index + 1
    }
    if start < endIndex { runs.append(self[start...]) }
    return runs
  }
}
