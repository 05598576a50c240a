import HTTPTypes
import Hummingbird
import NIOCore

/// Who sent a request, as far as the server believes it.
struct Caller: Sendable, Equatable {
  /// `X-Device-ID`, if it was sent.
  var device: String?
  /// The address of the connection's peer.
  var address: String
  /// The first name in `X-Forwarded-For`: what anybody may write. The honest server does not read it.
  var forwarded: String?
  var path: String

  private static let deviceID = HTTPField.Name("X-Device-ID")!
  private static let forwardedFor = HTTPField.Name("X-Forwarded-For")!

  init(_ request: Request, peer: SocketAddress?) {
    device = request.headers[Self.deviceID]
    address = peer?.ipAddress ?? "unknown"
    forwarded = request.headers[Self.forwardedFor].flatMap { $0.split(separator: ",").first }.map(String.init)
    path = request.uri.path
  }

  /// The name under which votes are kept: the device, else the address. No proxy stands before this server, so
  /// forwarding headers are what anybody may write, and say nothing.
  var voter: String { device.map { "device " + $0 } ?? "address " + address }

  /// Throws if `X-Device-ID` is not of the documented form: 1 to 64 of `A-Z a-z 0-9 . _ : -`.
  func check() throws(APIError) {
    guard let device else { return }
    let isKnown = device.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 58, 95: true
      default: false
      }
    }
    guard isKnown, 1...64 ~= device.utf8.count else {
      throw .invalid("X-Device-ID", "X-Device-ID must be 1 to 64 characters of A-Z a-z 0-9 . _ : -")
    }
  }
}
