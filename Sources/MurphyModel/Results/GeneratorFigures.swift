/// How one loop of murphy fared.
package struct GeneratorLoop: Sendable, Codable, Hashable {
  /// Of the shards of a merged run, the one that it belongs to, from 1; nil in a run of one process.
  package var shard: Int?
  /// From 0, in each process.
  package var loop: Int
  /// CPU time over elapsed time, per cent.
  package var cpuPercent: Double
  /// The share of the time in which it was ready to run and another program had its core, per cent; nil where the system
  /// does not tell.
  package var waitingPercent: Double?
  /// Times that it was away for longer than 50 ms.
  package var stalls: Int
  /// The longest time away, microseconds.
  package var longestStall: Double
  /// The share of the time that its stalls took, per cent.
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

/// What murphy used of its machine, and what the machine had left for it.
package struct GeneratorResources: Sendable, Codable, Hashable {
  /// Of the machine's CPU time, what the hypervisor gave to others while the run lasted, per cent; nil where the system
  /// does not tell.
  package var stealPercent: Double?
  /// Open files and connections at their most, by a look twice a second.
  package var peakDescriptors: Int
  /// How many may be open at once (`ulimit -n`).
  package var descriptorLimit: Int
  /// Ports of the machine in TIME_WAIT at their most (RFC 9293 §3.6.1), by a look twice a second. A closed connection
  /// keeps its port for a minute.
  package var peakTimeWait: Int
  /// Ports that the system gives to connections without one of their own (`net.ipv4.ip_local_port_range`), for each
  /// pair of source and target address.
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

/// What this machine ran out of when a request could not be sent.
package enum Scarcity: String, Sendable, Codable, Hashable, CaseIterable {
  case ports
  case files
  case memory

  /// What there is too little of, and what to change, for a sentence.
  package var words: (lack: String, remedy: String) {
    switch self {
    case .ports:
      (
        "free port",
        "Keep connections (`client: { connections: reuse }`), widen net.ipv4.ip_local_port_range, or spread users over "
          + "source addresses"
      )
    case .files: ("room for another open file", "Raise the limit of open files (`ulimit -n`)")
    case .memory: ("memory", "Give murphy more memory, or fewer users at once")
    }
  }
}
