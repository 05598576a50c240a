import HTTPTypes
import Hummingbird

/// An error that is answered as a problem (RFC 9457).
struct Problem: Error {
  var status: HTTPResponse.Status
  var detail: String
  var field: String?
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ detail: String, field: String? = nil, headers: HTTPFields = [:]) {
    self.status = status
    self.detail = detail
    self.field = field
    self.headers = headers
  }

  static func badRequest(_ detail: String, field: String? = nil) -> Problem { .init(.badRequest, detail, field: field) }

  static func unprocessable(_ detail: String, field: String) -> Problem {
    .init(.unprocessableContent, detail, field: field)
  }

  static func conflict(_ detail: String) -> Problem { .init(.conflict, detail) }

  static func forbidden(_ what: String) -> Problem { .init(.forbidden, "The \(what) belongs to another user.") }

  static func notFound(_ what: String) -> Problem { .init(.notFound, "There is no such \(what).") }

  static var unauthorized: Problem {
    .init(
      .unauthorized, "A valid token is missing: send `Authorization: Bearer TOKEN`.",
      headers: [.wwwAuthenticate: "Bearer realm=\"bookshop\""])
  }

  static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> Problem {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    return .init(.methodNotAllowed, "This path has \(names) only.", headers: [.allow: names])
  }

  var answer: Answer {
    var body = JSON.make([
      "type": .string("about:blank"), "title": .string(status.reasonPhrase), "status": .int(status.code),
      "detail": .string(detail),
    ])
    if let field { body["field"] = .string(field) }
    var answer = Answer(status, body, headers)
    answer.headers[.contentType] = "application/problem+json"
    return answer
  }
}
