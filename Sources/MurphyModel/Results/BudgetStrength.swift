/// What a kept latency budget was worth: which slowdown of the API would have broken it (docs/strength.md §3).
package struct BudgetStrength: Sendable, Codable, Hashable {
  /// A slowdown of every request, as a factor and as an added time; each breaks the budget.
  package struct Slowdown: Sendable, Codable, Hashable {
    /// How many times as slow, less one: 0.74 is 74 % slower.
    package var share: Double
    /// How much is added to every request, microseconds.
    package var added: Double

    package init(share: Double, added: Double) {
      self.share = share
      self.added = added
    }
  }

  /// Over the limit at most this share of requests, from 0 to 1, for the API as it was in this run, with 95 %.
  package var overAtMost: Double?
  /// The smallest that would have broken the budget in this very run; nil when none within the limit's range would.
  package var inThisRun: Slowdown?
  /// The smallest that would have broken it with 95 % in a run like this; nil when none can be promised.
  package var likely: Slowdown?
  /// The shortest freeze of the API, seconds, that at a random moment would have broken it with 95 %; nil when none
  /// within the run would.
  package var stall: Double?
  /// Seconds of the run that it rests on: below 120 the figures are rough.
  package var seconds: Int

  package init(seconds: Int) { self.seconds = seconds }
}
