import Foundation
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyReport
import MurphyScenario
import MurphyServer

extension Gate {
  /// The result of a run with a target that was not reachable before the load began. Nothing was sent, and no check is
  /// decided.
  ///
  /// - Parameters:
  ///   - reason: a sentence.
  ///   - options: those of the run.
  package func unreached(_ reason: String, options: RunOptions = RunOptions()) -> RunResult {
    unjudged(because: reason, options) { $0.unreached = reason }
  }

  /// The result of a run with a crashed process: the sent requests are unknown, and no check is decided.
  package func crashed(options: RunOptions) -> RunResult {
    unjudged(because: Self.crashReason, options) { $0.crashed = Self.crashReason }
  }

  /// - Parameter mark: marks a run that was not judged.
  private func unjudged(
    because reason: String, _ options: RunOptions, _ mark: (inout RunInfo) -> Void
  ) -> RunResult {
    var info = Self.info(scenario.name, scenario.file, target: (try? effectiveTarget(options.target)), options)
    mark(&info)
    info.contractFile = contract.file
    info.seed = seed(options)
    info.load = scenario.load.stages
    let taking = scenario.sessions.map(\.name).filter { options.only.isEmpty || options.only.contains($0) }
    var record = RunRecord(
      info: info,
      operations: contract.operations.map { OperationRecord(operation: $0.id, method: $0.method, path: $0.path) },
      sessions: taking.map { SessionResult(session: $0, started: 0, completed: 0, failed: [], unfinished: 0) },
      ledger: Ledger(), findings: [], coverage: Coverage(), timeline: [], limitLog: LimitLog(start: .now),
      generator: .idle)
    record.mask = mask(environment: options.environment)
    var result = judge(record, options: options)
    if result.coverage.verdict != nil { result.coverage.state = .notTested }
    result.findings = []
    return result.invalid(because: reason)
  }

  /// The same if even the contract, a document of the target, was not available: the result has no checks.
  ///
  /// - Parameters:
  ///   - reason: a sentence.
  ///   - file: the scenario.
  ///   - options: those of the run.
  package static func unreached(_ reason: String, file: String, options: RunOptions = RunOptions()) -> RunResult {
    unjudged(because: reason, file, options) { $0.unreached = reason }
  }

  /// The same for a process that crashed before it had read its files.
  package static func crashed(file: String, options: RunOptions = RunOptions()) -> RunResult {
    unjudged(because: crashReason, file, options) { $0.crashed = crashReason }
  }

  /// The signal's name is added when it is known.
  static var crashReason: String {
    "murphy crashed with \(CrashActions.signal), so the measurements are lost. This is a bug in murphy: please report "
      + "it."
  }

  private static func unjudged(
    because reason: String, _ file: String, _ options: RunOptions, _ mark: (inout RunInfo) -> Void
  ) -> RunResult {
    let outline = (try? text(of: file)).map { Scenario.outline(text: $0, file: file) }
    let target = options.target ?? outline?.target.flatMap { try? Target($0) }
    var info = info(outline?.name ?? file, file, target: target, options)
    mark(&info)
    return RunResult(
      verdict: .invalid, reasons: [], run: info,
      operations: [], sessions: [], ledger: Ledger(), findings: [], budgets: [], limits: [], state: [],
      coverage: Coverage(), generator: .idle, timeline: []
    ).invalid(because: reason)
  }

  /// The known data of a run that has not begun.
  static func info(_ name: String, _ file: String, target: Target?, _ options: RunOptions) -> RunInfo {
    var text = ""
    if case .url(let url)? = target { text = (try? Origin(url))?.text ?? "" }
    return RunInfo(
      scenario: name, scenarioFile: file, contractFile: "", seed: options.seed ?? 0, target: text,
      started: Date().formatted(.iso8601), duration: .zero, cutShort: false, murphy: ProductVersion.text,
      libcurl: LibcurlVersion.text, machine: Machine.text, load: [])
  }
}

extension RunResult {
  fileprivate func invalid(because reason: String) -> RunResult {
    var result = self
    result.verdict = .invalid
    result.reasons = [run.unreached ?? reason]
    return result
  }
}

/// The output of a verb when murphy crashes. It has reports of a result that is INVALID, the last line, exit status 4.
package struct CrashGuard {
  private var notes = CrashActions()
  private let sentence = "murphy: crashed with \(CrashActions.signal). This is a bug in murphy: please report it.\n"

  /// - Parameter isJudging: true if the verb ends with a verdict.
  package init(isJudging: Bool) {
    notes.error(sentence)
    if isJudging { notes.print("\n\(Verdict.invalid.word)\n") }
  }

  /// - Parameters:
  ///   - result: of the crash.
  ///   - folder: created if it is missing. Nothing is written into a folder with files of another program.
  ///   - output: the last words on standard output.
  package init(_ result: RunResult, folder: String?, output: String) {
    notes.error(sentence)
    notes.print(output)
    guard let folder, (try? Report.checkOwnership(of: folder)) != nil, let texts = try? Report.texts(result)
    else { return }
    notes.make(folder: folder)
    for file in texts { notes.write(file.text, to: folder + "/" + file.fileName) }
  }

  /// - Parameters:
  ///   - documents: files with their text, in existing folders.
  ///   - stale: files of an earlier call, which do not belong to this one.
  package init(documents: [(path: String, text: String)], stale: [String] = []) {
    self.init(isJudging: true)
    for document in documents { notes.write(document.text, to: document.path) }
    for path in stale { notes.remove(path) }
  }

  /// Adds a file with the result.
  package mutating func write(_ result: RunResult, to path: String) {
    guard let text = try? ResultFile.encode(result) else { return notes.remove(path) }
    notes.write(text, to: path)
  }

  /// Removes a file of an earlier call, which does not belong to this one.
  package mutating func remove(_ path: String) { notes.remove(path) }

  /// From now on, a crash leaves the reports.
  package func arm() { notes.arm(status: Verdict.invalid.exitStatus.rawValue) }
}

extension Gate {
  /// The output of `capacity` when murphy crashes.
  ///
  /// - Throws: the errors of `capacity` for its options.
  package func crashed(_ options: CapacityOptions) throws(GateError) -> CapacityResult {
    var result = try CapacityRun(self, options, stop: StopSignal()) { _, _ in }.result
    result.reasons = [Self.crashReason]
    return result
  }

  /// The output of a live comparison when murphy crashes.
  package func crashed(_ options: CompareOptions) -> CompareResult {
    CompareResult(
      mode: .live, verdict: .invalid, reasons: [Self.crashReason], scenario: scenario.name,
      base: CompareSide(sources: []), candidate: CompareSide(sources: []))
  }

  /// The result to write if a comparison of responses crashes.
  package func crashed(responses options: CompareOptions) -> BehaviourResult {
    let none = CompareSide(sources: [])
    var result = BehaviourResult(
      scenario: scenario.name, base: none, candidate: none, seed: seed(options.run), sessions: options.sessions,
      restarts: false)
    (result.verdict, result.reasons) = (.invalid, [Self.crashReason])
    return result
  }

  /// The result to write if the probe crashes.
  package func crashed(_ options: LimitsOptions) -> LimitsResult {
    LimitsResult(crashed: scenario.name, because: Self.crashReason)
  }
}

/// Tests if the system provides murphy's threads. The thread pool of Swift's tasks waits for ever if it gets none.
package enum ThreadCheck {
  /// In addition to one for each core: the loops' keeper, signals, timers and the reference server's own.
  private static let spare = 8

  /// Throws a `GateError` with the limit to raise.
  package static func run() throws(GateError) {
    do throws(SystemError) {
      try SystemThread.require(ProcessInfo.processInfo.activeProcessorCount * 2 + spare)
    } catch {
      throw .usage(
        "\(error.description). Raise the limit of processes and threads (`ulimit -u`, or the container's pids limit).")
    }
  }
}
