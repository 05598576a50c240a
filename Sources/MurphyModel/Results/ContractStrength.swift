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
  package var answers: Units
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

  package init(answers: Units, seconds: Units) {
    self.answers = answers
    self.seconds = seconds
    untestedStatuses = []
    unseen = []
    unseenCount = 0
  }

  /// The maximum number of names in `unseen`.
  package static let unseenShown = 20
}
