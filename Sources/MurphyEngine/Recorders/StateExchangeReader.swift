import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Reads the values of one exchange that invariants name. Bodies are parsed at the first access.
struct StateExchangeReader {
  private let request: HTTPRequest
  private let operation: String
  private let path: PathShape
  private let answer: AnswerBody?
  private var parsedRequest: JSONValue??

  /// - Parameter answer: the response; nil without a response whose body can be read.
  init(_ request: HTTPRequest, of operation: String, path: PathShape, answer: AnswerBody?) {
    self.request = request
    self.operation = operation
    self.path = path
    self.answer = answer
  }

  /// Sums of larger numbers would overflow, and no count is so large.
  private static let largest = Int64(1) << 50

  mutating func text(_ source: StateSource) -> String? {
    switch source {
    case .path(let name): path.value(name, in: request.target)
    case .query(let name): query(name)
    case .header(let name): request.headers.first { $0.name.isSameHeader(as: name) }?.value
    case .body(let query): requestBody.flatMap { query.values(in: $0).first }?.stateText
    case .answer(let query): answer?.values(query).first?.stateText
    case .operation: operation
    }
  }

  mutating func number(_ source: StateSource) -> Int64? { text(source).flatMap { Int64($0) }.flatMap(Self.bounded) }

  func number(_ path: JSONPath?) -> Int64? {
    guard let path, let answer else { return nil }
    return answer.values(path).first.flatMap(Self.number)
  }

  static func number(_ value: JSONValue) -> Int64? { value.int.map { Int64($0) }.flatMap(bounded) }

  private static func bounded(_ number: Int64) -> Int64? { abs(max(number, -largest)) < largest ? number : nil }

  func values(_ path: JSONPath) -> [JSONValue] { answer?.values(path) ?? [] }

  /// All values that the query finds. Nil where the response is incomplete or not JSON, so that a missing value proves
  /// nothing.
  func all(_ path: JSONPath) -> [JSONValue]? { answer.flatMap { $0.isJSON ? $0.values(path) : nil } }

  /// All values that the request has at a place; for a path, a query or a header also the parts between commas. Nil
  /// where the request has no such place.
  mutating func requested(_ source: StateSource) -> [JSONValue]? {
    if case .body(let query) = source { return requestBody.map { query.values(in: $0) } }
    return text(source).map { text in
      let parts = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
      return (parts.count > 1 ? [text] + parts : [text]).map { .string($0) }
    }
  }

  mutating func matches(_ match: StateMatch) -> Bool? {
    text(match.source).map { ($0 == match.value) == match.isEqual }
  }

  private var requestBody: JSONValue? {
    mutating get {
      if let parsedRequest { return parsedRequest }
      let parsed = request.body.flatMap { try? JSONValue.parse($0) }
      parsedRequest = .some(parsed)
      return parsed
    }
  }

  private func query(_ name: String) -> String? {
    guard let start = request.target.firstIndex(of: "?") else { return nil }
    for pair in request.target[request.target.index(after: start)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard PercentEncoding.decode(parts[0]) == name else { continue }
      return parts.count > 1 ? PercentEncoding.decode(form: parts[1]) : ""
    }
    return nil
  }
}

extension JSONValue {
  /// A string as it is; any other value as JSON.
  var stateText: String { if case .string(let text) = self { text } else { text } }
}
