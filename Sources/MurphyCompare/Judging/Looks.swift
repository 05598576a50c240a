/// When a comparison that grows group by group is judged, and how much error each look may spend.
///
/// Looking more often finds a false alarm more often. The looks share 1 % for an alarm, which the flips themselves
/// divide among them (`FlipLooks`), and 5 % for a pass, most of it at the end, where it is worth most.
package struct Look: Sendable, Hashable {
  package var groups: Int
  /// What this look and those before it may spend: a slowdown counts where its p-value is at most this.
  package var alarm: Double
  /// The margin counts as kept where the p-value of its test is at most this.
  package var pass: Double

  package static let usual = [
    Look(groups: 8, alarm: 0.004, pass: 0.005),
    Look(groups: 12, alarm: 0.007, pass: 0.015),
    Look(groups: 20, alarm: 0.01, pass: 0.03),
  ]

  /// The fewest groups that can show anything: 2^−8 is below the first look's level.
  package static let fewest = 8
  /// More are not looked at.
  package static let most = 20

  /// The look that comes due with so many groups; nil between looks.
  package static func due(at groups: Int) -> Look? { usual.first { $0.groups == groups } }

  /// The look that is made when time ends the comparison: the one that was under way spends its level early, which is
  /// sound since the clock knows nothing of the differences' signs. Nil with too few groups.
  package static func last(at groups: Int) -> Look? {
    groups < fewest ? nil : usual.first { $0.groups >= groups }
  }
}
