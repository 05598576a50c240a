/// Which shard of a run one process made, and how its clock stood.
package struct RunShard: Sendable, Codable, Hashable {
  /// From 1.
  package var number: Int
  /// How many shards the run has.
  package var of: Int
  /// A fingerprint of the plan of the whole run.
  package var plan: String
  /// A fingerprint of the scenario's and the contract's texts.
  package var texts: String
  /// What the load was, beside the scenario's own words; who merges the shards makes the same plan of it.
  package var load: LoadChange
  /// Sessions of the plan that are this shard's: arrivals of an open load, users of a closed one.
  package var sessions: Int
  /// Those of the whole plan.
  package var sessionsOfAll: Int
  /// When all shards were to begin, RFC 3339; nil where nothing was said.
  package var wanted: String?
  /// How long after that this one began, seconds.
  package var late: Double
  /// By how much it moved that moment on its own clock, since the reference's clock disagrees with it, seconds; nil where it
  /// did not.
  package var corrected: Double?
  /// When the load began, by this process's clocks.
  package var clock: ClockReading

  package init(
    number: Int, of: Int, plan: String, texts: String, load: LoadChange, sessions: Int, sessionsOfAll: Int,
    wanted: String?, late: Double = 0, clock: ClockReading = ClockReading()
  ) {
    self.number = number
    self.of = of
    self.plan = plan
    self.texts = texts
    self.load = load
    self.sessions = sessions
    self.sessionsOfAll = sessionsOfAll
    self.wanted = wanted
    self.late = late
    self.clock = clock
  }
}

/// How options changed the load of a scenario.
package struct LoadChange: Sendable, Codable, Hashable {
  /// Factor on rates and users.
  package var factor = 1.0
  /// Seconds; nil for the scenario's own.
  package var duration: Double?
  package var users: Int?
  package var iterations: Int?
  /// Sessions of these names; empty for all.
  package var only: [String] = []

  package init() {}
}

/// The moment at which a load began, by the clocks of the machine that made it.
package struct ClockReading: Sendable, Codable, Hashable {
  /// Equal on one machine until it is started again (`/proc/sys/kernel/random/boot_id`); empty where the system does not
  /// tell.
  package var machine = ""
  /// `CLOCK_MONOTONIC`, nanoseconds: one clock for all processes of a machine.
  package var monotonic: Int64 = 0
  /// Nanoseconds since 1970, UTC.
  package var wall: Int64 = 0
  /// What the machine's time of day differs by from that of others can see.
  package var bounds: [ClockBound] = []

  package init() {}
}

/// Between which values the difference between a reference's time of day and this machine's lies: reference − machine.
package struct ClockBound: Sendable, Codable, Hashable {
  package enum Reference: String, Sendable, Codable, Hashable, CaseIterable {
    /// The time service that the machine follows, as chrony tells it.
    case chrony
    /// The clock of the file server behind a folder that all shards write to.
    case folder
    /// The clock behind the `Date` of the target's answers.
    case target
  }

  package var reference: Reference
  /// Seconds.
  package var low: Double
  package var high: Double

  package init(_ reference: Reference, low: Double, high: Double) {
    self.reference = reference
    self.low = low
    self.high = high
  }

  package var width: Double { high - low }

  /// - Parameter seconds: on each side.
  package func widened(by seconds: Double) -> ClockBound {
    ClockBound(reference, low: low - seconds, high: high + seconds)
  }

  /// By how much the reference's clock is ahead of this machine's, seconds; nil where they may be equal.
  package var disagreement: Double? { low > 0 || high < 0 ? (low + high) / 2 : nil }
}
