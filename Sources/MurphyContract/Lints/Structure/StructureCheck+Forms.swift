import MurphyModel

/// Texts that have a form of their own.
extension StructureCheck {
  /// A URI reference, relative or not. Braces of templates and letters of any script pass: many documents have them.
  mutating func uri(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    guard let wrong = text.unicodeScalars.first(where: Self.isOutsideURIs) else { return }
    let shown = wrong.properties.isWhitespace ? "a space" : "\"\(wrong)\""
    report("\(label(site)) must be a URI, which cannot have \(shown); found \"\(text)\"", at: site, ofName: false)
  }

  /// RFC 3986 §2 and RFC 3987 §2.2.
  static func isOutsideURIs(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || scalar.value == 0x7F || "<>\"\\^`".unicodeScalars.contains(scalar)
      || scalar.properties.isWhitespace
  }

  mutating func email(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count < 2 || parts.contains(where: \.isEmpty) || text.contains(where: \.isWhitespace) else { return }
    report("\(label(site)) must be an e-mail address; found \"\(text)\"", at: site, ofName: false)
  }

  /// `image/png, image/*`
  mutating func mediaRanges(_ site: Located) {
    guard expect(site, site.value.string != nil, "a string"), let text = site.value.string else { return }
    var isQuoted = false
    let ranges = text.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    for range in ranges where MediaRange(String(range.trimmed)) == nil {
      report(
        "\(label(site)) must be media types, separated by commas; found \"\(range.trimmed)\"", at: site, ofName: false)
    }
  }

  /// Names of headers are tokens (RFC 9110 §5.1); no other can be sent.
  mutating func headerNames(_ headers: Located?) {
    for (name, entry) in headers?.members ?? [] { headerName(name, at: entry, ofName: true) }
  }

  mutating func headerName(_ name: String, at site: Located, ofName: Bool) {
    guard !HeaderName.isValid(name) else { return }
    report("no header can have the name \"\(name)\" (RFC 9110 §5.1)", at: site, ofName: ofName, since32)
  }
}
