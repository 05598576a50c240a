import HTTPTypes
import Hummingbird

/// One request to one path of the document.
struct Call: Sendable {
  let shop: Shop
  /// The template of the path: `/books/{bookId}`.
  let template: String
  /// The path as it was sent.
  let target: String
  var method: HTTPRequest.Method
  /// The path's parameters, decoded.
  var path: [String: String]
  var query: Query
  var headers: HTTPFields
  var body: [UInt8]
  /// The constraint that is not checked, where the fault is one of those.
  let skipped: Check?
  /// Closes the connection without a response.
  let hangUp: @Sendable () -> Void
  /// Whose token came with the request.
  var user = ""

  func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

  /// A path parameter from 1 to 2147483647.
  func number(_ name: String) throws -> Int {
    guard let value = Query.integer(path[name] ?? ""), (1...2_147_483_647).contains(value) else {
      throw Problem.badRequest("The parameter must be an integer from 1 to 2147483647.", field: name)
    }
    return value
  }

  /// A path parameter that is a UUID.
  func uuid(_ name: String) throws -> String {
    guard let value = Texts.uuid(path[name] ?? "") else {
      throw Problem.badRequest("The parameter must be a UUID.", field: name)
    }
    return value
  }

  /// A header parameter; nil where it is left out.
  func header(_ name: String, pattern: (String) -> Bool) throws -> String? {
    let values = HTTPField.Name(name).map { headers[values: $0] } ?? []
    guard let value = values.first else { return nil }
    guard values.count == 1, pattern(value) else {
      throw Problem.badRequest("The header does not conform to its schema.", field: name)
    }
    return value
  }

  /// `If-Match` or `If-None-Match`; nil where it is left out.
  func condition(_ name: String) throws -> Condition? {
    try header(name) { (1...200).contains($0.unicodeScalars.count) }.map(Condition.init)
  }

  func parsed() throws -> JSON {
    do {
      return try JSONParser.parse(body)
    } catch {
      throw Problem.badRequest("The body is not JSON: \(error.message).")
    }
  }

  func fields(_ schema: String, names: [String]) throws -> Fields {
    try Fields(parsed(), schema, names: names, skipped: skipped)
  }

  func page() throws -> (limit: Int, offset: Int) {
    (try query.integer("limit", 1...100) ?? 20, try query.integer("offset", 0...Int.max) ?? 0)
  }
}
