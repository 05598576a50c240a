import MurphyTransport

/// The idle connections that ended sessions have left for the next ones: `client: { connections: reuse }`.
///
/// What a gateway or a proxy of the API's clients does. Without it each session opens a TCP connection of its own and
/// closes it, and the closing side keeps the port for a minute (TIME_WAIT, RFC 9293 §3.6.1): of about 28,000 ephemeral
/// ports a machine has, some 470 sessions a second to one address can be held for ever.
struct ConnectionPool {
  private struct Kind: Hashable {
    var address: String?
    var keepsCookies: Bool
  }

  private var idle: [Kind: [Connection]] = [:]

  /// The connection that was left last, since it is the least likely to be closed by the server; nil when none is.
  mutating func take(address: String?, keepsCookies: Bool) -> Connection? {
    idle[Kind(address: address, keepsCookies: keepsCookies)]?.popLast()
  }

  /// No request may be in flight on it.
  mutating func leave(_ connection: Connection, keepsCookies: Bool) {
    connection.forgetCookies()
    idle[Kind(address: connection.sourceAddress, keepsCookies: keepsCookies), default: []].append(connection)
  }

  mutating func closeAll() {
    for connection in idle.values.joined() { connection.close() }
    idle = [:]
  }
}
