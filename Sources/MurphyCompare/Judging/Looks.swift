/// When a comparison that grows group by group is judged, and how much error each look may spend.
///
/// Looking more often finds a false alarm more often, so that the levels of all looks add up to what the whole
/// comparison may err: 1 % for an alarm, 5 % for a pass (Bonferroni over the looks; no spending is exact without a model
/// of the noise, and this needs none).
package struct Look: Sendable, Hashable {
  package var groups: Int
  /// A slowdown counts where the p-value over all metrics is at most this.
  package var alarm: Double
  /// The margin counts as kept where the p-value of its test is at most this.
  package var pass: Double

  package static let usual = [
    Look(groups: 8, alarm: 0.004, pass: 0.02),
    Look(groups: 12, alarm: 0.003, pass: 0.015),
    Look(groups: 20, alarm: 0.003, pass: 0.015),
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
