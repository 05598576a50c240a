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
  /// The delay of this shard after that time.
  @InSeconds package var late: Duration
  /// The correction that it made to that time on its own clock, because the reference's clock disagrees with it; nil
  /// without one.
  @InSeconds package var corrected: Duration?
  /// The time when the load began, by this process's clocks.
  package var clock: ClockReading

  package init(
    number: Int, of: Int, plan: String, texts: String, load: LoadChange, sessions: Int, sessionsOfAll: Int,
    wanted: String?, late: Duration = .zero, clock: ClockReading = ClockReading()
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
  /// Nil for the scenario's own.
  @InSeconds package var duration: Duration?
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

  /// The clock to which the bounds refer.
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

  /// - Parameter margin: on each side.
  package func widened(by margin: Duration) -> ClockBound {
    ClockBound(reference, low: low - margin.inSeconds, high: high + margin.inSeconds)
  }

  /// How far the reference's clock is ahead of this machine's; nil if they may be equal.
  package var disagreement: Duration? { low > 0 || high < 0 ? .saturating(seconds: (low + high) / 2) : nil }
}

/// The shards of a merged run.
package struct MergedShards: Sendable, Codable, Hashable {
  /// The number of shards of the run.
  package var of: Int
  /// A fingerprint of its plan.
  package var plan: String
  /// The merged shards, ascending by number.
  package var shards: [ShardResult]
  /// Numbers of the shards without merged data.
  package var missing: [Int]
  /// Numbers of shards that began late, or were cut short.
  package var impaired: [Int]
  /// Why the whole run has no verdict, in sentences; empty with a verdict.
  package var doubts: [String]
  /// Tolerated problems with shards, in sentences.
  package var tolerated: [String]
  /// The number of planned sessions that were judged, and their total.
  package var sessions: Int
  /// The planned sessions of the whole run, judged or not.
  package var sessionsOfAll: Int
  /// The clock by which events of different machines were compared; nil if no comparison was needed or possible.
  package var reference: ClockBound.Reference?
  /// Half the width of the widest bounds of a machine's clock: the precision of each event. 0 for one machine; nil if
  /// unknown, so that events of different machines together prove nothing.
  @InMilliseconds package var uncertainty: Duration?

  package init(of: Int, plan: String, shards: [ShardResult], missing: [Int], impaired: [Int]) {
    self.of = of
    self.plan = plan
    self.shards = shards
    self.missing = missing
    self.impaired = impaired
    (doubts, tolerated) = ([], [])
    sessions = 0
    sessionsOfAll = 0
  }
}

extension RunInfo {
  /// `on 45 of 60 planned sessions`; nil if the whole plan is judged.
  package var judgedScope: String? {
    guard let shards, shards.sessions < shards.sessionsOfAll else { return nil }
    let unit = load.contains { $0.unit == .users } ? "planned users" : "planned sessions"
    return "on \(shards.sessions) of \(shards.sessionsOfAll) \(unit)"
  }
}

/// One shard of a merged run.
package struct ShardResult: Sendable, Codable, Hashable {
  /// From 1.
  package var number: Int
  /// System, cores and memory of its machine.
  package var machine: String
  /// RFC 3339, UTC, by the clock of its machine.
  package var started: String
  /// The delay of its start after the common start.
  @InSeconds package var late: Duration
  /// The lower bound of the difference between the reference's clock and its own; nil if unknown.
  @InMilliseconds package var clockLow: Duration?
  /// The upper bound; nil if unknown.
  @InMilliseconds package var clockHigh: Duration?
  /// The correction that it made to the common start, because the reference's clock disagreed with its own; nil without
  /// one.
  @InSeconds package var corrected: Duration?
  /// The number of planned sessions assigned to it: arrivals, or users.
  package var sessions: Int
  /// Requests that it sent.
  package var requests: Int
  /// Requests per second that it was to send.
  package var offered: Double
  /// Requests sent per second.
  package var rate: Double
  /// The lateness of the latest 1 % of its sends.
  @InMicroseconds package var lateness: Duration
  /// The lateness of its latest send.
  @InMicroseconds package var latest: Duration
  /// The number of its event loops, one for each core.
  package var loops: Int
  /// CPU time divided by elapsed time of its busiest loop, in percent.
  package var cpuPercent: Double
  /// The longest time that a loop was away.
  @InMicroseconds package var longestStall: Duration
  /// The peak resident memory, in bytes.
  package var peakMemory: Int
  /// The number of requests sent over time.
  package var course: RateCourse
  /// Ctrl-C cut it short.
  package var cutShort: Bool
  /// Why its numbers cannot support a verdict; empty if they can.
  package var doubts: [String]

  package init(_ shard: RunShard, _ info: RunInfo, _ generator: GeneratorReport, requests: Int, course: RateCourse) {
    func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    number = shard.number
    machine = info.machine
    started = info.started
    late = shard.late
    corrected = shard.corrected
    sessions = shard.sessions
    self.requests = requests
    (offered, rate) = (tenth(generator.offered), tenth(generator.achieved))
    (lateness, latest) = (generator.lateness.p99, generator.lateness.max)
    (loops, cpuPercent) = (generator.loops, generator.cpuPercent)
    (longestStall, peakMemory) = (generator.longestStall, generator.peakMemory)
    self.course = course
    cutShort = info.cutShort
    doubts = generator.doubts
  }
}

/// The number of requests sent in each step of a run.
package struct RateCourse: Sendable, Codable, Hashable {
  /// The length of a step in seconds.
  package var step: Int
  /// The number of requests sent in each step.
  package var sent: [Int]

  private static let most = 120

  /// - Parameter seconds: requests sent in each second.
  package init(seconds: [Int] = []) {
    let step = max((seconds.count + Self.most - 1) / Self.most, 1)
    self.step = step
    sent = stride(from: 0, to: seconds.count, by: step).map { first in
      seconds[first..<min(first + step, seconds.count)].reduce(0, +)
    }
  }
}
