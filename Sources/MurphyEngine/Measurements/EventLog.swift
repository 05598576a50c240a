import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The events of a loop or of a process, and how well it kept up: the data that cannot be summed.
///
/// Secrets that one request shows alone are masked.
package struct EventLog: Sendable, Codable {
  /// The number of the shard in the run, from 1.
  package var shard = 1
  /// A loop cannot determine how the load ended: the process sets that.
  package var info: RunInfo
  /// One entry for each loop.
  var ends: [LoopEnd] = []
  /// The report on how well the process kept up. Its percentages are those of this process.
  package var generator = GeneratorReport.idle
  /// The number of requests that it sent. The process sets this and the next two.
  package var requests = 0
  /// The number of requests sent in each second.
  package var course = RateCourse()
  /// The number of sessions that began.
  package var begun = 0
  package var limits = LimitLog(start: Instant(nanoseconds: 0))
  package var state = StateLog()
  package var relations = RelationLog()
  package var answers = ResponseLog()
  /// True if it met more secrets than it could remember. The content of single requests must then not be shown.
  package var hidesContent = false
  /// The changes of operations from success to failure. In memory only.
  var changes: [FailureChange] = []
  /// Values that must not be in any output. In memory only.
  package var secrets: Set<Secret> = []
  /// The bounds on this machine's clock that the dates of responses give. For a single loop and in memory only.
  var dates = DateBounds()
  /// The same as `state` with unmasked requests, for the reads after the load. For a single loop and in memory only.
  var unmasked: StateRecorder?

  /// In a file, the other logs have separate lines.
  private enum CodingKeys: String, CodingKey {
    case shard, info, ends, generator, requests, course, begun, answers, hidesContent
  }

  init(_ context: RunContext) {
    info = RunInfo(context)
    shard = context.options.shardInfo?.number ?? 1
    limits.start = context.start
    limits.operations = context.contract.operations.map(\.id)
    state = StateLog(invariants: context.state.invariants.count)
    state.operations = limits.operations
  }

  /// Adds another log's requests and secrets after its own.
  ///
  /// Responses are not added: gaps are common to all logs (``ResponseLog/init(_:)``).
  mutating func append(_ other: EventLog) {
    limits.append(other.limits)
    state.append(other.state)
    relations.append(other.relations)
    for change in other.changes {
      if let index = changes.firstIndex(where: { $0.operation == change.operation }) {
        changes[index].merge(change)
      } else {
        changes.append(change)
      }
    }
    hidesContent = hidesContent || other.hidesContent
    secrets.formUnion(other.secrets)
  }

  mutating func keepRequests(_ most: Int) {
    limits.keepRequests(most)
    state.keepRequests(most)
    relations.keepRequests(most)
  }

  /// Removes the content of single requests if there were more secrets than could be remembered. The content may
  /// contain one of them.
  package mutating func hideForgotten() {
    guard hidesContent else { return }
    limits.hidesContent = true
    changes = []
    limits.secretHeaders.formUnion(limits.identities.flatMap(\.headers).map(\.name))
    for row in relations.doubts.indices { relations.doubts[row].evidence = nil }
    keepRequests(0)
  }
}

/// The time at which the load ended on one loop, nanoseconds since it began, and figures of the loop.
package struct LoopEnd: Sendable, Codable {
  var lastEnd: Int64
  /// The time at which the last response was complete; nil without responses.
  var lastResponse: Int64?
  /// Requests that timed out after that: the time at which the first was sent, and the time at which the last ended.
  var timedOutSent: Int64?
  var timedOutEnded: Int64?
  /// The time at which the oldest request without a response at the end was sent; nil when all had ended.
  var oldestOpen: Int64?
  /// The time at which the remaining requests were cancelled.
  var ended: Int64
  /// The loop's number. Like its figures, in memory only.
  var loop = 0
  var figures = LoopFigures()

  private enum CodingKeys: String, CodingKey {
    case lastEnd, lastResponse, timedOutSent, timedOutEnded, oldestOpen, ended
  }

  init(_ recorder: Recorder, _ context: RunContext) {
    lastEnd = context.elapsed(recorder.lastEnd)
    lastResponse = recorder.lastResponse.map(context.elapsed)
    timedOutSent = recorder.timedOut.map { context.elapsed($0.sent) }
    timedOutEnded = recorder.timedOut.map { context.elapsed($0.ended) }
    oldestOpen = recorder.oldestOpen.map(context.elapsed)
    ended = context.elapsed(recorder.closed ?? .now)
  }
}

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
  func title(_ write: CompletedWrite) -> String {
    guard contract.operations.indices.contains(write.operation) else { return "a write request" }
    let operation = contract.operations[write.operation]
    return "\(operation.method) \(operation.path)"
  }
}

extension Contract {
  /// Adds the requests of a scenario that the contract does not document.
  package func adding(undocumentedOf scenario: Scenario) -> Contract {
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
      duration: .zero, cutShort: false, murphy: ProductVersion.text, libcurl: LibcurlVersion.text,
      machine: Machine.text,
      load: context.stages, salt: context.options.salt, contractFiles: context.contract.files)
    lookup = context.resolved.lookup
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
    Date(timeIntervalSinceNow: -context.seconds(.now)).formatted(.iso8601)
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
