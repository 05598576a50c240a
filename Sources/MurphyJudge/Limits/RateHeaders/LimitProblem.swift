import MurphyModel

/// The body of a rejection in a problem type of draft-ietf-httpapi-ratelimit-headers-10 §5.
///
/// The log holds only the beginning of a body, so it is searched and not parsed.
package struct LimitProblem: Sendable, Hashable {
  package enum Kind: String, CaseIterable, Sendable {
    case quotaExceeded = "quota-exceeded"
    case temporaryReducedCapacity = "temporary-reduced-capacity"
    case abnormalUsageDetected = "abnormal-usage-detected"
  }

  package let kind: Kind
  /// The names in `violated-policies`; empty without them.
  package let violated: [String]
  /// True if `violated-policies` is not an array of strings.
  package let isMalformed: Bool

  /// Nil for another body.
  package init?(_ body: String) {
    guard let kind = Kind.allCases.first(where: { body.contains("/http-problem-types#\($0.rawValue)\"") }) else {
      return nil
    }
    self.kind = kind
    guard let name = body.firstRange(of: "\"violated-policies\"") else {
      (violated, isMalformed) = ([], false)
      return
    }
    let value = body[name.upperBound...].drop { $0 == ":" || $0.isWhitespace }
    guard value.first == "[" else {
      (violated, isMalformed) = ([], !value.isEmpty)
      return
    }
    guard let end = value.firstIndex(of: "]") else {
      (violated, isMalformed) = ([], false)
      return
    }
    // Between quotes are the names, and outside of them only commas and blanks.
    let pieces = value[value.index(after: value.startIndex)..<end].split(
      separator: "\"", omittingEmptySubsequences: false)
    violated = pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
    let between = pieces.indices.filter { $0 % 2 == 0 }.map { pieces[$0] }
    isMalformed = pieces.count % 2 == 0 || !between.joined().allSatisfy { $0 == "," || $0.isWhitespace }
  }
}

/// The retry time in the body of a rejection.
enum RetryHint {
  private static let names = ["\"retry_after\"", "\"retryAfter\"", "\"retry-after\""]

  /// The number after a field of one of the usual names, seconds; nil if there is none.
  static func seconds(inBody body: String) -> Double? {
    for name in names {
      guard let range = body.firstRange(of: name) else { continue }
      let rest = body[range.upperBound...].drop { $0 == " " || $0 == ":" || $0 == "\n" || $0 == "\t" }
      let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "-" }
      if let value = Double(number) { return value }
    }
    return nil
  }
}
