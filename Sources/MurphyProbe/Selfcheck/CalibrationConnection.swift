/// A request as the calibration server reads it.
struct CalibrationRequest {
  /// Without a query.
  var path: String
  /// The header `X-Key`; empty without one.
  var key: String
}

/// The bytes of one connection, split into requests without a body (RFC 9112 §2).
struct CalibrationConnection {
  private var bytes: [UInt8] = []

  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

  /// Takes the next complete request; nil when none is complete.
  mutating func nextRequest() -> CalibrationRequest? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= end.count,
      let last = (0...(bytes.count - end.count)).first(where: { bytes[$0..<$0 + end.count].elementsEqual(end) })
    else { return nil }
    let lines = String(decoding: bytes[..<last], as: UTF8.self).split(separator: "\r\n")
    bytes.removeFirst(last + end.count)
    let words = lines.first?.split(separator: " ") ?? []
    let target = words.count > 1 ? words[1] : ""
    let key = lines.dropFirst().first { $0.lowercased().hasPrefix("x-key:") }
    return CalibrationRequest(
      path: String(target.prefix { $0 != "?" }), key: key.map { String($0.drop { $0 != ":" }.dropFirst()) } ?? "")
  }
}

/// The responses of the calibration server, as they are sent.
enum CalibrationAnswer {
  static let good = answer("200 OK", body: #"{"ok":true}"#)
  /// `ok` is not a Boolean.
  static let broken = answer("200 OK", body: #"{"ok":"yes"}"#)
  static let unknown = answer("404 Not Found", body: "{}")

  /// - Parameter nanoseconds: until the window ends.
  static func refused(nanoseconds: Int64) -> [UInt8] {
    let seconds = (nanoseconds + 999_999_999) / 1_000_000_000
    return answer("429 Too Many Requests", fields: "Retry-After: \(seconds)\r\n", body: #"{"ok":false}"#)
  }

  private static func answer(_ status: String, fields: String = "", body: String) -> [UInt8] {
    let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return Array((head + fields + "\r\n" + body).utf8)
  }
}
