extension LimitKey {
  /// A key that cannot be read.
  package struct Mistake: Error, Sendable, Hashable {
    /// Which of the names it is, from 0.
    package var part: Int
    /// Found and expected.
    package var message: String
  }

  /// Reads a key as contracts (`x-ratelimit`), scenarios and `--what-if` write it: the names of its parts, in any case.
  ///
  ///     ip | address | source-address   the address that the request comes from
  ///     token                           the credentials: the `Authorization` header
  ///     global | none                   one counter for everybody; it stands alone
  ///     anything else                   a request header of that name, with or without `header.` in front
  package init(names: [String]) throws(Mistake) {
    guard !names.isEmpty else {
      throw Mistake(part: 0, message: "a limit's key needs a part, or is global: one counter for everybody")
    }
    var parts: [Part] = []
    for (index, name) in names.enumerated() {
      switch name.lowercased() {
      case "ip", "address", "source-address": parts.append(.sourceAddress)
      case "token": parts.append(.token)
      case "global", "none":
        guard names.count == 1 else {
          throw Mistake(part: index, message: "\"\(name)\" is one counter for everybody; it cannot be a part of a key")
        }
      case let text:
        // As invariants write it: `header.X-Device-ID`.
        let header = text.hasPrefix("header.") ? String(text.dropFirst("header.".count)) : text
        guard HeaderName.isValid(header) else {
          throw Mistake(
            part: index, message: "\"\(name)\" is not a limit's key: expected ip, token, global or a header's name")
        }
        parts.append(.header(header))
      }
    }
    self.init(parts)
  }
}
