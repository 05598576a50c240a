import MurphyJSON
import MurphyModel

/// The session's last answer, as expressions see it: `answer.status`, `answer.headers`, `answer.body`, `$.data`.
package struct LastAnswer: Sendable {
  /// The names behind `answer.`.
  static let parts = ["status", "headers", "body"]

  package enum Body: Sendable {
    case json(JSONValue)
    /// What is not JSON; an empty text where there is no body.
    case text(String)
  }

  /// 0 when no complete answer came.
  package var status: Int
  /// The first of each name counts; names in lower case.
  package var headers: [HeaderField]
  package var body: Body

  package init(status: Int, headers: [HeaderField] = [], body: Body = .text("")) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// All of it as an object.
  var value: JSONValue {
    var fields = JSONObject()
    for field in headers where fields[field.name] == nil { fields[field.name] = .string(field.value) }
    return ["status": JSONValue(status), "headers": .object(fields), "body": bodyValue]
  }

  private var bodyValue: JSONValue {
    switch body {
    case .json(let value): value
    case .text(let text): .string(text)
    }
  }

  /// What the query finds in a JSON body.
  func found(_ path: JSONPath) throws(EvaluationError) -> JSONValue {
    guard case .json(let value) = body else { throw .nothing("nothing at \(path): the last answer's body is not JSON") }
    let values = path.values(in: value)
    guard path.isSingular else {
      guard values.count <= Expression.longestList else { throw .tooLarge("\(path) found too many nodes") }
      return .array(values)
    }
    guard let only = values.first else { throw .nothing("nothing at \(path)") }
    return only
  }

  /// `answer.status` and its like.
  static func read(_ answer: LastAnswer?, _ part: String) throws(EvaluationError) -> JSONValue {
    guard let answer else { throw .noAnswer("answer.\(part)") }
    return switch part {
    case "status": JSONValue(answer.status)
    case "body": answer.bodyValue
    default: answer.value[part] ?? .null
    }
  }

  /// `answer.headers.etag`; names have no case (RFC 9110 §5.1).
  static func read(_ answer: LastAnswer?, header name: String) throws(EvaluationError) -> JSONValue {
    guard let answer else { throw .noAnswer("answer.headers") }
    let wanted = name.lowercased()
    guard let field = answer.headers.first(where: { $0.name.lowercased() == wanted }) else {
      throw .nothing("the last answer has no header \(name)")
    }
    return .string(field.value)
  }
}
