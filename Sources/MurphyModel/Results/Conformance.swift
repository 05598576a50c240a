/// The results of the contract checks for the responses of one operation; the counts add up to all of its responses.
package struct Conformance: Sendable, Codable, Hashable {
  /// Responses that were checked completely and match the contract.
  package var conformant: Int
  /// Responses with at least one violation.
  package var violating: Int
  /// Responses without a violation that could not be checked completely, by reason, most frequent first.
  package var unchecked: [ReasonCount]
  /// The unchecked responses that were checked in part, if no check exists for the rest (binary content, a stream of
  /// events). Nil without any.
  package var opaque: Int?
  /// The conformant responses that a rate limit rejected (429). Nil without any.
  package var rejected: Int?

  package init(
    conformant: Int = 0, violating: Int = 0, unchecked: [ReasonCount] = [], opaque: Int = 0, rejected: Int = 0
  ) {
    self.conformant = conformant
    self.violating = violating
    self.unchecked = unchecked
    self.opaque = opaque > 0 ? opaque : nil
    self.rejected = rejected > 0 ? rejected : nil
  }

  /// Responses in which a violation of the contract would have been visible: those that were checked, and that no rate
  /// limit rejected.
  package var trials: Int { conformant - (rejected ?? 0) + violating + (opaque ?? 0) }

  /// All responses.
  package var answers: Int { conformant + violating + uncheckedTotal }
  /// Responses that could not be checked.
  package var uncheckedTotal: Int { unchecked.reduce(0) { $0 + $1.count } }

  /// Adds the counts of another loop.
  package static func += (sum: inout Conformance, other: Conformance) {
    sum.conformant += other.conformant
    sum.violating += other.violating
    if let opaque = other.opaque { sum.opaque = (sum.opaque ?? 0) + opaque }
    if let rejected = other.rejected { sum.rejected = (sum.rejected ?? 0) + rejected }
    for entry in other.unchecked {
      if let index = sum.unchecked.firstIndex(where: { $0.reason == entry.reason }) {
        sum.unchecked[index].count += entry.count
      } else {
        sum.unchecked.append(entry)
      }
    }
    sum.unchecked.sort { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}
