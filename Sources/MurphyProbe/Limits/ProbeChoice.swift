import MurphyModel

/// One limit to probe: the operation to call, and what is promised of it.
package struct ProbeChoice: Sendable {
  package var operation: Int
  /// Nil for a black box.
  package var policy: LimitPolicy?
  package var name: String
  /// The promised window is longer than may be waited for.
  package var isWindowTooLong = false

  package init(operation: Int, policy: LimitPolicy?, name: String) {
    self.operation = operation
    self.policy = policy
    self.name = name
  }

  /// A declared policy takes about one and a half windows; shorter waits cannot confirm it (docs/rate-limits.md §3.3).
  package static let windowsNeeded = 1.5
}
