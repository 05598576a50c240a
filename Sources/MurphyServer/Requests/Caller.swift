import HTTPTypes
import Hummingbird
import NIOCore

/// The sender of a request, as the server identifies it.
package struct Caller: Sendable, Equatable {
  /// The client in its own headers, if the system reads any.
  var client: Client?
  /// The address of the connection's peer.
  var address: String
  /// The first name in `X-Forwarded-For`, which any client may write. The correct server ignores it.
  var forwarded: String?
  var path: String

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  init(_ request: Request, _ client: Client?, peer: SocketAddress?) {
    self.client = client
    address = peer?.ipAddress ?? "unknown"
    forwarded = request.headers[Self.forwardedFor].flatMap { $0.split(separator: ",").first }.map(String.init)
    path = request.uri.path
  }

  /// The name under which requests are counted: the client, otherwise the address. No proxy is in front of this server.
  /// Any client may write forwarding headers, so they are ignored.
  package var name: String { client?.name ?? "address " + address }

  /// The account of the request; 0 if no login is required.
  package var account: Int { client?.account ?? 0 }
}

/// The sender in the headers of a request.
package struct Client: Sendable, Equatable {
  /// The name under which requests are counted: `device 550e…`, `token 7f…`.
  package var name: String
  /// The account, if the system has accounts.
  package var account = 0

  package init(name: String, account: Int = 0) {
    self.name = name
    self.account = account
  }
}

/// The bearer token of a request (RFC 6750, section 2.1).
package enum BearerToken {
  /// Nil without a bearer token.
  package static func read(_ request: Request) -> String? {
    guard let value = request.headers[.authorization] else { return nil }
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}
