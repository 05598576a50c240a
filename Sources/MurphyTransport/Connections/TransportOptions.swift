import MurphyModel

/// How the users of a run reach their target.
package struct TransportOptions: Sendable {
  /// Certificates to trust instead of the system's (PEM); certificates are always checked.
  package var authorities: String?
  package var connectTimeout: Duration = .seconds(10)
  /// From the send to the last byte.
  package var timeout: Duration = .seconds(30)
  /// Longer bodies are cut off there, after decompression.
  package var bodyLimit = ByteCount(8_000_000)
  package var userAgent = "murphy"
  /// Connections beyond this number share a libcurl multi handle. A multi walks all its connections after
  /// each request (12 ns each), and needs 59 KB for itself.
  package var usersPerMulti = 32

  package init() {}
}
