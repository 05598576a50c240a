/// One session of the plan.
package struct Arrival: Sendable, Hashable {
  /// Number in the run, from 0.
  package var index: Int
  /// Number of the virtual user, from 0; the same as `index` in an open model.
  package var user: Int
  /// Number among its user's sessions, from 0.
  package var iteration: Int
  /// Nanoseconds after the load began; in a closed model the earliest, for a user's first session only.
  package var due: Int64
  /// Index into `Scenario.sessions`.
  package var session: Int
  /// Of the session's random stream.
  package var seed: UInt64
}
