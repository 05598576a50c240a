/// How an API wants to be told who is asking.
package struct SecurityScheme: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// `Authorization: <scheme> <value>`; for `basic` the value is `user:password`.
    case http(scheme: String)
    case apiKey(name: String, place: KeyPlace)
    /// OAuth 2 or OpenID Connect: a token that was obtained elsewhere, sent as `Bearer`.
    case token
    /// Nothing is sent in requests.
    case mutualTLS
  }

  package enum KeyPlace: String, Sendable, Hashable { case header, query, cookie }

  /// Its name in the document.
  package let name: String
  package let kind: Kind

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// The environment variable that holds the value: `MURPHY_AUTH_` and the name in capitals, with an underscore
  /// for everything that is not a letter or digit: `api-key` is read from `MURPHY_AUTH_API_KEY`.
  package var environmentVariable: String {
    let name = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "MURPHY_AUTH_" + String(name)
  }
}
