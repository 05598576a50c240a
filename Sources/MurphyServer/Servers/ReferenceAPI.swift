import Synchronization

/// A system that murphy serves itself: a small real API on a real SQLite database, which can simulate faults.
///
/// Each is one value, in its own folder, with its operations, its faults and its handling of requests.
package struct ReferenceAPI: Sendable {
  /// As in `murphy serve NAME` and `embedded:NAME`.
  package let name: String
  /// Its description, in one line.
  package let summary: String
  /// The contract's file in the repository.
  package let contract: String
  /// All operations, as its contract names them.
  package let operations: [Operation]
  /// The faults of this system only.
  package let ownFaults: [Fault]
  /// The headers that report limits, unless an option specifies others.
  let rateHeaders: RateHeaders
  /// Opens its database.
  let open: @Sendable (ReferenceOptions) throws -> any ReferenceSystem

  package init(
    _ name: String, _ summary: String, contract: String, operations: [Operation], faults: [Fault],
    rateHeaders: RateHeaders = .none, open: @escaping @Sendable (ReferenceOptions) throws -> any ReferenceSystem
  ) {
    self.name = name
    self.summary = summary
    self.contract = contract
    self.operations = operations
    ownFaults = faults
    self.rateHeaders = rateHeaders
    self.open = open
  }

  private static let known = Mutex([murphysLaws])

  /// The known systems: Murphy's Laws, then those that the program has registered.
  package static var all: [ReferenceAPI] { known.withLock(\.self) }

  /// Adds systems to the known ones, each once. A program does this before anything else.
  package static func register(_ systems: [ReferenceAPI]) {
    known.withLock { known in
      for system in systems where !known.contains(where: { $0.name == system.name }) { known.append(system) }
    }
  }
}

extension ReferenceAPI {
  /// The faults that it can simulate: its own, then those of every system.
  package var faults: [Fault] { ownFaults + Fault.common }

  package static var names: [String] { all.map(\.name) }

  /// The system of this name. An unknown name is an error that suggests the nearest one.
  package init(named name: String) throws(ServerError) {
    guard let api = Self.all.first(where: { $0.name == name }) else {
      throw ServerError(unknown: "system", name, among: Self.names)
    }
    self = api
  }

  /// The fault of this name. An unknown name is an error that suggests the nearest one. The error names the system if
  /// another one has the fault.
  package func fault(_ name: String) throws(ServerError) -> Fault {
    if let fault = faults.first(where: { $0.name == name }) { return fault }
    let owners = Self.all.filter { $0.faults.contains { $0.name == name } }.map(\.name)
    guard owners.isEmpty else {
      throw ServerError("\(self.name) has no fault \"\(name)\": it is a fault of \(owners.joined(separator: ", ")).")
    }
    throw ServerError(unknown: "fault", name, among: faults.map(\.name))
  }

  /// Starts it and returns once it accepts connections.
  ///
  /// - Throws: `ServerError` for a fault or limit of another system, a port in use, or an address of another machine.
  ///   It also throws for a database that cannot be opened.
  package func start(_ options: ReferenceOptions = ReferenceOptions()) async throws -> RunningServer {
    var faults = options.faults
    for name in options.faultNames { faults.append(try fault(name)) }
    try check(options.limits.overrides)
    let system = try open(options)
    var hooks = FaultInstaller.hooks(faults, of: self, system, seed: options.seed)
    if let work = options.work {
      hooks.add(WorkQueue(workers: options.workers, work: work, tail: options.workTail, seed: options.seed))
    }
    let service = try await Service(self, system, options, hooks)
    return try await ReferenceServer.start(name, service, options)
  }
}
