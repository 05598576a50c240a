import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphySchema

/// A possible finding in the response to a case, until it is reproduced.
package struct Suspicion: Sendable, Hashable {
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
  static func all(_ one: ExploreCase, _ performed: CaseRunner.Performed) -> [Suspicion] {
    guard case .success(let answer) = performed.ending else {
      return performed.failure.flatMap { unanswered(one, $0) }.map { [$0] } ?? []
    }
    var found: [Suspicion] = []
    // General-purpose servers support HEAD (RFC 9110 §9.1).
    let isUnknownMethod = one.call.method != nil && one.call.method != "HEAD"
    if answer.status >= 500, !(isUnknownMethod && answer.status == 501), answer.header("retry-after") == nil {
      found.append(
        Suspicion(
          kind: .exploreServerError, message: "status \(answer.status) for \(one.subject)",
          cause: "\(one.causeWord) \(answer.status)",
          shared: one.brokenKeyword.map { "status \(answer.status) for values that break \"\($0)\"" }))
    }
    if answer.status >= 400, let leak = Internals.leak(in: answer.body) {
      found.append(
        Suspicion(
          kind: .exploreInternals,
          message: "the response with status \(answer.status) shows \(leak.what): \(leak.excerpt)",
          cause: leak.what, details: ["It was returned for \(one.subject)."]))
    }
    if let unexpected = unexpected(one, answer) { found.append(unexpected) }
    for index in found.indices { found[index].seen = performed.sent }
    return found
  }

  private static func unanswered(_ one: ExploreCase, _ error: TransportError) -> Suspicion? {
    guard error.life != .unknown else { return nil }
    return Suspicion(
      kind: .exploreNoAnswer, message: "no response for \(one.subject): \(error.cause)",
      cause: "\(one.causeWord) \(error.isTimeout ? "late" : "closed")")
  }

  private static func unexpected(_ one: ExploreCase, _ answer: ClientResponse) -> Suspicion? {
    let status = answer.status
    switch one.expectation {
    case .anything: return nil
    case .accepted:
      guard [400, 405, 406, 415, 422, 501].contains(status) else { return nil }
      return Suspicion(
        kind: .exploreValidRefused, message: "status \(status) for \(one.subject), which the contract allows",
        cause: "\(one.place) \(one.constraint)", shared: one.keyword)
    case .refused:
      guard answer.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreInvalidAccepted,
        // Implementations differ in the meaning of formats, and many accept null for an absent value.
        severity: one.constraint == "format" || one.constraint == "null" ? .warning : nil,
        message: "status \(status) for \(one.subject), which violates the contract",
        cause: "\(one.place) \(one.constraint)", shared: one.brokenKeyword)
    case .unauthorised:
      guard answer.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreAuthIgnored, message: "status \(status) \(one.about), but the contract requires credentials",
        cause: one.about, shared: one.about)
    case .forbidden:
      guard answer.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreOtherUser, message: "status \(status) for a user other than its creator", cause: "owner")
    case .methodRefused:
      guard answer.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreUndocumentedMethod, message: "status \(status) for \(one.about)", cause: one.about)
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
    guard category != .random, category != .pairs else { return about }
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
