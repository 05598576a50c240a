/// A URI reference in its five parts (RFC 3986 §3). Accepts any text; `URISyntax` checks the characters.
package struct URIReference: Hashable, Sendable {
  /// Nil if the reference has none; the same for the other parts except the path.
  package var scheme: String?
  package var authority: String?
  /// Empty if the reference has none.
  package var path = ""
  package var query: String?
  package var fragment: String?

  /// Splits like the regular expression of RFC 3986 appendix B.
  package init(_ text: String) {
    var rest = text[...].utf8
    if let hash = rest.firstIndex(of: 0x23) {
      fragment = String(Substring(rest[rest.index(after: hash)...]))
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: 0x3F) {
      query = String(Substring(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: 0x3A), colon > rest.startIndex, !rest[..<colon].contains(0x2F) {
      scheme = String(Substring(rest[..<colon])).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: 0x2F) ?? rest.endIndex
      authority = String(Substring(rest[..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  /// The five parts joined again (RFC 3986 §5.3).
  package var text: String { (fragment.map { "\(textWithoutFragment)#\($0)" }) ?? textWithoutFragment }

  var textWithoutFragment: String {
    var text = scheme.map { "\($0):" } ?? ""
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    return text
  }

  /// The reference resolved against `base` (RFC 3986 §5.2.2).
  package func resolved(against base: URIReference) -> URIReference {
    var target = self
    if scheme != nil {
      target.path = Self.withoutDots(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.withoutDots(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      if query == nil { target.query = base.query }
    } else if path.hasPrefix("/") {
      target.path = Self.withoutDots(path)
    } else {
      target.path = Self.withoutDots(merged(with: base))
    }
    return target
  }

  /// RFC 3986 §5.2.3
  private func merged(with base: URIReference) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? ""
    return folder + path
  }

  /// RFC 3986 §5.2.4
  private static func withoutDots(_ path: String) -> String {
    guard path.utf8.contains(0x2E) else { return path }
    var output: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { output.append("") }
      case "..":
        if output.count > 1 || (output.count == 1 && output[0] != "") { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(part)
      }
    }
    return output.joined(separator: "/")
  }

  /// Decodes percent-encoded bytes (RFC 3986 §2.1). If the result is not UTF-8, the text is unchanged.
  package static func percentDecoded(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      // Swift also accepts a sign; a URI has two hexadecimal digits.
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == 0x25, digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}
