import Foundation

/// Reads one HTTP/1.1 response out of all that a connection has brought.
enum ResponseParser {
  static func parse(_ received: Data, _ end: Exchange.Breach?) -> Exchange {
    var exchange = Exchange()
    guard received.starts(with: Data("HTTP/1.1 ".utf8)), let gap = received.range(of: Data("\r\n\r\n".utf8)) else {
      exchange.body = received
      exchange.breach = end ?? (received.isEmpty ? .closedEarly : .notHTTP)
      return exchange
    }
    let lines = String(decoding: received[..<gap.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    exchange.status = Int(lines[0].split(separator: " ")[1]) ?? 0
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      exchange.headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    let rest = Data(received[gap.upperBound...])
    if exchange.headers["transfer-encoding"] == "chunked" {
      exchange.body = unchunked(Array(rest))
      exchange.breach = end
    } else {
      let length = exchange.headers["content-length"].flatMap { Int($0) } ?? rest.count
      exchange.body = Data(rest.prefix(length))
      exchange.breach = rest.count < length ? end ?? .closedEarly : nil
    }
    return exchange
  }

  private static func unchunked(_ data: [UInt8]) -> Data {
    var body = Data()
    var rest = data[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")),
      let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0,
      end + 2 + size <= rest.endIndex
    {
      body.append(contentsOf: rest[(end + 2)..<(end + 2 + size)])
      rest = rest.dropFirst(end + 2 + size + 2 - rest.startIndex)
    }
    return body
  }
}
