import MurphyModel

/// The head of a request as it goes over the wire.
package struct RequestTarget: Sendable, Hashable {
  /// Upper case.
  package var method: String
  /// `/laws/17?fields=title`: percent-encoded, without scheme and authority.
  package var pathAndQuery: String
  /// In order; cookies are joined to one `Cookie` field.
  package var headers: [HeaderField]
}

/// Why a request cannot be written.
package struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
