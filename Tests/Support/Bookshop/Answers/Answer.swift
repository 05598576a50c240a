import HTTPTypes
import Hummingbird

/// What an operation responses.
struct Answer: Sendable {
  var status: HTTPResponse.Status
  var headers: HTTPFields
  var body: JSON?
  /// Sent in place of `body`, by faults.
  var text: String?

  init(_ status: HTTPResponse.Status, _ body: JSON? = nil, _ headers: HTTPFields = [:]) {
    self.status = status
    self.headers = headers
    self.body = body
    if body != nil { self.headers[.contentType] = "application/json" }
  }

  static var empty: Answer { Answer(.noContent) }

  static func created(_ body: JSON, at location: String, _ headers: HTTPFields = [:]) -> Answer {
    var answer = Answer(.created, body, headers)
    answer.headers[.location] = location
    return answer
  }

  var isSuccess: Bool { status.kind == .successful }

  var response: Response {
    let bytes = text.map { Array($0.utf8) } ?? body?.bytes
    guard let bytes else { return Response(status: status, headers: headers) }
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
