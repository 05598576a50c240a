import MurphyModel

/// How the users of a run reach their target.
package struct TransportOptions: Sendable {
  package enum Version: Sendable {
    /// HTTP/2 where the server offers it under TLS (ALPN), else HTTP/1.1.
    case auto
    case http1
    /// HTTP/2 with prior knowledge where there is no TLS.
    case http2
  }

  /// Certificates to trust instead of the system's (PEM).
  package var authorities: String?
  /// What users show in a TLS handshake; nil for nothing.
  package var certificate: ClientCertificate?
  /// Off only on the user's explicit word.
  package var checksCertificates = true
  package var version = Version.auto
  /// Nil takes the environment's proxies, empty none.
  package var proxy: String?
  package var compression = true
  /// The value of `Accept-Encoding`; nil where it is not sent.
  package var codings: String? { compression ? "gzip, deflate" : nil }
  /// Answers keep their content codings. Without `compression` only: libcurl undoes what it asks for.
  package var keepsCodings = false
  package var connectTimeout: Duration = .seconds(10)
  /// From the send to the last byte.
  package var timeout: Duration = .seconds(30)
  /// How long a stream of events is read; nil reads it as any answer, to its end.
  package var stream: StreamPatience? = StreamPatience()
  /// Longer bodies are cut off there, after decompression.
  package var bodyLimit = ByteCount(8_000_000)
  package var userAgent = "murphy"
  /// The header fields of answers that somebody asks for.
  package var fieldNames = FieldNames.common
  /// Connections beyond this number share a libcurl multi handle. A multi walks all its connections after
  /// each request (12 ns each), and needs 59 KB for itself.
  package var usersPerMulti = 32
  /// With TLS a multi also keeps the trusted authorities, more than a megabyte.
  package var usersPerSecureMulti = 256
  /// The same where libcurl only shakes hands: each send and receive of 7.88 looks through half of the multi's
  /// connections.
  package var channelsPerMulti = 64
  /// HTTP/1.1 read and written by murphy itself; else libcurl carries that too, at twice the cost.
  package var prefersDirectPath = true

  package init() {}
}
