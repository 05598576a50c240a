/// The certificate that a client shows in a TLS handshake, and the proof that it is its own (RFC 8446 §4.4.2).
package struct ClientCertificate: Sendable, Hashable, Codable {
  /// PEM file of the certificate, with those that lead to its authority.
  package var file: String
  /// PEM file of the private key; nil where it stands in the certificate's file.
  package var key: String?
  /// Of the key; a secret.
  package var passphrase: String?

  /// Without the passphrase: no file that murphy writes holds it.
  private enum CodingKeys: String, CodingKey { case file, key }

  package init(file: String, key: String? = nil, passphrase: String? = nil) {
    self.file = file
    self.key = key
    self.passphrase = passphrase
  }
}

/// How long a client reads a stream of events that has no end.
package struct StreamPatience: Sendable, Hashable {
  /// From the header section of the answer.
  package var time: Duration
  /// It goes after so many events; nil for any number.
  package var events: Int?

  package init(time: Duration = .seconds(1), events: Int? = nil) {
    self.time = time
    self.events = events
  }
}
