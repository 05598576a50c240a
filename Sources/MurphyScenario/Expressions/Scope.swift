import Foundation
import MurphyModel
import MurphySchema

/// The values that expressions of one session can read. Each virtual user has one, on its loop. It is a value type, so
/// a request that is sent later can keep the scope of its time.
package struct Scope: Sendable {
  /// By slot; nil until saved, set or generated.
  package var values: [JSONValue?]
  /// `index`: the iteration of the innermost loop or burst, from 0.
  package var index = 0
  /// `typed`: the text so far, in a typing step.
  package var typed = ""
  /// `status`: of the session's last response; nil before the first, 0 without a response.
  package var status: Int?
  /// `answer`, which queries such as `$.data` also read; nil before the first response, and if the session reads
  /// neither.
  package var answer: LastAnswer?
  /// `user`: number of the virtual user, from 0. In an open model, every arrival is a separate user.
  package var user = 0
  /// `arrival`: number of the session in the run, from 0.
  package var arrival = 0
  /// `iteration`: number of the session within its user, from 0.
  package var iteration = 0
  /// `session`: the session's name.
  package var session = ""
  /// Variables whose values are secret.
  package private(set) var secretSlots: Set<Int> = []
  /// Secret values that the session has computed or saved; only the last ones, in bounded memory.
  package private(set) var secrets: [Secret] = []
  private static let mostSecrets = 200
  /// The number of calls of `seq()`.
  package var sequence = 0
  /// Generates and remembers unique values.
  package var unique = UniqueValues()
  /// The wall clock, nanoseconds since 1970; nil if a plan is generated without running it.
  package var clock: (@Sendable () -> Int64)?

  /// - Parameter variables: their number in the scenario.
  package init(variables: Int, clock: (@Sendable () -> Int64)? = nil) {
    values = Array(repeating: nil, count: variables)
    self.clock = clock
  }

  /// From here on, the variable's value is a secret, and so are all values that contain it.
  package mutating func keepSecret(_ variable: Variable) {
    secretSlots.insert(variable.slot)
    if let value = self[variable] { learn(value, ShellVariable("saved", variable.name)) }
  }

  /// Records that `value` contains a secret.
  package mutating func learn(_ value: JSONValue, _ variable: ShellVariable = ShellVariable("secret")) {
    for leaf in value.leaves where leaf.utf8.count >= Secret.shortest {
      if secrets.contains(where: { $0.value == leaf }) { continue }
      if secrets.count >= Self.mostSecrets { secrets.removeFirst() }
      secrets.append(Secret(leaf, variable))
    }
  }

  /// Copies a variable's value, and remembers if it is a secret.
  mutating func copy(_ variable: Variable, from other: Scope) {
    self[variable] = other[variable]
    if other.secretSlots.contains(variable.slot) { keepSecret(variable) }
  }

  package subscript(variable: Variable) -> JSONValue? {
    get { values[variable.slot] }
    set { values[variable.slot] = newValue }
  }
}

/// The session's last response, as expressions read it: `answer.status`, `answer.headers`, `answer.body`, `$.data`.
package struct LastAnswer: Sendable {
  /// The names after `answer.`.
  static let parts = ["status", "headers", "body"]

  package enum Body: Sendable {
    case json(JSONValue)
    /// A body that is not JSON; an empty string without a body.
    case text(String)
  }

  /// 0 if no complete response was received.
  package var status: Int
  /// The first header of each name counts; names in lower case.
  package var headers: [HeaderField]
  package var body: Body

  package init(status: Int, headers: [HeaderField] = [], body: Body = .text("")) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The whole response as an object.
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

  /// The result of the query in a JSON body.
  func found(_ path: JSONPath) throws(EvaluationError) -> JSONValue {
    guard case .json(let value) = body else {
      throw .nothing("\(path) found no value: the body of the last response is not JSON")
    }
    let values = path.values(in: value)
    guard path.isSingular else {
      guard values.count <= Expression.longestList else {
        throw .tooLarge("\(path) found more than \(Expression.longestList) values")
      }
      return .array(values)
    }
    guard let only = values.first else { throw .nothing("\(path) found no value") }
    return only
  }

  /// `answer.status` and the other parts.
  static func read(_ answer: LastAnswer?, _ part: String) throws(EvaluationError) -> JSONValue {
    guard let answer else { throw .noAnswer("answer.\(part)") }
    return switch part {
    case "status": JSONValue(answer.status)
    case "body": answer.bodyValue
    default: answer.value[part] ?? .null
    }
  }

  /// `answer.headers.etag`; names are case-insensitive (RFC 9110 §5.1).
  static func read(_ answer: LastAnswer?, header name: String) throws(EvaluationError) -> JSONValue {
    guard let answer else { throw .noAnswer("answer.headers") }
    let wanted = name.lowercased()
    guard let field = answer.headers.first(where: { $0.name.lowercased() == wanted }) else {
      throw .nothing("the last response has no header \(name)")
    }
    return .string(field.value)
  }
}

/// Unique values: those of `uuid()` and `email()`, and of `string()` with at least 64 bits.
///
/// With the same seed, a second run would generate them again. It would find the items of the first run at the target.
/// So they contain a salt that each run generates. Arrivals, think times, choices and all other data contain no salt.
package struct UniqueValues: Sendable {
  /// Characters of `string()` that hold 64 bits: 13 · log₂ 36 = 67.
  package static let shortestString = 13
  /// The number of values that are remembered at each end of a session: those of its user, and the last ones generated.
  private static let remembered = 64

  /// Nil if the seed alone determines the values.
  package var salt: UInt64?
  /// True if the salt was generated for this run. Then no earlier run can have sent the values.
  package var isSaltNew = false
  private var drawn: [String] = []

  package init(salt: UInt64? = nil, isSaltNew: Bool = false) {
    self.salt = salt
    self.isSaltNew = isSaltNew
  }

  mutating func draw(_ value: (_ salt: UInt64?) -> String) -> String {
    let value = value(salt)
    if salt != nil, isSaltNew {
      if drawn.count == 2 * Self.remembered { drawn.remove(at: Self.remembered) }
      drawn.append(value)
    }
    return value
  }

  /// True if a string cannot have existed before this run, because it contains a value generated in this run.
  package func isFresh(_ text: String) -> Bool { drawn.contains { text.contains($0) } }

  /// True if a JSON Web Token in the text (RFC 7519) contains a claim with a value generated in this run. An example is
  /// the name of a user who signed up in it. The token cannot have existed before the value.
  package func isClaimed(in text: String) -> Bool {
    guard !drawn.isEmpty else { return false }
    return text.split { " =;,".contains($0) }.contains { word in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let claims = Self.base64URL(parts[1]) else { return false }
      return isFresh(claims)
    }
  }

  /// The unique parts of the values generated in this run, in a form that a shell can generate: a UUID, at most 32
  /// letters, or the part of an address before its `@`.
  package var parts: [String] {
    drawn.map { String($0.prefix { $0 != "@" }) }.filter { $0.utf8.count <= 32 || $0.contains("-") }
  }

  /// The text with one marker in place of every value generated in this run. Requests can then be compared without
  /// these values.
  package func withoutDrawn(_ text: String) -> String {
    var text = text
    for value in drawn where text.contains(value) { text.replace(value, with: "\u{FFFC}") }
    return text
  }

  private static func base64URL(_ text: Substring) -> String? {
    var text = text.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(text)).map { String(decoding: $0, as: UTF8.self) }
  }
}
