import HTTPTypes
import Hummingbird
import Synchronization

/// A whole response, before it is converted for Hummingbird. The hooks can change every part of it.
package struct Answer: Sendable {
  package var status: HTTPResponse.Status
  package var headers: HTTPFields
  package var body: ByteBuffer
  /// Writes a body of unknown length, instead of `body`.
  var stream: (@Sendable (inout any ResponseBodyWriter) async throws -> Void)?

  /// An object whose fields `members` writes.
  package static func json(_ status: HTTPResponse.Status, capacity: Int = 512, _ members: (inout JSONWriter) -> Void)
    -> Answer
  {
    var json = JSONWriter(capacity: capacity)
    json.object(members)
    return Answer(status: status, headers: jsonHeaders, body: json.buffer)
  }

  private static let jsonHeaders: HTTPFields = [.contentType: "application/json", .accessControlAllowOrigin: "*"]

  /// A success without a body.
  package static let noContent = Answer(
    status: .noContent, headers: [.accessControlAllowOrigin: "*"], body: ByteBuffer())

  /// A stream of events (HTML Living Standard, section 9.2.5) that lasts until the client leaves or `life` is over.
  ///
  /// - Parameters:
  ///   - life: nanoseconds. Clients expect the end and continue with a new request.
  ///   - next: the events since the last call, as text. Without events, a comment is sent. It shows whether the client
  ///     is still connected.
  package static func events(life: Int64, next: @escaping @Sendable () async throws -> String) -> Answer {
    var answer = Answer(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .accessControlAllowOrigin: "*"],
      body: ByteBuffer())
    answer.stream = { writer in
      let end = MonotonicClock.now() + life
      repeat {
        let events = try await next()
        try await writer.write(ByteBuffer(string: events.isEmpty ? ":\n\n" : events))
        try await Task.sleep(for: .milliseconds(50))
      } while MonotonicClock.now() < end
      try await writer.finish(nil)
    }
    return answer
  }

  /// A page that only shows its title.
  package static func html(_ status: HTTPResponse.Status, title: String) -> Answer {
    let page = "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
    return Answer(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .accessControlAllowOrigin: "*"],
      body: ByteBuffer(string: page))
  }

  /// A failure of the server itself, which the contract does not document.
  package static func internalError(_ message: String) -> Answer {
    json(.internalServerError) { json in
      json.member("error", "Internal error")
      json.member("message", message)
    }
  }

  var response: Response {
    Response(
      status: status, headers: headers,
      body: stream.map { ResponseBody(contentLength: nil, $0) } ?? ResponseBody(byteBuffer: body))
  }
}

/// Gives each response its `X-Request-ID`: a UUID of version 4 whose bits are generated from a counter.
final class RequestStamp: Sendable {
  static let name = HTTPField.Name("X-Request-ID")!

  private let seed: UInt64
  private let count = Atomic<UInt64>(0)

  init(seed: UInt64) { self.seed = seed }

  func apply(to answer: inout Answer) {
    var numbers = SeededNumbers(seed: seed &+ count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x1_0001)
    answer.headers[Self.name] = numbers.uuid()
  }
}
