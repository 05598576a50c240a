/// Whether murphy itself was fast enough.
package struct GeneratorReport: Sendable, Codable {
  /// The number of threads that generated load.
  package var loops: Int
  /// The delay of sends after their intended start.
  package var lateness: LatencySummary
  /// The number of times that a loop was away for longer than 50 ms.
  package var loopStalls: Int
  /// The longest time away of any loop.
  @InMicroseconds package var longestStall: Duration
  /// CPU time divided by elapsed time of one loop's core, in percent, for the busiest loop.
  package var cpuPercent: Double
  /// Planned requests per second.
  package var offered: Double
  /// Sent requests per second.
  package var achieved: Double
  /// The peak number of users.
  package var peakUsers: Int
  /// The peak resident memory, in bytes.
  package var peakMemory: Int
  /// Why the generator's numbers cannot support a verdict; empty if they can.
  package var doubts: [String]
  /// Each loop separately. Nil in results of earlier versions.
  package var perLoop: [GeneratorLoop]?
  /// The share of the due requests that murphy sent, in percent; requests that waited for the API or were not due yet
  /// do not count. Nil in results of earlier versions.
  package var achievedPercent: Double?
  /// Nil in results of earlier versions.
  package var resources: GeneratorResources?
  /// The effects of murphy itself on the run, by kind; `doubts` are the sentences of those that prevent a verdict. Nil
  /// in results of earlier versions.
  package var reservations: [GeneratorReservation]?

  package init(
    loops: Int, lateness: LatencySummary, loopStalls: Int, longestStall: Duration, cpuPercent: Double,
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

  /// The report of a generator that had no requests to send.
  package static let idle = GeneratorReport(
    loops: 0, lateness: LatencySummary(LatencyHistogram()), loopStalls: 0, longestStall: .zero, cpuPercent: 0,
    offered: 0,
    achieved: 0, peakUsers: 0, peakMemory: 0, doubts: [])

  /// Adds effects of murphy on the run, and doubts for those that prevent a verdict.
  package mutating func add(_ reservations: [GeneratorReservation]) {
    self.reservations = (self.reservations ?? []) + reservations
    doubts += reservations.filter { $0.kind.weight != .shown }.map(\.sentence)
  }
}

/// An effect of murphy itself, or of its machine, on the run.
package struct GeneratorReservation: Sendable, Codable, Hashable {
  /// The kind of effect.
  package enum Cause: String, Sendable, Codable, CaseIterable {
    /// The load lost its shape: requests were sent long after their due time.
    case lateLoad = "late-load"
    /// A large part of the measured latency may be murphy's own delay.
    case lateFigures = "late-figures"
    /// A loop of murphy used all of its core.
    case core
    /// Other programs, or other guests of the hypervisor, used the core that a loop of murphy needed.
    case starved
    /// A loop of murphy stalled, once for long or for a large part of the run.
    case stall
    /// Loops stalled for more than 1 % of the run: responses that arrived meanwhile were read late.
    case shortStalls = "short-stalls"
    /// The due times of planned requests passed before murphy could send them.
    case shortfall
    /// Most ports of the machine are in TIME_WAIT.
    case ports
    /// Sessions were dropped because murphy reached a limit of its own.
    case dropped
    /// Requests failed because this machine lacked a port, a file or memory.
    case exhausted
    /// A loop of murphy did not end: its measurements are missing.
    case stuckLoop = "stuck-loop"
  }

  /// The consequence for the verdict.
  package enum Weight: Sendable {
    /// Shown in the report. Intervals handle its possible influence: lateness only makes latency longer.
    case shown
    /// The API got less load than planned: failed checks count, but no check passes.
    case forbidsPass
    /// No measured time can be trusted.
    case forbidsTiming
  }

  /// The kind of effect.
  package var kind: Cause
  /// The same with its numbers, for people.
  package var sentence: String

  package init(_ kind: Cause, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}

extension GeneratorReservation.Cause {
  /// The consequence for the verdict.
  package var weight: GeneratorReservation.Weight {
    switch self {
    case .lateFigures, .shortStalls, .ports: .shown
    case .dropped, .exhausted, .shortfall, .stuckLoop: .forbidsPass
    case .lateLoad, .core, .starved, .stall: .forbidsTiming
    }
  }
}

/// The performance of one loop of murphy.
package struct GeneratorLoop: Sendable, Codable, Hashable {
  /// In a merged run, the number of its shard, from 1; nil in a run of one process.
  package var shard: Int?
  /// The number of the loop, from 0 in each process.
  package var loop: Int
  /// CPU time divided by elapsed time, in percent.
  package var cpuPercent: Double
  /// The share of the time in which it was ready to run but another program had its core, in percent; nil if the system
  /// does not report it.
  package var waitingPercent: Double?
  /// The number of times that it was away for longer than 50 ms.
  package var stalls: Int
  /// The longest time away.
  @InMicroseconds package var longestStall: Duration
  /// The share of the time that its stalls took, in percent.
  package var stalledPercent: Double

  package init(
    loop: Int, cpuPercent: Double, waitingPercent: Double?, stalls: Int, longestStall: Duration, stalledPercent: Double
  ) {
    self.loop = loop
    self.cpuPercent = cpuPercent
    self.waitingPercent = waitingPercent
    self.stalls = stalls
    self.longestStall = longestStall
    self.stalledPercent = stalledPercent
  }
}

/// The resources of its machine that murphy used, and those that were left.
package struct GeneratorResources: Sendable, Codable, Hashable {
  /// The share of the machine's CPU time that the hypervisor gave to others during the run, in percent; nil if the
  /// system does not report it.
  package var stealPercent: Double?
  /// The peak number of open files and connections, sampled twice a second.
  package var peakDescriptors: Int
  /// The limit of open files (`ulimit -n`).
  package var descriptorLimit: Int
  /// The peak number of the machine's ports in TIME_WAIT (RFC 9293 §3.6.1), sampled twice a second. A closed connection
  /// keeps its port for a minute.
  package var peakTimeWait: Int
  /// The number of ports that the system assigns to connections without a chosen port, for each pair of source and
  /// target address (`net.ipv4.ip_local_port_range`).
  package var ports: Int

  package init(
    stealPercent: Double?, peakDescriptors: Int, descriptorLimit: Int, peakTimeWait: Int, ports: Int
  ) {
    self.stealPercent = stealPercent
    self.peakDescriptors = peakDescriptors
    self.descriptorLimit = descriptorLimit
    self.peakTimeWait = peakTimeWait
    self.ports = ports
  }
}

/// The resource that this machine lacked when a request could not be sent.
package enum Scarcity: String, Sendable, Codable, Hashable, CaseIterable {
  case ports
  case files
  case memory

  /// The missing resource and its remedy, for a sentence.
  package var words: (lack: String, remedy: String) {
    switch self {
    case .ports:
      (
        "free port",
        "Reuse connections (`client: { connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users "
          + "over several source addresses"
      )
    case .files: ("free file descriptor", "Raise the limit of open files (`ulimit -n`)")
    case .memory: ("memory", "Give murphy more memory, or fewer users at once")
    }
  }
}
