/// Secrets as a tree of their bytes, to find them in text in any encoding.
///
/// A secret's bytes are matched in the text in any mixture of encodings: literally, as JSON escapes (`\"`, `\u00e9`),
/// percent-encoded, as HTML character references and with `+` for a space. Base64 is found by the characters that a
/// secret determines at any position within the encoded bytes. A text that was cut, at its end or before an ellipsis,
/// may hold the beginning of a secret: four bytes of it count.
struct SecretTree: Sendable {
  private struct Node {
    var next: [UInt8: Int32] = [:]
    /// The secret that ends here, or one of those that pass through.
    var secret: Int32
    var isEnd = false
  }

  /// A secret found in a text.
  struct Match {
    var range: Range<Int>
    /// The index of the secret.
    var secret: Int
    var isWhole: Bool
  }

  private var nodes = [Node(secret: -1)]
  /// The minimum bytes of a secret's beginning that count as the secret at a cut.
  private static let shortestCut = 4
  private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

  var isEmpty: Bool { nodes.count == 1 }

  mutating func insert(_ bytes: some Sequence<UInt8>, secret: Int) {
    var node = 0
    for byte in bytes {
      if let next = nodes[node].next[byte] {
        node = Int(next)
      } else {
        nodes.append(Node(secret: Int32(secret)))
        nodes[node].next[byte] = Int32(nodes.count - 1)
        node = nodes.count - 1
      }
    }
    if node > 0, !nodes[node].isEnd {
      nodes[node].isEnd = true
      nodes[node].secret = Int32(secret)
    }
  }

  /// The allowed steps for each byte of a text, and for each text.
  private static let work = (each: 32, all: 200_000)

  /// The secrets in a text, first and longest first, none within another.
  ///
  /// Cost: nearly linear in the text's length. A malicious text that resembles a secret repeatedly would cost its
  /// length times that of the secret: beyond a bound the rest of it counts as secret.
  ///
  /// - Parameter isCut: true if the text may have been cut, so that the beginning of a secret at its end counts.
  func matches(in text: [UInt8], isCut: Bool = true) -> [Match] {
    var found: [Match] = []
    guard !isEmpty else { return found }
    var index = 0
    var left = Self.work.all + Self.work.each * text.count
    while index < text.count {
      guard left > 0 else { return found + [Match(range: index..<text.count, secret: 0, isWhole: false)] }
      if let match = longest(from: index, in: text, isCut, &left) {
        found.append(match)
        index = match.range.upperBound
      } else {
        index += 1
      }
    }
    return found
  }

  private func longest(from start: Int, in text: [UInt8], _ mayBeCut: Bool, _ left: inout Int) -> Match? {
    var best: Match?
    var open: [(node: Int, place: Int, depth: Int)] = [(0, start, 0)]
    // A unit can be read in at most two ways, and this is rare; the bound limits the growth for malicious text.
    var steps = 0
    while let (node, place, depth) = open.popLast(), steps < 100_000 {
      steps += 1
      left -= 1
      let isCut = mayBeCut && (place >= text.count || text[place...].starts(with: Self.ellipsis))
      if nodes[node].isEnd || (depth >= Self.shortestCut && isCut), place > (best?.range.upperBound ?? start) {
        best = Match(range: start..<place, secret: Int(nodes[node].secret), isWhole: nodes[node].isEnd)
      }
      guard place < text.count else { continue }
      for (bytes, length) in EncodedUnit.read(text, at: place) {
        var next = node
        var isKnown = true
        for byte in bytes {
          guard let child = nodes[next].next[byte] else {
            isKnown = false
            break
          }
          next = Int(child)
        }
        if isKnown { open.append((next, place + length, depth + bytes.count)) }
      }
    }
    return best
  }
}

/// The possible meanings of a text's next characters.
package enum EncodedUnit {
  /// The decoded bytes and the length of their notation; the byte itself first.
  package static func read(_ text: [UInt8], at place: Int) -> [(bytes: [UInt8], length: Int)] {
    let byte = text[place]
    var units: [(bytes: [UInt8], length: Int)] = [([byte], 1)]
    switch byte {
    case UInt8(ascii: "%"):
      if let value = hexadecimal(text, place + 1, 2) { units.append(([UInt8(value)], 3)) }
    case UInt8(ascii: "+"): units.append(([0x20], 1))
    case UInt8(ascii: "\\"):
      if let unit = escape(text, place) { units.append(unit) }
      if let unit = nestedEscape(text, place) { units.append(unit) }
    case UInt8(ascii: "&"): if let unit = reference(text, place) { units.append(unit) }
    default: break
    }
    return units
  }

  /// RFC 8259, 7.
  private static func escape(_ text: [UInt8], _ place: Int) -> (bytes: [UInt8], length: Int)? {
    guard place + 1 < text.count else { return nil }
    switch text[place + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "u"):
      guard let first = hexadecimal(text, place + 2, 4) else { return nil }
      if 0xD800..<0xDC00 ~= first, place + 7 < text.count, text[place + 6] == UInt8(ascii: "\\"),
        let second = hexadecimal(text, place + 8, 4), 0xDC00..<0xE000 ~= second
      {
        return (utf8(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)), 12)
      }
      return (utf8(first), 6)
    case let other: return ([other], 2)
    }
  }

  /// An escape that is itself escaped, as in a JSON text that another one quotes: `\\\"`.
  private static func nestedEscape(_ text: [UInt8], _ place: Int) -> (bytes: [UInt8], length: Int)? {
    var decoded: [UInt8] = []
    var ends: [Int] = []
    var next = place
    while next < text.count, decoded.count < longestEscape {
      let isEscape = text[next] == UInt8(ascii: "\\")
      guard let unit = isEscape ? escape(text, next) : ([text[next]], 1) else { break }
      next += unit.length
      decoded += unit.bytes
      ends += Array(repeating: next, count: unit.bytes.count)
    }
    guard decoded.first == UInt8(ascii: "\\"), let unit = escape(decoded, 0) else { return nil }
    return (unit.bytes, ends[unit.length - 1] - place)
  }

  /// The length of `\ud83d\ude00`.
  private static let longestEscape = 12

  /// `&quot;`, `&#34;`, `&#x22;`
  private static func reference(_ text: [UInt8], _ place: Int) -> (bytes: [UInt8], length: Int)? {
    guard let end = text[place...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: text[(place + 1)..<end], as: UTF8.self)
    let length = end - place + 1
    if let named = ["quot": "\"", "amp": "&", "lt": "<", "gt": ">", "apos": "'", "nbsp": "\u{A0}"][name] {
      return (Array(named.utf8), length)
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let value = isHexadecimal ? Int(digits.dropFirst(), radix: 16) : Int(digits)
    return value.map { (utf8($0), length) }
  }

  private static func hexadecimal(_ text: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place + count <= text.count else { return nil }
    return Int(String(decoding: text[place..<(place + count)], as: UTF8.self), radix: 16).flatMap { $0 < 0 ? nil : $0 }
  }

  private static func utf8(_ value: Int) -> [UInt8] {
    Unicode.Scalar(UInt32(clamping: value)).map { Array(String($0).utf8) } ?? []
  }
}
