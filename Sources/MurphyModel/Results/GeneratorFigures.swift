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
  /// The longest time away, in microseconds.
  package var longestStall: Double
  /// The share of the time that its stalls took, in percent.
  package var stalledPercent: Double

  package init(
    loop: Int, cpuPercent: Double, waitingPercent: Double?, stalls: Int, longestStall: Double, stalledPercent: Double
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
        "Keep connections (`client: { connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over "
          + "source addresses"
      )
    case .files: ("free file descriptor", "Raise the limit of open files (`ulimit -n`)")
    case .memory: ("memory", "Give murphy more memory, or fewer users at once")
    }
  }
}
