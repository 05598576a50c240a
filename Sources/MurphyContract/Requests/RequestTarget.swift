import MurphyModel

/// The head of a request as it goes over the wire.
public struct RequestTarget: Sendable, Hashable {
  /// Upper case.
  public var method: String
  /// `/laws/17?fields=title`: percent-encoded, without scheme and authority.
  public var pathAndQuery: String
  /// In order; cookies are joined to one `Cookie` field.
  public var headers: [HeaderField]

  public init(method: String, pathAndQuery: String, headers: [HeaderField]) {
    self.method = method
    self.pathAndQuery = pathAndQuery
    self.headers = headers
  }
}

/// Why a request cannot be written.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
