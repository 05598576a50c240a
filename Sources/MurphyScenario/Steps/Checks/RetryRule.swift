import MurphyModel

/// `retry:` what a client tries again by itself: which outcomes, how often, and after which wait.
///
///     wait before the k-th retry = wait · factor^(k − 1), at most `longest`, of which `jitter` is drawn evenly
///     and no less than `Retry-After` where that is honoured
package struct RetryRule: Sendable {
  /// Whether a `Retry-After` makes the wait longer.
  package enum Hint: String, Sendable, CaseIterable { case honoured, ignored }

  package var triggers: [Trigger]
  /// Retries of one call, at most.
  package var times = 2
  package var wait: Duration = .milliseconds(500)
  package var factor = 2.0
  package var longest: Duration = .seconds(30)
  /// The share of the wait that chance decides, from 0 to 1.
  package var jitter = 0.5
  package var hint = Hint.honoured

  package init(triggers: [Trigger]) { self.triggers = triggers }

  /// - Parameter status: 0 for no complete answer.
  package func applies(to status: Int) -> Bool {
    triggers.contains { status == 0 ? $0 == .transport : $0.matches(status) }
  }

  /// Nanoseconds before a retry.
  ///
  /// - Parameters:
  ///   - number: of the retry, from 1.
  ///   - chance: from 0 to 1.
  ///   - asked: nanoseconds that the answer asks to wait; 0 when it does not.
  package func wait(before number: Int, chance: Double, asked: Int64) -> Int64 {
    var wait = wait.inSeconds
    for _ in 1..<max(number, 1) where wait < longest.inSeconds { wait *= factor }
    let drawn = min(wait, longest.inSeconds) * (1 - jitter * chance)
    let own = Duration.saturating(seconds: drawn).nanoseconds
    return hint == .honoured ? max(own, asked) : own
  }
}
