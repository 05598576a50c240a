/// The shards of a merged run.
package struct MergedShards: Sendable, Codable, Hashable {
  /// How many the run has.
  package var of: Int
  /// A fingerprint of its plan.
  package var plan: String
  /// By number, ascending; those that were merged.
  package var shards: [ShardResult]
  /// Numbers of shards of which nothing was merged.
  package var missing: [Int]
  /// Numbers of shards that began late, or were cut short.
  package var impaired: [Int]
  /// Sessions of the plan that were judged, of how many.
  package var sessions: Int
  package var sessionsOfAll: Int
  /// By what clock events of different machines were compared; nil where there was nothing to compare, or no way.
  package var reference: ClockBound.Reference?
  /// Half the width of the widest bounds of a machine's clock, milliseconds: each event is known to that. 0 for one machine;
  /// nil where nothing is known, so that events of different machines prove nothing together.
  package var uncertainty: Double?

  package init(of: Int, plan: String, shards: [ShardResult], missing: [Int], impaired: [Int]) {
    self.of = of
    self.plan = plan
    self.shards = shards
    self.missing = missing
    self.impaired = impaired
    sessions = 0
    sessionsOfAll = 0
  }
}

/// One shard of a merged run.
package struct ShardResult: Sendable, Codable, Hashable {
  package var number: Int
  /// System, cores and memory of its machine.
  package var machine: String
  /// RFC 3339, UTC, by its own clock.
  package var started: String
  /// How long after the common start it began, seconds.
  package var late: Double
  /// Between which values the difference between the reference's clock and its own lies, milliseconds; nil where that is
  /// not known.
  package var clockLow: Double?
  package var clockHigh: Double?
  /// Sessions of the plan that were its own.
  package var sessions: Int
  package var requests: Int
  /// Requests sent per second.
  package var rate: Double
  /// How late the latest 1 % of its sends were, microseconds.
  package var lateness: Double
  /// Ctrl-C cut it short.
  package var cutShort: Bool
  /// Why its numbers cannot carry a verdict; empty when they can.
  package var doubts: [String]

  package init(
    number: Int, machine: String, started: String, late: Double, sessions: Int, requests: Int, rate: Double,
    lateness: Double, cutShort: Bool, doubts: [String]
  ) {
    self.number = number
    self.machine = machine
    self.started = started
    self.late = late
    self.sessions = sessions
    self.requests = requests
    self.rate = rate
    self.lateness = lateness
    self.cutShort = cutShort
    self.doubts = doubts
  }
}
