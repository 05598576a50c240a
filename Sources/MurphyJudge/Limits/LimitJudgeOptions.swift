import MurphyModel

/// What the limit judge must know besides the log and the policies.
package struct LimitJudgeOptions: Sendable {
  /// The counters were empty when the run began, as with an embedded target started for it. Otherwise a key counts as
  /// quiet only once the log itself shows a whole window without it.
  package var startsQuiet: Bool
  /// The step of the server's clock where it is known, for policies that do not say.
  package var tick: Duration?
  /// The server runs on this machine, so that both clocks advance alike.
  package var sharesClock: Bool
  /// How long after a lost request was sent the server may still decide on it.
  package var decisionTimeout: Duration
  /// For `curl` lines: where the API is, without a slash at the end; empty: the shell variable `TARGET`.
  package var target: String
  package var operations: [OperationSummary]
  /// A refusal slower than this, 99th percentile, is a finding; nil: not judged.
  package var refusalBudget: Duration?
  /// Says of every limit that nothing contradicts what that is worth; takes up to a second in an optimised build.
  package var measuresStrength = false
  /// A window that the limiter was found to have, seconds: a `Retry-After` within it is honest, whatever is promised.
  package var foundWindow = 0.0

  package init(
    startsQuiet: Bool = false, tick: Duration? = nil, sharesClock: Bool = false,
    decisionTimeout: Duration = .seconds(60),
    target: String = "", operations: [OperationSummary] = [], refusalBudget: Duration? = nil
  ) {
    self.startsQuiet = startsQuiet
    self.tick = tick
    self.sharesClock = sharesClock
    self.decisionTimeout = decisionTimeout
    self.target = target
    self.operations = operations
    self.refusalBudget = refusalBudget
  }
}
