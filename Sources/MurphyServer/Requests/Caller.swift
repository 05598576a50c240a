import HTTPTypes
import Hummingbird
import NIOCore

/// Who sent a request, as far as the server believes it.
struct Caller: Sendable, Equatable {
  /// What its own header fields say, if the system reads any.
  var client: Client?
  /// The address of the connection's peer.
  var address: String
  /// The first name in `X-Forwarded-For`: what anybody may write. The honest server does not read it.
  var forwarded: String?
  var path: String

  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  init(_ request: Request, _ client: Client?, peer: SocketAddress?) {
    self.client = client
    address = peer?.ipAddress ?? "unknown"
    forwarded = request.headers[Self.forwardedFor].flatMap { $0.split(separator: ",").first }.map(String.init)
    path = request.uri.path
  }

  /// The name under which requests are counted: the client, else the address. No proxy stands before this server, so
  /// forwarding headers are what anybody may write, and say nothing.
  var name: String { client?.name ?? "address " + address }

  /// Whose data the request works with; 0 where nobody has to log in.
  var account: Int { client?.account ?? 0 }
}

/// Who a request says it is from.
struct Client: Sendable, Equatable {
  /// What requests are counted by: `device 550e…`, `token 7f…`.
  var name: String
  /// Whose data it works with, where the system has accounts.
  var account = 0
}

/// The bearer token of a request (RFC 6750, section 2.1).
enum BearerToken {
  static func read(_ request: Request) -> String? {
    guard let value = request.headers[.authorization] else { return nil }
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1])
  }
}
