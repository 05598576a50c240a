/// A link of a `Link` header (RFC 8288 §3).
package struct WebLink: Sendable, Hashable {
  /// A URI reference, not yet resolved.
  package var target: String
  /// Relation types, in lower case.
  package var relations: [String]

  /// The links of all `Link` headers, in their order. Values that are not links are skipped, and so are links with
  /// another context than the request itself (`anchor`, §3.2).
  package static func links(in fields: [String]) -> [WebLink] {
    fields.flatMap { field in
      var scanner = LinkScanner(field)
      return scanner.links()
    }
  }
}

/// Reads `<target>; rel="next last"; title="…", <target>; …` (RFC 8288 appendix B.2).
private struct LinkScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func links() -> [WebLink] {
    var links: [WebLink] = []
    while byte != nil {
      skip { $0 == UInt8(ascii: ",") || Self.isBlank($0) }
      guard byte == UInt8(ascii: "<") else {
        skipLink()
        continue
      }
      position += 1
      let target = take { $0 != UInt8(ascii: ">") }
      guard byte != nil else { break }
      position += 1
      if let link = link(to: target) { links.append(link) }
    }
    return links
  }

  /// Reads the parameters after a target; nil if they name another context.
  private mutating func link(to target: String) -> WebLink? {
    var relations: [String]?
    var hasAnchor = false
    while true {
      skip(Self.isBlank)
      guard byte == UInt8(ascii: ";") else { break }
      position += 1
      skip(Self.isBlank)
      let name = take { !Self.isBlank($0) && !";,=".utf8.contains($0) }.lowercased()
      skip(Self.isBlank)
      var value = ""
      if byte == UInt8(ascii: "=") {
        position += 1
        skip(Self.isBlank)
        value = self.value()
      }
      // The first one counts (§3.3).
      if name == "rel", relations == nil { relations = value.lowercased().split(separator: " ").map(String.init) }
      if name == "anchor" { hasAnchor = true }
    }
    skipLink()
    return hasAnchor ? nil : WebLink(target: target, relations: relations ?? [])
  }

  /// A token, or a quoted string (RFC 9110 §5.6.4).
  private mutating func value() -> String {
    guard byte == UInt8(ascii: "\"") else { return take { !Self.isBlank($0) && !";,".utf8.contains($0) } }
    position += 1
    var text: [UInt8] = []
    while let next = byte {
      position += 1
      if next == UInt8(ascii: "\"") { break }
      if next == UInt8(ascii: "\\"), let escaped = byte {
        text.append(escaped)
        position += 1
      } else {
        text.append(next)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips to the comma before the next link.
  private mutating func skipLink() { skip { $0 != UInt8(ascii: ",") } }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let byte, isSkipped(byte) { position += 1 }
  }

  private mutating func take(_ isTaken: (UInt8) -> Bool) -> String {
    let start = position
    skip(isTaken)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
