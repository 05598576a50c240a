/// Whether murphy itself kept up.
package struct GeneratorReport: Sendable, Codable {
  /// Threads that made load.
  package var loops: Int
  /// How late sends were, from their intended start.
  package var lateness: LatencySummary
  /// Times that a loop was away for longer than 50 ms.
  package var loopStalls: Int
  /// The longest time away of any loop, microseconds.
  package var longestStall: Double
  /// CPU time over elapsed time of one loop's core, per cent, the busiest loop.
  package var cpuPercent: Double
  /// Planned requests per second.
  package var offered: Double
  /// Sent requests per second.
  package var achieved: Double
  /// The most users at any time.
  package var peakUsers: Int
  /// Resident memory at its highest, bytes.
  package var peakMemory: Int
  /// Why the generator's numbers cannot carry a verdict; empty when they can.
  package var doubts: [String]
  /// Each loop by itself. Nil in results of earlier versions.
  package var perLoop: [GeneratorLoop]?
  /// Requests sent of those that murphy was to send, per cent: what waited for the API or was not due yet does not count.
  /// Nil in results of earlier versions.
  package var achievedPercent: Double?
  /// Nil in results of earlier versions.
  package var resources: GeneratorResources?
  /// What murphy itself did to the run, by kind; `doubts` are the sentences of those that leave no verdict. Nil in
  /// results of earlier versions.
  package var reservations: [GeneratorReservation]?

  package init(
    loops: Int, lateness: LatencySummary, loopStalls: Int, longestStall: Double, cpuPercent: Double,
    offered: Double, achieved: Double, peakUsers: Int, peakMemory: Int, doubts: [String]
  ) {
    self.loops = loops
    self.lateness = lateness
    self.loopStalls = loopStalls
    self.longestStall = longestStall
    self.cpuPercent = cpuPercent
    self.offered = offered
    self.achieved = achieved
    self.peakUsers = peakUsers
    self.peakMemory = peakMemory
    self.doubts = doubts
  }

  /// Of a generator that was never asked for anything.
  package static let idle = GeneratorReport(
    loops: 0, lateness: LatencySummary(LatencyHistogram()), loopStalls: 0, longestStall: 0, cpuPercent: 0, offered: 0,
    achieved: 0, peakUsers: 0, peakMemory: 0, doubts: [])

  /// Enters what murphy did to the run, and what of it leaves no verdict.
  package mutating func add(_ reservations: [GeneratorReservation]) {
    self.reservations = (self.reservations ?? []) + reservations
    doubts += reservations.filter { $0.kind.weight != .shown }.map(\.sentence)
  }
}

/// Something that murphy itself, or its machine, did to the run.
package struct GeneratorReservation: Sendable, Codable, Hashable {
  /// What happened.
  package enum Cause: String, Sendable, Codable, CaseIterable {
    /// The load lost its shape: requests were sent long after their moment.
    case lateLoad = "late-load"
    /// A good part of the latency that was measured may be murphy's own delay.
    case lateFigures = "late-figures"
    /// A loop of murphy had no more of its core to use.
    case core
    /// Other programs, or other guests of the hypervisor, had the core that a loop of murphy needed.
    case starved
    /// A loop of murphy stood still, once for long or for a large part of the run.
    case stall
    /// Loops stood still for more than 1 % of the run: what came meanwhile was read late.
    case shortStalls = "short-stalls"
    /// The moments of planned requests passed before murphy came to them.
    case shortfall
    /// Most ports of the machine are in TIME_WAIT.
    case ports
    /// Sessions were dropped for want of room in murphy.
    case dropped
    /// Requests failed for want of a port, a file or memory on this machine.
    case exhausted
    /// A loop of murphy did not end: what it measured is missing.
    case stuckLoop = "stuck-loop"
  }

  /// What it means for the verdict.
  package enum Weight: Sendable {
    /// Said in the report. What it may have decided is decided by intervals: lateness only makes latency longer.
    case shown
    /// Less was asked of the API than planned: what it broke all the same is broken, but nothing is kept.
    case forbidsPass
    /// No time that was measured can be trusted.
    case forbidsTiming
  }

  /// What happened.
  package var kind: Cause
  /// The same with its numbers, for people.
  package var sentence: String

  package init(_ kind: Cause, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}

extension GeneratorReservation.Cause {
  /// What it means for the verdict.
  package var weight: GeneratorReservation.Weight {
    switch self {
    case .lateFigures, .shortStalls, .ports: .shown
    case .dropped, .exhausted, .shortfall, .stuckLoop: .forbidsPass
    case .lateLoad, .core, .starved, .stall: .forbidsTiming
    }
  }
}
