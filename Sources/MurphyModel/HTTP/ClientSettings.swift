/// The certificate that a client presents in a TLS handshake, and the proof of its ownership (RFC 8446 §4.4.2).
package struct ClientCertificate: Sendable, Hashable, Codable {
  /// PEM file of the certificate, with the chain to its authority.
  package var file: String
  /// PEM file of the private key; nil if the key is in the certificate's file.
  package var key: String?
  /// The passphrase of the key; a secret.
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
  /// The time from the header section of the response.
  package var time: Duration
  /// The client stops after this number of events; nil for any number.
  package var events: Int?

  package init(time: Duration = .seconds(1), events: Int? = nil) {
    self.time = time
    self.events = events
  }
}
