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
  /// Why there is no verdict on the whole, in sentences; empty where there is one.
  package var doubts: [String]
  /// What went wrong with shards and was tolerated, in sentences.
  package var tolerated: [String]
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
    (doubts, tolerated) = ([], [])
    sessions = 0
    sessionsOfAll = 0
  }
}

extension RunInfo {
  /// `on 45 of 60 planned sessions`; nil where all that was planned is judged.
  package var judgedScope: String? {
    guard let shards, shards.sessions < shards.sessionsOfAll else { return nil }
    let unit = load.contains { $0.unit == .users } ? "planned users" : "planned sessions"
    return "on \(shards.sessions) of \(shards.sessionsOfAll) \(unit)"
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
  /// By how much it moved the common start, for the reference's clock disagreed with its own, seconds; nil where it did not.
  package var corrected: Double?
  /// Sessions of the plan that were its own: arrivals, or users.
  package var sessions: Int
  /// Requests that it sent.
  package var requests: Int
  /// Requests that it was to send, per second.
  package var offered: Double
  /// Requests sent per second.
  package var rate: Double
  /// How late the latest 1 % of its sends were, microseconds.
  package var lateness: Double
  /// How late its latest send was, microseconds.
  package var latest: Double
  package var loops: Int
  /// CPU time over elapsed time of its busiest loop, per cent.
  package var cpuPercent: Double
  /// The longest time that a loop was away, microseconds.
  package var longestStall: Double
  /// Resident memory at its highest, bytes.
  package var peakMemory: Int
  /// Requests sent over its time.
  package var course: RateCourse
  /// Ctrl-C cut it short.
  package var cutShort: Bool
  /// Why its numbers cannot carry a verdict; empty when they can.
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

/// How many requests were sent in each step of a run.
package struct RateCourse: Sendable, Codable, Hashable {
  /// Seconds of a step.
  package var step: Int
  /// Requests sent in each.
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
