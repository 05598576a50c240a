import MurphyModel

/// Removes secrets from XML and HTML, well-formed or not. It checks text and CDATA of elements, and attributes, by
/// their local names. It also checks values that another element or attribute names.
struct XMLMask {
  private struct Element {
    /// With its prefix, as in the closing tag.
    var tag: String
    /// The secret name of its text; empty for none.
    var secret: String
    /// The name of a value, given by a child element.
    var label: String?
  }

  private let text: [UInt8]
  private let place: SecretName.Place
  private let depth: Int
  private var open: [Element] = []
  private var result: [UInt8] = []
  private var index = 0

  /// The maximum depth of elements; deeper ones are ignored.
  private static let deepest = 256
  private static let labels: Set = ["name", "key", "id", "field", "param", "property", "http-equiv"]
  private static let values: Set = ["value", "val", "content", "data", "data-value", "data-content", "string", "text"]
  private static let references: [(String, Unicode.Scalar)] = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
  ]

  static func masked(_ text: String, with mask: inout ContentMask, _ place: SecretName.Place, depth: Int) -> String {
    var walk = XMLMask(text: Array(text.utf8), place: place, depth: depth)
    while walk.index < walk.text.count { walk.step(&mask) }
    return String(decoding: walk.result, as: UTF8.self)
  }

  private mutating func step(_ mask: inout ContentMask) {
    let rest = text[index...]
    if rest.starts(with: "<![CDATA[".utf8) {
      copy(to: index + 9)
      keep(upTo: "]]>", isEscaped: false, &mask)
      copy(to: min(index + 3, text.count))
    } else if rest.starts(with: "<!--".utf8) {
      let end = end(of: "-->")
      result += mask.text(string(index..<end), place).utf8
      index = end
    } else if rest.first == UInt8(ascii: "<") {
      tag(&mask)
    } else {
      keep(upTo: "<", isEscaped: true, &mask)
    }
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  private func end(of word: String) -> Int { text[index...].firstRange(of: Array(word.utf8))?.upperBound ?? text.count }

  private mutating func copy(to end: Int) {
    let end = min(max(end, index), text.count)
    result += text[index..<end]
    index = end
  }

  /// Copies a text of the innermost element, up to a word.
  private mutating func keep(upTo word: String, isEscaped: Bool, _ mask: inout ContentMask) {
    let end = text[index...].firstRange(of: Array(word.utf8))?.lowerBound ?? text.count
    let start = text[index..<end].firstIndex { $0 > 0x20 } ?? end
    copy(to: start)
    let last = text[start..<end].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
    guard start < last else { return copy(to: end) }
    let written = string(start..<last)
    let plain = isEscaped ? Self.decoded(written) : written
    let masked = mask.value(plain, named: open.last?.secret ?? "", place, depth: depth)
    if let name = open.last?.tag, Self.labels.contains(Self.local(name)), open.count > 1 {
      open[open.count - 2].label = plain
    }
    result += (masked == plain ? written : isEscaped ? Self.encoded(masked) : masked).utf8
    index = last
    copy(to: end)
  }

  /// From `<` to `>`.
  private mutating func tag(_ mask: inout ContentMask) {
    let start = index
    let name = nameEnd(from: start + 1)
    if start + 1 < text.count, text[start + 1] == UInt8(ascii: "/") {
      let tag = string((start + 2)..<max(nameEnd(from: start + 2), start + 2))
      if let place = open.lastIndex(where: { $0.tag == tag }) { open.removeSubrange(place...) }
      return copy(to: end(of: ">"))
    }
    guard name > start + 1 else { return copy(to: start + 1) }
    let tag = string((start + 1)..<name)
    copy(to: name)
    let attributes = attributes()
    let label = attributes.first { Self.labels.contains(Self.local($0.name)) }.map { Self.decoded(string($0.value)) }
    for attribute in attributes {
      copy(to: attribute.value.lowerBound)
      let local = Self.local(attribute.name)
      let its = Self.values.contains(local) ? label ?? Self.local(tag) : Self.labels.contains(local) ? "" : local
      let plain = Self.decoded(string(attribute.value))
      let masked = mask.value(plain, named: its, place, depth: depth)
      if masked != plain { result += Self.encoded(masked).utf8 } else { result += text[attribute.value] }
      index = attribute.value.upperBound
    }
    copy(to: end(of: ">"))
    let isClosed = index >= 2 && text[index - 2] == UInt8(ascii: "/")
    guard !isClosed, open.count < Self.deepest else { return }
    open.append(Element(tag: tag, secret: secret(of: tag, label)))
  }

  /// The name that decides if an element's text is a secret.
  private func secret(of tag: String, _ label: String?) -> String {
    if let label, SecretName.mayBeSecret(label, in: place) { return label }
    let local = Self.local(tag)
    if SecretName.mayBeSecret(local, in: place) { return local }
    if Self.labels.contains(local) { return "" }
    if Self.values.contains(local), let told = open.last?.label { return told }
    return open.last?.secret ?? ""
  }

  /// The attributes of the current tag, in order.
  private func attributes() -> [(name: String, value: Range<Int>)] {
    var found: [(name: String, value: Range<Int>)] = []
    var place = index
    while place < text.count, text[place] != UInt8(ascii: ">") {
      let end = nameEnd(from: place)
      guard end > place else {
        place += 1
        continue
      }
      let name = string(place..<end)
      place = skipSpace(end)
      guard place < text.count, text[place] == UInt8(ascii: "=") else { continue }
      place = skipSpace(place + 1)
      guard place < text.count else { break }
      let quote = text[place]
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      let start = isQuoted ? place + 1 : place
      let close =
        text[start...].firstIndex { isQuoted ? $0 == quote : $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? text.count
      found.append((name, start..<close))
      place = isQuoted ? min(close + 1, text.count) : close
    }
    return found
  }

  private func skipSpace(_ start: Int) -> Int { text[start...].firstIndex { $0 > 0x20 } ?? text.count }

  private func nameEnd(from start: Int) -> Int {
    guard start < text.count else { return text.count }
    return text[start...].firstIndex { $0 <= 0x20 || "<>/=\"'".utf8.contains($0) } ?? text.count
  }

  /// `wsse:Password` as `Password`.
  private static func local(_ name: String) -> String {
    let bytes = name.utf8
    let local = bytes.lastIndex(of: UInt8(ascii: ":")).map { String(name[bytes.index(after: $0)...]) } ?? name
    return labels.union(values).contains(local.lowercased()) ? local.lowercased() : local
  }

  private static func decoded(_ text: String) -> String {
    references.reduce(text) { $0.replacingScalars($1.0, with: String($1.1)) }
  }

  private static func encoded(_ text: String) -> String {
    text.escaping(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
  }
}
