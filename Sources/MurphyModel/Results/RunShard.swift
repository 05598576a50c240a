/// The shard of a run that one process generated, and the state of its clock.
package struct RunShard: Sendable, Codable, Hashable {
  /// The number of the shard, from 1.
  package var number: Int
  /// The number of shards of the run.
  package var of: Int
  /// A fingerprint of the plan of the whole run.
  package var plan: String
  /// A fingerprint of the texts of the scenario and the contract.
  package var texts: String
  /// The changes to the load of the scenario; merging the shards creates the same plan from it.
  package var load: LoadChange
  /// Planned sessions of this shard: arrivals of an open load, users of a closed one.
  package var sessions: Int
  /// Sessions of the whole plan.
  package var sessionsOfAll: Int
  /// The common start of all shards, RFC 3339; nil if not set.
  package var wanted: String?
  /// The delay of this shard after that time, in seconds.
  package var late: Double
  /// The correction that it made to that time on its own clock, because the reference's clock disagrees with it, in
  /// seconds; nil without one.
  package var corrected: Double?
  /// The time when the load began, by this process's clocks.
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

/// The changes of a scenario's load by options.
package struct LoadChange: Sendable, Codable, Hashable {
  /// The factor on rates and users.
  package var factor = 1.0
  /// The duration in seconds; nil for the scenario's own.
  package var duration: Double?
  /// Nil if no option changed the number of users.
  package var users: Int?
  /// Nil if no option changed the number of iterations.
  package var iterations: Int?
  /// Names of the selected sessions; empty for all.
  package var only: [String] = []

  package init() {}
}

/// The time at which a load began, by the clocks of the machine that generated it.
package struct ClockReading: Sendable, Codable, Hashable {
  /// Equal on one machine until it is restarted (`/proc/sys/kernel/random/boot_id`); empty if the system does not
  /// report it.
  package var machine = ""
  /// `CLOCK_MONOTONIC`, nanoseconds: one clock for all processes of a machine.
  package var monotonic: Int64 = 0
  /// Nanoseconds since 1970, UTC.
  package var wall: Int64 = 0
  /// The bounds of the difference between the machine's time of day and clocks that other machines can read.
  package var bounds: [ClockBound] = []

  package init() {}
}

/// The bounds of the difference between a reference's time of day and this machine's: reference − machine.
package struct ClockBound: Sendable, Codable, Hashable {
  /// The clock that is compared with this machine's.
  package enum Reference: String, Sendable, Codable, Hashable, CaseIterable {
    /// The time service that the machine follows, as reported by chrony.
    case chrony
    /// The clock of the file server behind a folder that all shards write to.
    case folder
    /// The clock behind the `Date` of the target's responses.
    case target
  }

  package var reference: Reference
  /// Seconds.
  package var low: Double
  /// Seconds.
  package var high: Double

  package init(_ reference: Reference, low: Double, high: Double) {
    self.reference = reference
    self.low = low
    self.high = high
  }

  /// Seconds.
  package var width: Double { high - low }

  /// - Parameter seconds: the margin on each side.
  package func widened(by seconds: Double) -> ClockBound {
    ClockBound(reference, low: low - seconds, high: high + seconds)
  }

  /// How far the reference's clock is ahead of this machine's, in seconds; nil if they may be equal.
  package var disagreement: Double? { low > 0 || high < 0 ? (low + high) / 2 : nil }
}
