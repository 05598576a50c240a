import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

/// A possible finding in the response to a case, until it is reproduced.
package struct Suspicion: Sendable, Hashable {
  /// The kind of the finding that it may become.
  package var kind: FindingKind
  /// The severity of the error; nil for that of its kind.
  package var severity: Finding.Severity?
  /// The event, as a sentence without the operation.
  package var message: String
  /// Equal for equal causes, together with the kind and the operation.
  package var cause: String
  /// Equal for suspicions of one kind, of all operations, that one cause would explain.
  package var shared: String?
  /// Further details for people.
  package var details: [String] = []
  /// Seconds since the run's start; nil if not known.
  var seen: Double?
}

extension Suspicion {
  /// The suspicions that follow from one response and the case's expectation.
  ///
  /// - Parameter before: the earlier requests of the case.
  static func all(
    _ one: ExploreCase, _ performed: CaseRunner.Performed, after before: ArraySlice<CaseRunner.Performed> = []
  ) -> [Suspicion] {
    guard case .success(let response) = performed.ending else {
      return performed.failure.flatMap { unanswered(one, $0) }.map { [$0] } ?? []
    }
    var found: [Suspicion] = []
    // General-purpose servers support HEAD (RFC 9110 §9.1).
    let isUnknownMethod = one.call.method != nil && one.call.method != "HEAD"
    if response.status >= 500, !(isUnknownMethod && response.status == 501), response.header("retry-after") == nil {
      found.append(
        Suspicion(
          kind: .exploreServerError, message: "status \(response.status) for \(one.subject)",
          cause: "\(one.causeWord) \(response.status)",
          shared: one.brokenKeyword.map { "status \(response.status) for values that break \"\($0)\"" }))
    }
    if response.status >= 400, let leak = Internals.leak(in: response.body) {
      found.append(
        Suspicion(
          kind: .exploreInternals,
          message: "the response with status \(response.status) shows \(leak.what): \(leak.excerpt)",
          cause: leak.what, details: ["It was returned for \(one.subject)."]))
    }
    if let unexpected = unexpected(one, response) { found.append(unexpected) }
    if let broken = one.rule?.suspicion(one, response, after: before) { found.append(broken) }
    for index in found.indices { found[index].seen = performed.sent }
    return found
  }

  private static func unanswered(_ one: ExploreCase, _ error: TransportError) -> Suspicion? {
    guard error.life != .unknown else { return nil }
    return Suspicion(
      kind: .exploreNoResponse, message: "no response for \(one.subject): \(error.cause)",
      cause: "\(one.causeWord) \(error.isTimeout ? "late" : "closed")")
  }

  private static func unexpected(_ one: ExploreCase, _ response: ClientResponse) -> Suspicion? {
    let status = response.status
    switch one.expectation {
    case .anything: return nil
    case .accepted:
      guard [400, 405, 406, 415, 422, 501].contains(status) else { return nil }
      return Suspicion(
        kind: .exploreValidRefused, message: "status \(status) for \(one.subject), which the contract allows",
        cause: "\(one.place) \(one.constraint)", shared: one.keyword)
    case .refused:
      guard response.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreInvalidAccepted,
        // Implementations differ in the meaning of formats, and many accept null for an absent value.
        severity: one.constraint == "format" || one.constraint == "null" ? .warning : nil,
        message: "status \(status) for \(one.subject), which violates the contract",
        cause: "\(one.place) \(one.constraint)", shared: one.brokenKeyword)
    case .unauthorised:
      guard response.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreAuthIgnored, message: "status \(status) \(one.about), but the contract requires credentials",
        cause: one.about, shared: one.about)
    case .forbidden:
      guard response.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreOtherUser, message: "status \(status) for a user other than its creator", cause: "owner")
    case .methodRefused:
      guard response.isSuccess else { return nil }
      // Some servers return the page of an application for every path that they do not know.
      let isPage = response.header("content-type")?.hasPrefix("text/html") == true
      return Suspicion(
        kind: .exploreUndocumentedMethod, severity: isPage ? .note : nil,
        message: "status \(status) for \(one.about)" + (isPage ? ", with a page of HTML" : ""), cause: one.about,
        shared: isPage ? "a page of HTML for a method that is not documented" : nil)
    }
  }
}

extension ExploreCase {
  /// The part of it that distinguishes causes of failure: invalid strings fail for the same reason in every place.
  var causeWord: String {
    let odd: Set<String> = [
      "unicode", "control character", "quoting", "blank", "long", "JSON", "punctuation", "digits",
    ]
    return odd.contains(constraint) ? constraint : place
  }

  /// The keyword of the schema that the case tests; nil for other cases, which have names of explore's own.
  var keyword: String? { Self.keywords.contains(constraint) ? constraint : nil }

  var brokenKeyword: String? { expectation == .refused ? keyword : nil }

  private static let keywords: Set<String> = [
    "type", "null", "enum", "const", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "required",
    "minProperties", "maxProperties", "additionalProperties", "dependentRequired",
  ]

  /// The tested value, as a sentence's object: `body /price 1000.01 (just above maximum 1000)`.
  var subject: String {
    guard category != .random, category != .pairs, rule == nil, call.method == nil, call.spelling == nil else {
      return about
    }
    let shown = value.map { " " + Self.shortened($0) } ?? ""
    return place.isEmpty ? about : "\(place)\(shown) (\(about))"
  }

  private static func shortened(_ value: JSONValue) -> String {
    let text = value.text
    let clean = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "�" : String($0) }.joined()
    guard clean.count > 60 else { return clean }
    // The length of a string, without the quotes and escapes of its notation.
    return clean.prefix(50) + "… (\((value.string ?? text).unicodeScalars.count) characters)"
  }
}

extension TransportError {
  fileprivate var isTimeout: Bool { if case .timeout = self { true } else { false } }
}

/// Requests that are slightly smaller than a given one.
enum Shrinking {
  /// The maximum number of requests for one finding.
  static let most = 40
  private static let shortest = 16

  /// True if the finding depends on the content of the request, and not on its sender.
  static func helps(_ kind: FindingKind) -> Bool {
    switch kind {
    case .exploreServerError, .exploreInternals, .exploreNoResponse, .exploreInvalidAccepted: true
    default: false
    }
  }

  /// Each without one part; the largest steps first.
  static func steps(of one: ExploreCase) -> [ExploreCase] {
    var smaller: [ExploreCase] = []
    /// - Parameter place: the removed part; nil if it is only shorter.
    func add(without place: String?, _ change: (inout ExploreCall) -> Void) {
      var call = one.call
      change(&call)
      if call != one.call { smaller.append(one.smaller(call, without: place)) }
    }
    let isAlone = one.category != .pairs && one.category != .random
    for named in one.call.query where !(isAlone && one.place == "query \(named.name)") {
      add(without: "query \(named.name)") { $0.query.removeAll { $0.name == named.name } }
    }
    for named in one.call.headers where !(isAlone && one.place == "header \(named.name)") {
      add(without: "header \(named.name)") { $0.headers.removeAll { $0.name == named.name } }
    }
    if let body = one.call.body {
      let kept = isAlone && one.place.hasPrefix("body ") ? JSONPointer(String(one.place.dropFirst(5))) : nil
      for pointer in places(in: body) where kept.map({ !touches($0, pointer) }) ?? true {
        guard let less = body.replacing(at: pointer.tokens[...], with: nil) else { continue }
        add(without: "body \(pointer)") { $0.change(body: less, at: pointer) }
      }
      // The tested value stays as the finding states it.
      for pointer in places(in: body) where pointer != kept {
        guard case .string(let text)? = pointer.resolve(in: body), text.count > shortest,
          let less = body.replacing(at: pointer.tokens[...], with: .string(String(text.prefix(text.count / 2))))
        else { continue }
        add(without: nil) { $0.change(body: less, at: pointer) }
      }
    }
    return smaller
  }

  private static func touches(_ left: JSONPointer, _ right: JSONPointer) -> Bool {
    left.tokens.starts(with: right.tokens) || right.tokens.starts(with: left.tokens)
  }

  /// Fields and items, outer ones first.
  private static func places(in body: JSONValue) -> [JSONPointer] {
    var places: [JSONPointer] = []
    func visit(_ value: JSONValue, _ pointer: JSONPointer) {
      guard pointer.tokens.count < 4, places.count < 60 else { return }
      let inner: [(String, JSONValue)] =
        switch value {
        case .object(let object): object.members.map { ($0.key, $0.value) }
        case .array(let items): items.enumerated().map { (String($0.offset), $0.element) }
        default: []
        }
      for (name, value) in inner {
        places.append(pointer.appending(name))
        visit(value, pointer.appending(name))
      }
    }
    visit(body, .root)
    return places.sorted { $0.tokens.count < $1.tokens.count }
  }
}

/// Internal data that an error must not disclose: stack traces, statements and errors of databases, paths of the
/// server.
enum Internals {
  struct Leak {
    var what: String
    /// The beginning of the line that contains it.
    var excerpt: String
  }

  // A `Regex` is not Sendable; these are constant literals.
  nonisolated(unsafe) private static let patterns: [(what: String, pattern: Regex<Substring>)] = [
    ("a stack trace of Python", /Traceback \(most recent call last\)|File "[^"\n]+\.py", line \d+/),
    (
      "a stack trace of Java",
      /\bat [\w$.]+\([\w$]+\.(?:java|kt|scala):\d+\)|\bjava\.[a-z.]+[A-Z]\w*(?:Exception|Error)\b/
    ),
    ("a stack trace of JavaScript", /\bat (?:[\w.$<>\[\] ]+ )?\(?(?:node:|file:\/\/\/|\/)[^\s)]+:\d+:\d+\)?/),
    ("a stack trace of Go", /goroutine \d+ \[|panic: runtime error/),
    ("a stack trace of .NET", /\bat [\w.`<>]+\([^)]*\) in [^\n]+:line \d+|System\.[A-Za-z.]+Exception/),
    ("a stack trace of PHP", /PHP (?:Fatal|Warning|Notice)|Stack trace:\s*#0|\bon line \d+\b.*\.php|\.php(?:\(|:)\d+/),
    ("a stack trace of Ruby", /\.rb:\d+:in [`']/),
    ("a panic of Rust", /thread '[^']*' panicked at/),
    (
      "a crash of Swift", /\.swift:\d+: (?:Fatal error|Precondition failed|Assertion failed)|Fatal error: [^\n]+\.swift/
    ),
    (
      "an error of a database",
      /SQLSTATE\[?\w{5}|ORA-\d{5}|SQLITE_[A-Z]{4,}|SQLite error|sqlite3\.\w*Error|psycopg2?\.|PG::\w+|MySqlException|syntax error at or near|You have an error in your SQL syntax|near "[^"]*": syntax error|(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK|PRIMARY KEY) constraint failed|\bdatatype mismatch\b|duplicate key value violates|violates (?:foreign key|not-null|check|unique|exclusion) constraint|invalid input syntax for (?:type )?\w+|no such (?:table|column): |(?:relation|column) "[^"]+" does not exist|unrecognized token:/
    ),
    (
      "a statement of SQL", /\b(?:SELECT\s+[\w*.,"`\s]+\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\s+["`\w]/
    ),
    (
      "a path of the server",
      /(?:\/(?:home|usr|var|opt|srv|app|root|etc)\/[\w.\-]+\/[\w.\-\/]*\.\w{1,5}\b)|[A-Z]:\\(?:[\w .\-]+\\)+[\w.\-]+/
    ),
  ]

  /// The maximum length that is searched.
  private static let most = 20_000

  static func leak(in body: [UInt8]) -> Leak? {
    guard !body.isEmpty else { return nil }
    // In JSON, quotes and line ends are written with two characters.
    let text = String(decoding: body.prefix(most), as: UTF8.self)
      .replacingScalars("\\\"", with: "\"").replacingScalars("\\n", with: "\n").replacingScalars("\\/", with: "/")
    for (what, pattern) in patterns {
      guard let match = text.firstMatch(of: pattern) else { continue }
      let found = String(match.output).textLines.first { !$0.isEmpty } ?? ""
      return Leak(what: what, excerpt: String(found.prefix(100)))
    }
    return nil
  }
}
