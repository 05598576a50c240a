import HTTPTypes
import Hummingbird
import Synchronization

/// A whole response, before it is converted for Hummingbird. The hooks can change every part of it.
package struct Answer: Sendable {
  package var status: HTTPResponse.Status
  package var headers: HTTPFields
  package var body: ByteBuffer

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

  var response: Response { Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body)) }
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
