import Foundation
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyReport

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
