import Hummingbird

/// A whole answer, before it is turned into what Hummingbird sends; the hooks get at every part of it.
struct Answer: Sendable {
  var status: HTTPResponse.Status
  var headers: HTTPFields
  var body: ByteBuffer

  static func json(_ status: HTTPResponse.Status, capacity: Int = 512, _ write: (inout JSONWriter) -> Void) -> Answer {
    var json = JSONWriter(capacity: capacity)
    write(&json)
    return Answer(status: status, headers: jsonHeaders, body: json.buffer)
  }

  private static let jsonHeaders: HTTPFields = [.contentType: "application/json", .accessControlAllowOrigin: "*"]

  /// Says that it is done, and nothing else.
  static let noContent = Answer(
    status: .noContent, headers: [.accessControlAllowOrigin: "*"], body: ByteBuffer())

  static func html(_ status: HTTPResponse.Status, title: String) -> Answer {
    let page = "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
    return Answer(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .accessControlAllowOrigin: "*"],
      body: ByteBuffer(string: page))
  }

  /// A failure of the server itself, which the contract does not promise.
  static func internalError(_ message: String) -> Answer {
    json(.internalServerError) { json in
      json.object { json in
        json.member("error", "Internal error")
        json.member("message", message)
      }
    }
  }

  var response: Response { Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body)) }
}
