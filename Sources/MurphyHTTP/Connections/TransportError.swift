import CLibcurl
import Glibc
import MurphyModel

/// The reason why a request has no response.
package enum TransportError: Error, Sendable, Hashable {
  case refused(String)
  case unreachable(String)
  case unresolved(String)
  case connectTimeout(Duration)
  /// No complete response within the request's timeout. Holds the received bytes of the body; nil if nothing of the
  /// response was received.
  case timeout(Duration, received: Int?)
  /// The connection was closed or reset before the response began.
  case closed(String)
  /// The same on a kept-alive connection, for a request that must not be repeated automatically.
  case lost(LostAttempt, String)
  /// The response breaks a rule without which it cannot be read.
  case broken(ProtocolViolation)
  /// The connection was closed before the end of the body. Holds the received bytes of the body; nil: within the header
  /// section.
  case incomplete(received: Int?, String)
  case notHTTP(String)
  case encryption(String)
  /// This machine has no port, file or memory left: the generator's fault, not the target's.
  case exhausted(Scarcity, String)
  case other(code: Int, String)

  /// The conclusion from a failure about whether the target is alive.
  package enum Life: Sendable {
    /// The client received something that only a living target sends.
    case shown
    case absent
    /// The target could not be reached, as opposed to a failed exchange.
    case unreachable
    /// The failure is this machine's own.
    case unknown
  }

  /// The kind of the finding for this error.
  package var kind: FindingKind { facts.kind }
  package var life: Life { facts.life }
  /// True if no connection to the target was possible.
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

  /// True if it may happen without a fault of either side: a server may close a connection that is idle for long, and
  /// refuse an HTTP/2 stream.
  package var isRace: Bool {
    if case .lost(let attempt, _) = self { !attempt.isEarly || attempt.isStream } else { false }
  }
}

extension TransportError {
  /// Classifies libcurl's codes; `detail` is its error buffer, and `begun` is true if a header section was received.
  ///
  /// libcurl before 8.6 reports "out of memory" for every buffer that reaches its own limit, and later versions "too
  /// large" (curl #12268): a response with a header line over 100 KB, a request over 1 MB. If the request was sent, the
  /// response was too large.
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
        """
        libcurl could not store the request: the request line and headers are longer than 1 MB, or there is too little \
        memory
        """)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unresolved(detail)
    case CURLE_COULDNT_CONNECT:
      self = Self.unconnected(CInt(truncatingIfNeeded: cause), detail)
    case CURLE_INTERFACE_FAILED: self = .exhausted(.ports, detail)
    case CURLE_RECV_ERROR where Self.mentionsChunks(detail), CURLE_WEIRD_SERVER_REPLY where Self.mentionsChunks(detail),
      CURLE_BAD_CONTENT_ENCODING where Self.mentionsChunks(detail):
      self = .broken(.chunks)
    case CURLE_BAD_CONTENT_ENCODING where detail.lowercased().contains("transfer"): self = .broken(.transferEncoding)
    case CURLE_BAD_CONTENT_ENCODING: self = .broken(.coding)
    case CURLE_OPERATION_TIMEDOUT:
      self =
        connected
        ? .timeout(options.whole, received: begun ? received : nil)
        : .connectTimeout(min(options.connect, options.whole))
    case CURLE_PARTIAL_FILE: self = .incomplete(received: received, detail)
    // With TLS 1.3 a server rejects the client's certificate only after the handshake (RFC 8446 §4.4.2.4).
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

  /// True if libcurl's error is about the chunked coding.
  private static func mentionsChunks(_ detail: String) -> Bool { detail.lowercased().contains("chunk") }

  /// True if the TLS library reports an alert about the client's certificate (RFC 8446 §6.2).
  static func refusesCertificate(_ detail: String) -> Bool {
    let text = detail.lowercased()
    return text.contains("alert") && ["certificate", "unknown ca", "access denied"].contains { text.contains($0) }
  }

  /// The part of the encryption that failed, from the message of the TLS library.
  private static func encryption(_ detail: String) -> String {
    if refusesCertificate(detail) {
      return "the target rejects the client certificate, or requires one"
    }
    // TLS 1.2 has no specific alert for a missing certificate (RFC 5246 §7.4.6).
    if detail.contains("alert handshake failure") {
      return "the target aborted the TLS handshake: it may require a client certificate"
    }
    let own = ["client certificate", "private key", "cert file", "PKCS12", "key file", "PEM file"]
    if own.contains(where: { detail.contains($0) }) {
      return "the client certificate or its key cannot be used"
    }
    return detail.lowercased().contains("certificate")
      ? "the TLS certificate of the target is not trusted" : "the TLS handshake failed"
  }

  /// Where the user sets the missing value; empty if none is missing.
  private static func remedy(_ detail: String) -> String {
    if encryption(detail).contains("client certificate") {
      return ". Set it with --cert FILE and --key FILE, or `settings: { tls: { cert: FILE, key: FILE } }`"
    }
    let isUntrusted = ["certificate problem", "unable to get local issuer", "self-signed", "self signed"]
      .contains { detail.contains($0) }
    return isUntrusted && !["expired", "not yet valid", "host name", "hostname"].contains { detail.contains($0) }
      ? ". To trust its certificate authority, use --cacert FILE, or `settings: { tls: { ca-file: FILE } }`" : ""
  }

  /// `CURLE_TOO_LARGE`, which libcurl 8.6 introduced.
  private static let tooLarge = CURLcode(rawValue: 100)

  /// The reason for a missing connection, by the system's error number.
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
  /// The failure and its remedy, without values that differ from request to request.
  package var sentence: String {
    switch self {
    case .refused: "the target refused the connection. Is the target running, and is the port correct?"
    case .unreachable(let detail): "the target cannot be reached: \(detail)"
    case .unresolved(let detail): "cannot resolve the host name of the target: \(detail)"
    case .connectTimeout(let limit): "no connection within \(limit.text)"
    case .timeout(let limit, let received):
      received == nil
        ? "no response within \(limit.text)" : "the response began but was not complete within \(limit.text)"
    case .closed: "the connection was closed before a response was received"
    case .lost(let attempt, _) where attempt.isStream:
      "the server refused the HTTP/2 stream of the request, or closed the connection before it responded. "
        + attempt.remark
    case .lost(let attempt, _) where attempt.isEarly:
      "the server closed a kept-alive connection before it responded, although the connection had been idle for less "
        + "than \(attempt.rule). \(attempt.remark)"
    case .lost(let attempt, _):
      "the server closed an idle connection while murphy sent the request. \(attempt.remark)"
    case .broken(let violation): violation.sentence
    case .incomplete(let received, _):
      "the response ended early: the connection was closed "
        + (received == nil ? "within the header section" : "before the end of the body")
    case .notHTTP(let detail): "the received bytes are not HTTP: \(detail)"
    case .encryption(let detail): "\(Self.encryption(detail)): \(detail)\(Self.remedy(detail))"
    case .exhausted(let scarcity, let detail):
      "this machine had no \(scarcity.words.lack): \(detail). \(scarcity.words.remedy)"
    case .other(let code, let detail): "\(detail) (libcurl code \(code))"
    }
  }

  /// The failure without the system's detail of one request: equal for equal causes.
  package var cause: String {
    switch self {
    case .unreachable: "the target cannot be reached"
    case .unresolved: "cannot resolve the host name of the target"
    case .notHTTP: "the received bytes are not HTTP"
    case .encryption(let detail): "\(Self.encryption(detail))\(Self.remedy(detail))"
    case .exhausted(let scarcity, _): "this machine had no \(scarcity.words.lack). \(scarcity.words.remedy)"
    case .other(let code, _): "libcurl failed with code \(code)"
    default: sentence
    }
  }

  /// The system's message if it distinguishes causes; nil if it only holds addresses and byte counts.
  package var distinction: String? { cause == sentence ? nil : detail }

  /// The system's message for people; it may hold addresses and byte counts.
  package var detail: String {
    switch self {
    case .refused(let text), .unreachable(let text), .unresolved(let text), .closed(let text), .notHTTP(let text),
      .encryption(let text), .exhausted(_, let text), .other(_, let text):
      text
    case .lost(let attempt, let text): "\(text); the connection had been idle for \(attempt.idle.text)"
    case .broken(let violation): violation.sentence
    case .incomplete(let received, let text):
      text + (received.map { " (\($0) bytes of the body were received)" } ?? "")
    case .connectTimeout(let limit): "stopped waiting after \(limit.text)"
    case .timeout(let limit, let received):
      "stopped waiting after \(limit.text); \(received ?? 0) bytes of the body were received"
    }
  }
}
