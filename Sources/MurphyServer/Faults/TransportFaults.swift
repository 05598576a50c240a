import Hummingbird
import NIOCore
import NIOHTTP1
import NIOPosix

/// The faults that break the connection rather than the answer.
extension Fault {
  static let transportFaults = [
    Fault(
      "reset", .transport, on: .getLaw, frequency: .oneIn(10),
      "getLaw resets the connection in the first line of one answer in 10",
      .at(\.connection) { channel, _ in
        // A reset before the first byte is one that HTTP clients, curl among them, answer by trying again in silence.
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
      // Longer than any client waits; ends at once when the server stops.
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
      "early-close", .transport, "every connection is closed after one answer, without saying so",
      .at(\.departure) { departure, _ in
        let body = departure.answer.body
        return departure.streamed(length: body.readableBytes) { writer in
          try await writer.write(body)
          try await writer.finish(nil)
          try await departure.channel.breakOff(after: .milliseconds(20))
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
  fileprivate func streamed(
    length: Int?, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(status: answer.status, headers: answer.headers, body: ResponseBody(contentLength: length, write))
  }

  /// The same elements again and again, until there are 100 MB of them.
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

extension ByteBuffer {
  /// Part `index` of `count` that are about as long as each other.
  fileprivate func part(_ index: Int, of count: Int) -> ByteBuffer {
    let (start, end) = (readableBytes * index / count, readableBytes * (index + 1) / count)
    return getSlice(at: readerIndex + start, length: end - start) ?? ByteBuffer()
  }
}

extension Channel {
  /// Sends bytes past the encoder and gives them time to leave.
  fileprivate func sendRaw(_ text: String) async throws {
    try await eventLoop.submit {
      let encoder = try self.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
      encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    }.get()
    try await Task.sleep(for: .milliseconds(20))
  }

  /// Closes the connection and ends the request without an answer.
  fileprivate func breakOff(after pause: Duration = .zero) async throws {
    if pause > .zero { try await Task.sleep(for: pause) }
    try await close()
    throw BrokenOff()
  }
}

/// Thrown for a request that gets no answer; the connection is closed by then.
private struct BrokenOff: Error {}
