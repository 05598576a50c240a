import Foundation

/// One answer as it came over the wire.
struct Exchange: Sendable {
  /// 0 if no status line came.
  var status = 0
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body = Data()
  /// How the connection ended before the answer was whole, if it did.
  var breach: Breach?
  var elapsed: Duration = .zero

  enum Breach: Sendable {
    case reset, closedEarly, timeout, notHTTP
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; null if it is none.
  var json: JSON { (try? JSONDecoder().decode(JSON.self, from: body)) ?? .null }
}
