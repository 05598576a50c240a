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
  /// The conformant responses that a rate limit rejected. Nil without any.
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
  package var responses: Int { conformant + violating + uncheckedTotal }
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

/// The sensitivity of "every response of this operation matches its contract": the faults that its traffic would have
/// revealed.
///
/// A fault that affects a share q of the visited units is missed with probability (1 − q)^u; `missed` is the q for
/// which that is 5 %: `1 − 0.05^(1/u)`, about 3/u (docs/strength.md §2).
package struct ContractStrength: Sendable, Codable, Hashable {
  /// The number of different units that were checked, and the share of all such units that may be faulty undetected.
  package struct Units: Sendable, Codable, Hashable {
    /// The number of different units that were checked.
    package var seen: Int
    /// A fault in a larger share of them, from 0 to 1, would have been detected with 95 %.
    package var missed: Double

    package init(seen: Int, missed: Double) {
      self.seen = seen
      self.missed = missed
    }
  }

  /// Responses that were checked completely and match the contract.
  package var responses: Units
  /// Different requested paths, for an operation whose path has parameters; nil for others.
  package var entities: Units?
  /// Different queries, for an operation with query parameters; nil for others.
  package var pages: Units?
  /// Different seconds with a response.
  package var seconds: Units
  /// Documented statuses that were not observed, as the contract writes them.
  package var untestedStatuses: [String]
  /// Documented properties, enum values and alternatives of bodies that were not observed, by their names in the
  /// coverage; at most 20.
  package var unseen: [String]
  /// The total number of them.
  package var unseenCount: Int
  /// The unmet requirement of `expect: strength:`, for people; nil if the strength suffices.
  package var shortfall: String?

  private enum CodingKeys: String, CodingKey {
    case responses = "answers"
    case entities, pages, seconds, untestedStatuses, unseen, unseenCount, shortfall
  }

  package init(responses: Units, seconds: Units) {
    self.responses = responses
    self.seconds = seconds
    untestedStatuses = []
    unseen = []
    unseenCount = 0
  }

  /// The maximum number of names in `unseen`.
  package static let unseenShown = 20
}
