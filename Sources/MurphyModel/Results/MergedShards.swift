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
  /// Half the width of the widest bounds of a machine's clock, in milliseconds: the precision of each event. 0 for one
  /// machine; nil if unknown, so that events of different machines together prove nothing.
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
  /// The delay of its start after the common start, in seconds.
  package var late: Double
  /// The bounds of the difference between the reference's clock and its own, in milliseconds; nil if unknown.
  package var clockLow: Double?
  /// In milliseconds; nil if unknown.
  package var clockHigh: Double?
  /// The correction that it made to the common start, because the reference's clock disagreed with its own, in seconds;
  /// nil without one.
  package var corrected: Double?
  /// The number of planned sessions assigned to it: arrivals, or users.
  package var sessions: Int
  /// Requests that it sent.
  package var requests: Int
  /// Requests per second that it was to send.
  package var offered: Double
  /// Requests sent per second.
  package var rate: Double
  /// The lateness of the latest 1 % of its sends, in microseconds.
  package var lateness: Double
  /// The lateness of its latest send, in microseconds.
  package var latest: Double
  /// The number of its event loops, one for each core.
  package var loops: Int
  /// CPU time divided by elapsed time of its busiest loop, in percent.
  package var cpuPercent: Double
  /// The longest time that a loop was away, in microseconds.
  package var longestStall: Double
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
