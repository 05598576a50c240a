import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The plan of a run, as far as its record needs it.
package struct RunFrame: Sendable {
  /// Contains only the sessions that take part.
  package var scenario: Scenario
  /// Includes the requests of the scenario that the contract does not document.
  package var contract: Contract
  /// The maximum of different findings that a loop keeps separately.
  package var findingLimit: Int

  var stages: [LoadStage] { scenario.load.stages }

  init(_ context: RunContext) {
    scenario = context.scenario
    contract = context.contract
    findingLimit = context.options.findingLimit
  }

  /// - Parameters:
  ///   - scenario: with the load after the options changed it.
  ///   - only: the names of the sessions that run; empty for all.
  package init(_ scenario: Scenario, _ contract: Contract, only: [String]) {
    self.scenario = scenario
    if !only.isEmpty { self.scenario.sessions.removeAll { !only.contains($0.name) } }
    self.contract = contract.adding(undocumentedOf: scenario)
    findingLimit = EngineOptions(seed: 0).findingLimit
  }

  /// `POST /logout`
  func title(_ write: AnsweredWrite) -> String {
    guard contract.operations.indices.contains(write.operation) else { return "a write request" }
    let operation = contract.operations[write.operation]
    return "\(operation.method) \(operation.path)"
  }
}

extension Contract {
  /// Adds the requests of a scenario that the contract does not document.
  func adding(undocumentedOf scenario: Scenario) -> Contract {
    adding(
      scenario.undocumentedRequests.map {
        UndocumentedOperation(id: $0.id, method: $0.method.rawValue, path: $0.path)
      })
  }
}

extension RunInfo {
  /// The properties of a run that do not depend on its load.
  init(_ context: RunContext) {
    self.init(
      scenario: context.scenario.name, scenarioFile: context.scenario.file, contractFile: context.contract.file,
      seed: context.options.seed, target: context.mask.masked(context.origin.text), started: Machine.started(context),
      duration: 0, cutShort: false, murphy: ProductVersion.text, libcurl: LibcurlVersion.text, machine: Machine.text,
      load: context.stages, salt: context.options.salt, contractFiles: context.contract.files)
    lookup = context.resolved.lookup.map { Double($0.nanoseconds) / 1000 }
  }
}

/// The description of the machine and the time in the record.
package enum Machine {
  /// `Linux 6.1.0 x86_64, 2 cores, 24 GB`
  package static var text: String {
    var name = utsname()
    uname(&name)
    func field<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let process = ProcessInfo.processInfo
    let memory = ByteCount(Int(process.physicalMemory)).text
    return "\(field(name.sysname)) \(field(name.release)) \(field(name.machine)), "
      + "\(process.activeProcessorCount) cores, \(memory)"
  }

  /// The time at which the load began, RFC 3339 in UTC.
  static func started(_ context: RunContext) -> String {
    let ago = Double(Instant.now - context.start) / 1e9
    return Date(timeIntervalSinceNow: -ago).formatted(.iso8601)
  }
}

extension ClockReading {
  /// The reading of this machine's clocks at an instant.
  ///
  /// - Parameter timeOfDay: nanoseconds since 1970, by the clock at the time when the run was created. A clock that is
  ///   set during the run does not move earlier events.
  static func at(_ instant: Instant, timeOfDay: Int64) -> ClockReading {
    var reading = ClockReading()
    reading.machine =
      (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    reading.monotonic = instant.nanoseconds
    reading.wall = timeOfDay
    return reading
  }
}
