/// What "every answer of this operation matches its contract" was worth: which faults its traffic would have shown.
///
/// A fault that strikes a share q of the units that were visited is missed with (1 − q)^u; `missed` is the q for which
/// that is 5 %: `1 − 0.05^(1/u)`, about 3/u (docs/strength.md §2).
package struct ContractStrength: Sendable, Codable, Hashable {
  /// So many different units were looked at, and what share of all such units may be faulty unseen.
  package struct Units: Sendable, Codable, Hashable {
    /// Different ones that were checked.
    package var seen: Int
    /// A fault in a larger share of them, from 0 to 1, would have been seen with 95 %.
    package var missed: Double

    package init(seen: Int, missed: Double) {
      self.seen = seen
      self.missed = missed
    }
  }

  /// Answers that were checked in full and kept the contract.
  package var answers: Units
  /// Different paths that were asked for, of an operation whose path has parameters; nil for others.
  package var entities: Units?
  /// Different queries, of an operation with query parameters; nil for others.
  package var pages: Units?
  /// Different seconds with an answer.
  package var seconds: Units
  /// Documented statuses that never came, as the contract writes them.
  package var untestedStatuses: [String]
  /// Documented properties, enum values and alternatives of bodies that never came, as coverage names them; at most 20.
  package var unseen: [String]
  /// How many of them there are.
  package var unseenCount: Int
  /// What `expect: strength:` asks for beyond this, for people; nil when it is enough.
  package var shortfall: String?

  package init(answers: Units, seconds: Units) {
    self.answers = answers
    self.seconds = seconds
    untestedStatuses = []
    unseen = []
    unseenCount = 0
  }

  /// Of `unseen`, how many are named.
  package static let unseenShown = 20
}
