import CLibcurl
import Glibc
import MurphyModel

package enum TransportError: Error, Sendable, Hashable {
  case refused(String)
  case unreachable(String)
  case unresolved(String)
  case connectTimeout(Duration)
  /// No complete answer within the request's timeout; with the bytes of the body that did come, nil where none of the
  /// answer did.
  case timeout(Duration, received: Int?)
  /// The connection was closed or reset before the answer began.
  case closed(String)
  /// The same on a connection that was kept alive, for a request that must not be sent again on its own.
  case lost(LostAttempt, String)
  /// The answer breaks a rule without which it cannot be read.
  case broken(ProtocolViolation)
  /// The connection was closed before the end of the body, with the bytes of it that did come; nil: within the header
  /// section.
  case incomplete(received: Int?, String)
  case notHTTP(String)
  case encryption(String)
  /// This machine has no port, file or memory left: the generator's fault, not the target's.
  case exhausted(Scarcity, String)
  case other(code: Int, String)

  /// What a failure says of the target's life.
  package enum Life: Sendable {
    /// Something came that only a living target sends.
    case shown
    case absent
    /// The target never came into reach, as opposed to failing an exchange.
    case unreachable
    /// The failure is this machine's own.
    case unknown
  }

  package var kind: FindingKind { facts.kind }
  package var life: Life { facts.life }
  package var isUnreachable: Bool { life == .unreachable }

  private var facts: (kind: FindingKind, life: Life) {
    switch self {
    case .refused: (.transportRefused, .unreachable)
    case .unreachable: (.transportUnreachable, .unreachable)
    case .unresolved: (.transportUnresolved, .unreachable)
    case .connectTimeout: (.transportConnectTimeout, .unreachable)
    case .timeout(_, let received): (.transportTimeout, received == nil ? .absent : .shown)
    case .closed: (.transportClosed, .absent)
    case .lost(let attempt, _):
      (attempt.isEarly || attempt.isStream ? .transportClosedEarly : .transportClosedIdle, .absent)
    case .broken(let violation): (violation.kind, .shown)
    case .incomplete: (.transportIncomplete, .shown)
    case .notHTTP: (.transportNotHTTP, .shown)
    case .encryption: (.transportEncryption, .shown)
    case .exhausted: (.transportExhausted, .unknown)
    case .other: (.transportOther, .absent)
    }
  }

  /// Whether it may happen without anybody's fault: a server may close a connection that is idle for long, and refuse an
  /// HTTP/2 stream.
  package var isRace: Bool {
    if case .lost(let attempt, _) = self { !attempt.isEarly || attempt.isStream } else { false }
  }
}

extension TransportError {
  /// Sorts libcurl's codes; `detail` is its error buffer, and `begun` whether a header section had come.
  ///
  /// libcurl before 8.6 says "out of memory" of every buffer that reaches its own limit, and later versions "too
  /// large" (curl #12268): an answer with a header line over 100 KB, a request over 1 MB. When the request was sent, it
  /// is the answer's.
  init(
    _ code: CURLcode, detail: String, cause: Int, connected: Bool = false, isSent: Bool = false, begun: Bool = false,
    received: Int = 0, options: (connect: Duration, whole: Duration)
  ) {
    switch code {
    case CURLE_OUT_OF_MEMORY where isSent, Self.tooLarge where isSent:
      self = .broken(.headerSize)
    case CURLE_OUT_OF_MEMORY, Self.tooLarge:
      self = .other(
        code: Int(code.rawValue),
        "libcurl had no room for the request: its line and headers are longer than 1 MB, or memory is short")
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unresolved(detail)
    case CURLE_COULDNT_CONNECT:
      self = Self.unconnected(CInt(truncatingIfNeeded: cause), detail)
    case CURLE_INTERFACE_FAILED: self = .exhausted(.ports, detail)
    case CURLE_RECV_ERROR where Self.tellsOfChunks(detail), CURLE_WEIRD_SERVER_REPLY where Self.tellsOfChunks(detail),
      CURLE_BAD_CONTENT_ENCODING where Self.tellsOfChunks(detail):
      self = .broken(.chunks)
    case CURLE_BAD_CONTENT_ENCODING where detail.lowercased().contains("transfer"): self = .broken(.transferEncoding)
    case CURLE_BAD_CONTENT_ENCODING: self = .broken(.coding)
    case CURLE_OPERATION_TIMEDOUT:
      self = connected ? .timeout(options.whole, received: begun ? received : nil) : .connectTimeout(options.connect)
    case CURLE_PARTIAL_FILE: self = .incomplete(received: received, detail)
    // With TLS 1.3 a server says only after the handshake that it refuses the client's certificate (RFC 8446 §4.4.2.4).
    case CURLE_RECV_ERROR where Self.refusesCertificate(detail), CURLE_SEND_ERROR where Self.refusesCertificate(detail):
      self = .encryption(detail)
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR: self = .closed(detail)
    case CURLE_RECV_ERROR: self = begun ? .incomplete(received: received, detail) : .closed(detail)
    case CURLE_HTTP2, CURLE_HTTP2_STREAM:
      self = begun ? .incomplete(received: received, detail) : .closed(detail)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .notHTTP(detail)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      self = .encryption(detail)
    default: self = .other(code: Int(code.rawValue), detail)
    }
  }

  /// Whether libcurl's error is about the chunked coding.
  private static func tellsOfChunks(_ detail: String) -> Bool { detail.lowercased().contains("chunk") }

  /// Whether the TLS library tells of an alert about the client's certificate (RFC 8446 §6.2).
  static func refusesCertificate(_ detail: String) -> Bool {
    let text = detail.lowercased()
    return text.contains("alert") && ["certificate", "unknown ca", "access denied"].contains { text.contains($0) }
  }

  /// What of the encryption failed, by what the TLS library says.
  private static func encryption(_ detail: String) -> String {
    if refusesCertificate(detail) {
      return "the target does not accept the client's certificate, or wants one"
    }
    // TLS 1.2 has no alert of its own for a certificate that is missing (RFC 5246 §7.4.6).
    if detail.contains("alert handshake failure") {
      return "the target broke the handshake off, as it does where it wants a client's certificate"
    }
    let own = ["client certificate", "private key", "cert file", "PKCS12", "key file", "PEM file"]
    if own.contains(where: { detail.contains($0) }) {
      return "the client's certificate or its key cannot be used"
    }
    return "no trusted encrypted connection"
  }

  /// Where the scenario says what is missing.
  private static func remedy(_ detail: String) -> String {
    encryption(detail).contains("client's")
      ? "The scenario names one in `settings: { tls: { cert: FILE, key: FILE } }`, or --cert and --key"
      : "The scenario names a test authority in `settings: { tls: { ca-file: FILE } }`"
  }

  /// `CURLE_TOO_LARGE`, which libcurl 8.6 introduced.
  private static let tooLarge = CURLcode(rawValue: 100)

  /// Why there is no connection, by the system's error number.
  static func unconnected(_ cause: CInt, _ detail: String) -> TransportError {
    switch cause {
    case ECONNREFUSED: .refused(detail)
    case EADDRNOTAVAIL, EADDRINUSE: .exhausted(.ports, detail)
    case EMFILE, ENFILE: .exhausted(.files, detail)
    case ENOBUFS, ENOMEM: .exhausted(.memory, detail)
    default: .unreachable(detail)
    }
  }
}

extension TransportError {
  /// What failed and what to do, without values that differ from request to request.
  package var sentence: String {
    switch self {
    case .refused: "the target refused the connection. Is it running, and is the port right?"
    case .unreachable(let detail): "the target cannot be reached: \(detail)"
    case .unresolved(let detail): "the target's name has no address: \(detail)"
    case .connectTimeout(let limit): "no connection within \(limit.text)"
    case .timeout(let limit, let received):
      received == nil ? "no answer within \(limit.text)" : "the answer began but was not complete within \(limit.text)"
    case .closed: "the connection was closed before an answer came"
    case .lost(let attempt, _) where attempt.isStream:
      "the server refused the request's HTTP/2 stream, or closed the connection, before it answered. The request is not "
        + "idempotent and was not sent again"
    case .lost(let attempt, _) where attempt.isEarly:
      "the server closed a kept-alive connection before it answered, though it had been idle for less than "
        + "\(attempt.rule). The request is not idempotent and was not sent again"
    case .lost:
      "the server closed an idle connection just when the request was sent. The request is not idempotent and was not "
        + "sent again"
    case .broken(let violation): violation.sentence
    case .incomplete(let received, _):
      "the answer ended early: the connection was closed "
        + (received == nil ? "within the header section" : "before the end of the body")
    case .notHTTP(let detail): "what came is not HTTP: \(detail)"
    case .encryption(let detail): "\(Self.encryption(detail)): \(detail). \(Self.remedy(detail))"
    case .exhausted(let scarcity, let detail):
      "this machine had no \(scarcity.words.lack): \(detail). \(scarcity.words.remedy)"
    case .other(let code, let detail): "\(detail) (libcurl code \(code))"
    }
  }

  /// What failed, without what the system said of one request: equal for equal causes.
  package var cause: String {
    switch self {
    case .unreachable: "the target cannot be reached"
    case .unresolved: "the target's name has no address"
    case .notHTTP: "what came is not HTTP"
    case .encryption(let detail): "\(Self.encryption(detail)). \(Self.remedy(detail))"
    case .exhausted(let scarcity, _): "this machine had no \(scarcity.words.lack). \(scarcity.words.remedy)"
    case .other(let code, _): "libcurl failed with code \(code)"
    default: sentence
    }
  }

  /// What the system said, where that tells causes apart; nil where it only holds addresses and byte counts.
  package var distinction: String? { cause == sentence ? nil : detail }

  /// What the system said, for people; may hold addresses and byte counts.
  package var detail: String {
    switch self {
    case .refused(let text), .unreachable(let text), .unresolved(let text), .closed(let text), .notHTTP(let text),
      .encryption(let text), .exhausted(_, let text), .other(_, let text):
      text
    case .lost(let attempt, let text): "\(text); the connection had been idle for \(attempt.idle.text)"
    case .broken(let violation): violation.sentence
    case .incomplete(let received, let text):
      text + (received.map { " (\($0) bytes of the body came)" } ?? "")
    case .connectTimeout(let limit): "gave up after \(limit.text)"
    case .timeout(let limit, let received): "gave up after \(limit.text); \(received ?? 0) bytes of the body came"
    }
  }
}
