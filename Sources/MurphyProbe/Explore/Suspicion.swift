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
  /// Equal for equal causes, together with the kind, the operation and the failure.
  package var cause: String
  /// How the request failed, if that is the suspicion.
  var failure: Failure?
  /// Equal for suspicions of one kind, of all operations, that one cause would explain.
  package var shared: String?
  /// Further details for people.
  package var details: [String] = []
  /// Since the run's start; nil if not known.
  var seen: Duration?

  /// A failure of the API to respond as a server must.
  enum Failure: Sendable, Hashable {
    case status(Int)
    case late
    case closed
    /// The server closed the connection without one byte of a response, also on a new connection.
    case dropped

    var text: String {
      switch self {
      case .status(let status): "\(status)"
      case .late: "late"
      case .closed, .dropped: "closed"
      }
    }
  }
  /// The structure of the body of the response; empty without one.
  var shape = ""

  /// True if one cause would explain both failures: equal failures, or responses of one status class with bodies of one
  /// structure.
  func fails(like other: Suspicion) -> Bool {
    guard kind == other.kind else { return false }
    if case .status(let own)? = failure, case .status(let others)? = other.failure, shape == other.shape {
      return own / 100 == others / 100
    }
    return failure == other.failure
  }

  func isSame(as other: Suspicion) -> Bool {
    kind == other.kind && cause == other.cause && failure == other.failure
  }
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
          cause: one.causeWord, failure: .status(response.status),
          shared: one.brokenKeyword.map { "status \(response.status) for values that violate \"\($0)\"" }))
    }
    if response.status >= 400,
      let leak = Internals.leak(in: response.body, target: performed.request.target, sent: performed.texts)
    {
      found.append(
        Suspicion(
          kind: .exploreInternals,
          message: "the response with status \(response.status) shows \(leak.what): \(leak.excerpt)",
          cause: leak.what,
          // Each operation of a handler shows another line of one file.
          shared: "error responses show \(leak.what): " + leak.excerpt.replacing(/(,? line |:)\d+/, with: ""),
          details: ["The tested request: \(one.subject)."]))
    }
    if let unexpected = unexpected(one, response) { found.append(unexpected) }
    if let broken = one.rule?.suspicion(one, response, of: performed, after: before) { found.append(broken) }
    for index in found.indices { (found[index].seen, found[index].shape) = (performed.sent, performed.shape) }
    return found
  }

  private static func unanswered(_ one: ExploreCase, _ error: TransportError) -> Suspicion? {
    guard error.life != .unknown else { return nil }
    let what = error.life == .shown ? "incomplete response" : "no response"
    var cause = error.cause
    // A request that was lost on a kept-alive connection is sent again on a new one.
    if case .closed = error { cause = "the server closes the connection without a response, also on a new connection" }
    return Suspicion(
      kind: .exploreNoResponse, message: "\(what) for \(one.subject): \(cause)",
      cause: one.causeWord, failure: error.failure)
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
      if one.isOtherNotation {
        return Suspicion(
          kind: .exploreInvalidAccepted, severity: .note,
          message:
            "status \(status) for \(one.subject): many servers read such a text as an integer, and OpenAPI does not forbid this",
          cause: "\(one.place) notation")
      }
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
        kind: .exploreOtherUser, message: "status \(status) for a user who did not create the item", cause: "owner")
    case .methodRefused:
      guard response.isSuccess else { return nil }
      if response.isPage { return page(response, for: one.about, cause: one.about) }
      return Suspicion(
        kind: .exploreUndocumentedMethod, message: "status \(status) for \(one.about)", cause: one.about)
    }
  }

  /// Some servers return the page of an application for every path or method that they do not know.
  static func page(_ response: ClientResponse, for method: String, cause: String) -> Suspicion {
    Suspicion(
      kind: .exploreUndocumentedMethod, severity: .note,
      message: "status \(response.status) for \(method), with an HTML page", cause: cause,
      shared: "status \(response.status) and an HTML page for undocumented methods")
  }
}

extension ClientResponse {
  /// True for a page of HTML.
  var isPage: Bool { header("content-type")?.lowercased().hasPrefix("text/html") == true }
}

extension ExploreCase {
  /// The part of it that distinguishes causes of failure: invalid strings fail for the same reason in every place.
  var causeWord: String {
    let odd: Set<String> = [
      "unicode", "control character", "quoting", "blank", "long", "JSON", "punctuation", "digits",
    ]
    if isControl { return "any value" }
    return odd.contains(constraint) ? constraint : place
  }

  /// The keyword of the schema that the case tests; nil for other cases, which have names of explore's own.
  var keyword: String? { Self.keywords.contains(constraint) ? constraint : nil }

  /// True for a parameter such as `01`, which many servers read as an integer.
  fileprivate var isOtherNotation: Bool {
    constraint == "type" && !place.hasPrefix("body") && value?.string.flatMap { Int($0) } != nil
  }

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
    if place == "credentials" { return "a request \(about)" }
    let shown = value.map { " " + Self.shortened($0) } ?? ""
    return place.isEmpty ? about : "\(place)\(shown) (\(about))"
  }

  /// The value in a sentence: without control characters, at most about 60 characters.
  static func shortened(_ value: JSONValue) -> String {
    let text = value.text
    let clean = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "�" : String($0) }.joined()
    guard clean.count > 60 else { return clean }
    // The length of a string, without the quotes and escapes of its notation.
    return clean.prefix(50) + "… (\((value.string ?? text).unicodeScalars.count) characters)"
  }
}

extension TransportError {
  fileprivate var failure: Suspicion.Failure {
    switch self {
    case .timeout: .late
    case .closed: .dropped
    default: .closed
    }
  }
}

extension CaseRunner.Performed {
  /// The fields and types of a JSON body, or the media type of another one.
  fileprivate var shape: String {
    func shape(_ value: JSONValue, _ depth: Int) -> String {
      switch value {
      case .object(let object) where depth < 3:
        object.members.map { "\($0.key):" + shape($0.value, depth + 1) }.sorted().joined(separator: ",")
      case .array(let items) where depth < 3: "[" + (items.first.map { shape($0, depth + 1) } ?? "") + "]"
      case .string: "string"
      default: ""
      }
    }
    return json.map { shape($0, 0) } ?? (try? ending.get())?.header("content-type") ?? ""
  }

  /// The texts of the request's headers and body.
  fileprivate var texts: [String] {
    let raw = request.body.map { [String(decoding: $0, as: UTF8.self)] } ?? []
    return request.headers.map(\.value) + (body?.texts ?? []) + raw
  }
}
