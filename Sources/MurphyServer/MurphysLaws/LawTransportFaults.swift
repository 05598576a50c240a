import Hummingbird
import NIOCore
import NIOPosix

/// The faults of the laws that break the connection, not the response.
extension Fault {
  static let lawTransportFaults = [
    Fault(
      "reset", .transport, on: .getLaw, frequency: .oneIn(10),
      "getLaw resets the connection in the first line of one response in 10",
      .at(\.connection) { channel, _ in
        // HTTP clients such as curl silently retry after a reset before the first byte.
        try await channel.sendRaw("HTTP/1.1 200 OK\r\n")
        // A zero linger time makes the kernel send RST in place of FIN.
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.breakOff()
      }),
    Fault(
      "cut-body", .transport, on: .listLaws, frequency: .oneIn(10),
      "listLaws closes the connection in the middle of one body in 10",
      .at(\.departure) { departure, _ in
        let body = departure.answer.body
        return departure.streamed(length: body.readableBytes) { writer in
          try await writer.write(body.part(0, of: 2))
          try await departure.channel.breakOff(after: .milliseconds(20))
        }
      }),
    Fault(
      "hang", .transport, on: .getLaw, frequency: .oneIn(20), "getLaw never answers one request in 20",
      // Longer than any client waits; ends immediately when the server stops.
      .at(\.connection) { channel, _ in try await channel.breakOff(after: .seconds(90)) }),
    Fault(
      "huge-body", .transport, on: .listAttributions, "listAttributions sends 100 MB",
      .at(\.departure) { departure, _ in departure.huge() }),
    Fault(
      "slow-body", .transport, on: .listAttributions, "listAttributions sends its body in 50 pieces over 5 s",
      .at(\.departure) { departure, _ in
        let body = departure.answer.body
        return departure.streamed(length: body.readableBytes) { writer in
          for index in 0..<50 {
            try await writer.write(body.part(index, of: 50))
            try await Task.sleep(for: .milliseconds(100))
          }
          try await writer.finish(nil)
        }
      }),
    Fault(
      "garbage", .transport, on: .getLaw, frequency: .oneIn(10),
      "getLaw answers one request in 10 with bytes that are not HTTP",
      .at(\.connection) { channel, _ in
        try await channel.sendRaw("MURPHY/0.9 OOPS\u{0}\u{1}\r\n\r\n")
        try await channel.breakOff()
      }),
  ]
}

extension Departure {
  /// The same elements repeated up to 100 MB.
  fileprivate func huge() -> Response {
    let whole = String(buffer: answer.body)
    let elements = whole.dropFirst("{\"data\":[".count).dropLast("]}".count)
    let chunk = ByteBuffer(string: String(repeating: elements + ",", count: max(1, 65536 / elements.utf8.count)))
    return streamed(length: nil) { writer in
      try await writer.write(ByteBuffer(string: "{\"data\":["))
      for _ in 0..<(100_000_000 / chunk.readableBytes) { try await writer.write(chunk) }
      try await writer.write(ByteBuffer(string: elements + "]}"))
      try await writer.finish(nil)
    }
  }
}
