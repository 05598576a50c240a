extension TransportError {
  /// What failed and what to do, without values that differ from request to request.
  package var sentence: String {
    switch self {
    case .refused: "the target refused the connection. Is it running, and is the port right?"
    case .unreachable(let detail): "the target cannot be reached: \(detail)"
    case .unresolved(let detail): "the target's name has no address: \(detail)"
    case .connectTimeout(let limit): "no connection within \(limit.text)"
    case .timeout(let limit, let received):
      received == 0 ? "no answer within \(limit.text)" : "the answer began but was not complete within \(limit.text)"
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
    case .incomplete: "the answer ended early: the connection was closed before the announced end of the body"
    case .notHTTP(let detail): "what came is not HTTP: \(detail)"
    case .encryption(let detail):
      "no trusted encrypted connection: \(detail). The scenario names a test authority in `settings: { tls: { ca-file: FILE } }`"
    case .exhausted(let detail):
      "this machine ran out of ports, files or memory: \(detail). Raise the limit of open files (`ulimit -n`), or spread users over source addresses or machines"
    case .other(let code, let detail): "\(detail) (libcurl code \(code))"
    }
  }

  /// What failed, without what the system said of one request: equal for equal causes.
  package var cause: String {
    switch self {
    case .unreachable: "the target cannot be reached"
    case .unresolved: "the target's name has no address"
    case .notHTTP: "what came is not HTTP"
    case .encryption:
      "no trusted encrypted connection. The scenario names a test authority in `settings: { tls: { ca-file: FILE } }`"
    case .exhausted:
      "this machine ran out of ports, files or memory. Raise the limit of open files (`ulimit -n`), or spread users over source addresses or machines"
    case .other(let code, _): "libcurl failed with code \(code)"
    case .refused, .connectTimeout, .timeout, .closed, .lost, .broken, .incomplete: sentence
    }
  }

  /// What the system said, where that tells causes apart; nil where it only holds addresses and byte counts.
  package var distinction: String? {
    switch self {
    case .unreachable, .unresolved, .notHTTP, .encryption, .exhausted, .other: detail
    case .refused, .connectTimeout, .timeout, .closed, .lost, .broken, .incomplete: nil
    }
  }

  /// What the system said, for people; may hold addresses and byte counts.
  package var detail: String {
    switch self {
    case .refused(let text), .unreachable(let text), .unresolved(let text), .closed(let text), .notHTTP(let text),
      .encryption(let text), .exhausted(let text), .other(_, let text):
      text
    case .lost(let attempt, let text): "\(text); the connection had been idle for \(attempt.idle.text)"
    case .broken(let violation): violation.sentence
    case .incomplete(let received, let text): "\(text) (\(received) bytes of the body came)"
    case .connectTimeout(let limit): "gave up after \(limit.text)"
    case .timeout(let limit, let received): "gave up after \(limit.text); \(received) bytes of the body came"
    }
  }
}
