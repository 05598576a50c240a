import Hummingbird
import NIOCore
import NIOHTTP1
import NIOPosix

/// The faults that break the connection rather than the answer.
struct TransportFaults: Sendable {
  private let faults: FaultPlan

  init(_ faults: FaultPlan) { self.faults = faults }

  /// Thrown for a request that gets no answer; the connection is closed by then.
  struct Broken: Error {}

  /// Breaks the connection before the request is looked at, or does nothing.
  func disturb(_ operation: Operation, on channel: any Channel) async throws {
    guard operation == .getLaw else { return }
    if faults.strikes(.hang, oneIn: 20) {
      // Longer than any client waits; ends at once when the server stops.
      try await Task.sleep(for: .seconds(90))
      try await channel.close()
      throw Broken()
    }
    if faults.strikes(.reset, oneIn: 10) {
      // A reset before the first byte is one that HTTP clients, curl among them, answer by trying again in silence.
      try await send("HTTP/1.1 200 OK\r\n", on: channel)
      // A zero linger time makes the kernel send RST in place of FIN.
      try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
      try await channel.close()
      throw Broken()
    }
    if faults.strikes(.garbage, oneIn: 10) {
      try await send("MURPHY/0.9 OOPS\u{0}\u{1}\r\n\r\n", on: channel)
      try await channel.close()
      throw Broken()
    }
  }

  /// Sends bytes past the encoder and gives them time to leave.
  private func send(_ text: String, on channel: any Channel) async throws {
    try await channel.eventLoop.submit {
      let encoder = try channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
      encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    }.get()
    try await Task.sleep(for: .milliseconds(20))
  }

  /// The answer as it is sent, whole or broken on its way.
  func response(for answer: Answer, of operation: Operation, on channel: any Channel) -> Response {
    switch operation {
    case .listLaws where faults.strikes(.cutBody, oneIn: 10): cut(answer, channel)
    case .listAttributions where faults.has(.hugeBody): huge(answer)
    case .listAttributions where faults.has(.slowBody): slow(answer)
    default: faults.has(.earlyClose) ? closing(answer, channel) : answer.response
    }
  }

  private func cut(_ answer: Answer, _ channel: any Channel) -> Response {
    var half = answer.body
    half.moveWriterIndex(to: half.readerIndex + half.readableBytes / 2)
    return streamed(answer, length: answer.body.readableBytes) { [half] writer in
      try await writer.write(half)
      try await close(channel)
    }
  }

  /// The same elements again and again, until there are 100 MB of them.
  private func huge(_ answer: Answer) -> Response {
    let whole = String(buffer: answer.body)
    let elements = whole.dropFirst("{\"data\":[".count).dropLast("]}".count)
    let chunk = ByteBuffer(string: String(repeating: elements + ",", count: max(1, 65536 / elements.utf8.count)))
    return streamed(answer, length: nil) { writer in
      try await writer.write(ByteBuffer(string: "{\"data\":["))
      for _ in 0..<(100_000_000 / chunk.readableBytes) { try await writer.write(chunk) }
      try await writer.write(ByteBuffer(string: elements + "]}"))
      try await writer.finish(nil)
    }
  }

  private func slow(_ answer: Answer) -> Response {
    let pieces = stride(from: 0, to: 50, by: 1).map { index in
      let (start, end) = (answer.body.readableBytes * index / 50, answer.body.readableBytes * (index + 1) / 50)
      return answer.body.getSlice(at: start, length: end - start) ?? ByteBuffer()
    }
    return streamed(answer, length: answer.body.readableBytes) { writer in
      for piece in pieces {
        try await writer.write(piece)
        try await Task.sleep(for: .milliseconds(100))
      }
      try await writer.finish(nil)
    }
  }

  private func closing(_ answer: Answer, _ channel: any Channel) -> Response {
    streamed(answer, length: answer.body.readableBytes) { writer in
      try await writer.write(answer.body)
      try await writer.finish(nil)
      try await close(channel)
    }
  }

  private func streamed(
    _ answer: Answer, length: Int?, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(status: answer.status, headers: answer.headers, body: ResponseBody(contentLength: length, write))
  }

  /// Closes after what was written has had time to leave.
  private func close(_ channel: any Channel) async throws {
    try await Task.sleep(for: .milliseconds(20))
    try await channel.close()
    throw Broken()
  }
}
