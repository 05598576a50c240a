import MurphyModel

/// How long a connection is idle between two requests, and how long its server said that it may be.
struct KeptConnection {
  /// When the last answer came, at the earliest: the loop may have looked at it late.
  var idleSince: Instant
  /// `Keep-Alive: timeout=N` (RFC 2068 §19.7.1.1), as servers still send it.
  var announced: Duration?
}

/// One sending of a request whose connection was closed before the first byte of an answer.
///
/// It happens on a connection that was kept alive: the server may close one that is idle just when a request is on its
/// way (RFC 9112 §9.3.1). A server that closes sooner than it may has lost a request.
package struct LostAttempt: Sendable, Hashable {
  package var sent: Instant
  /// How long the connection had been idle when the request was sent, at most.
  package var idle: Duration
  package var announced: Duration?
  /// HTTP/2: the server may have refused the stream (RFC 9113 §8.7); libcurl does not tell that from a lost one.
  package var isStream = false

  package init(sent: Instant, idle: Duration, announced: Duration?) {
    self.sent = sent
    self.idle = idle
    self.announced = announced
  }

  init(sent: Instant, on connection: KeptConnection?) {
    self.sent = sent
    idle = connection.map { .nanoseconds(max(sent - $0.idleSince, 0)) } ?? .zero
    announced = connection?.announced
  }

  /// What a server must keep an idle connection for: the time that it announced, less a tenth for the way of the
  /// request, or a second.
  package var patience: Duration { announced.map { $0 * 9 / 10 } ?? .seconds(1) }

  /// Whether the close was the server's error, as opposed to the known race on an idle connection.
  package var isEarly: Bool { idle < patience }

  /// The rule in words, without values of one request.
  package var rule: String {
    announced.map { "the \($0.text) that it announces" } ?? "a second, and announces no keep-alive time"
  }
}
