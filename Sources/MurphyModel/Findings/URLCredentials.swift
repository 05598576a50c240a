/// Credentials before the host of a URL (RFC 3986 §3.2.1). It also handles text that is only partly a URL: the target
/// that a user gave, or a rejected target.
package enum URLCredentials {
  /// `http://***@host/` for `http://name:password@host/`, and `?***` for a query.
  package static func masked(_ url: String) -> String {
    guard url.utf8.contains(where: { "@?#".utf8.contains($0) }) else { return url }
    let shown = replaced(url, by: SecretMask.mask + "@")
    guard let mark = shown.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else { return shown }
    return shown[...mark] + SecretMask.mask
  }

  /// `http://host/` for `http://name:password@host/`
  package static func removed(_ url: String) -> String { replaced(url, by: "") }

  /// Passwords in a command line's argument, literal and percent-decoded.
  package static func passwords(in argument: String) -> [String] {
    guard let range = range(in: argument),
      let at = argument.utf8.index(range.upperBound, offsetBy: -1, limitedBy: range.lowerBound)
    else { return [] }
    let user = argument[range.lowerBound..<at]
    let colon = user.utf8.firstIndex(of: UInt8(ascii: ":"))
    // An e-mail address also has a user without a password, but no scheme.
    guard colon != nil || range.lowerBound > argument.startIndex else { return [] }
    let password = String(colon.map { user[user.utf8.index(after: $0)...] } ?? user)
    return [password, PercentEncoding.decode(password)]
  }

  private static func replaced(_ url: String, by text: String) -> String {
    guard let range = range(in: url) else { return url }
    return url[..<range.lowerBound] + text + url[range.upperBound...]
  }

  /// The range of the credentials with the `@` after them; nil for a text without.
  private static func range(in url: String) -> Range<String.Index>? {
    let bytes = url.utf8
    let slashes = bytes.firstRange(of: "//".utf8)
    let scheme = slashes.map { bytes[..<$0.lowerBound] }
    // `//host` has no scheme; in a path two slashes may be anywhere.
    let hasHost = scheme.map { $0.isEmpty || $0.last == UInt8(ascii: ":") } == true
    let start = hasHost ? slashes?.upperBound ?? url.startIndex : url.startIndex
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
    if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) { return start..<bytes.index(after: at) }
    // A password may have a slash or a question mark in it, so that its beginning looks like an invalid port.
    guard let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")),
      bytes[bytes.index(after: colon)..<end].contains(where: { !(0x30...0x39 ~= $0) }),
      let at = bytes[start...].lastIndex(of: UInt8(ascii: "@"))
    else { return nil }
    return start..<bytes.index(after: at)
  }
}
