import Hummingbird
import NIOCore
import NIOHTTP1

/// The faults of every system that break the connection, not the response.
extension Fault {
  static let transportFaults = [
    Fault(
      "early-close", .transport, "every connection is closed after one response, without Connection: close",
      .at(\.departure) { departure, _ in
        let body = departure.answer.body
        return departure.streamed(length: body.readableBytes) { writer in
          try await writer.write(body)
          try await writer.finish(nil)
          try await departure.channel.breakOff(after: .milliseconds(20))
        }
      })
  ]
}

extension Departure {
  func streamed(
    length: Int?, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(status: answer.status, headers: answer.headers, body: ResponseBody(contentLength: length, write))
  }
}

extension ByteBuffer {
  /// Part `index` of `count` of about equal length.
  func part(_ index: Int, of count: Int) -> ByteBuffer {
    let (start, end) = (readableBytes * index / count, readableBytes * (index + 1) / count)
    return getSlice(at: readerIndex + start, length: end - start) ?? ByteBuffer()
  }
}

extension Channel {
  /// Sends bytes that bypass the encoder, and waits until they can be sent.
  func sendRaw(_ text: String) async throws {
    try await eventLoop.submit {
      let encoder = try self.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
      encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    }.get()
    try await Task.sleep(for: .milliseconds(20))
  }

  /// Closes the connection and ends the request without a response.
  func breakOff(after pause: Duration = .zero) async throws {
    if pause > .zero { try await Task.sleep(for: pause) }
    try await close()
    throw BrokenOff()
  }
}

/// Thrown for a request without a response; the connection is already closed.
private struct BrokenOff: Error {}
