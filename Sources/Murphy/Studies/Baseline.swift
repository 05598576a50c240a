import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport

/// Earlier results that a run is compared with: `murphy run --baseline`.
package struct Baseline: Sendable {
  private let paths: [String]
  /// The folder that keeps the baseline; nil if the user listed the results.
  private let store: ResultFolder?
  private var runs: [StoredComparison.Run] = []
  private var folder: BaselineFolder?

  /// The values of the options `--baseline` and `--keep`; nil without a baseline.
  package static func option(_ paths: [String], keep: Int?) throws(GateError) -> Baseline? {
    if paths.isEmpty, keep != nil { throw .usage("--keep needs --baseline with one folder.") }
    return paths.isEmpty ? nil : try Baseline(paths, keep: keep)
  }

  /// - Parameters:
  ///   - paths: a folder that keeps the results of runs, and is created if it is missing. Or a list of result files,
  ///     report folders of runs, and folders of such; see `StoredResults`.
  ///   - keep: the maximum of results of a scenario in the folder; nil for the usual number.
  /// - Throws: `GateError.usage` for a listed path without a result.
  package init(_ paths: [String], keep: Int? = nil) throws(GateError) {
    self.paths = paths
    if paths.contains("") {
      throw .usage("--baseline is empty. Give a folder, such as --baseline runs, or result files.")
    }
    if let keep, !(ResultFolder.keepable ~= keep) {
      throw .usage(
        "--keep takes a number of results from \(ResultFolder.keepable.lowerBound) to "
          + "\(ResultFolder.keepable.upperBound), found \(keep).")
    }
    let isMissing =
      paths.count == 1 && !paths[0].hasSuffix(".json") && !FileManager.default.fileExists(atPath: paths[0])
    guard paths.count == 1, isMissing || StoredResults.isCollection(paths[0]) else {
      if keep != nil {
        throw .usage("--keep needs --baseline with one folder, because murphy changes no other results.")
      }
      store = nil
      runs = try StoredResults.read(paths)
      return
    }
    store = ResultFolder(paths[0], keep: keep)
  }

  /// Reads the results that are comparable with a planned run, and gives the run their seed unless it has its own.
  /// Without such a result the seed follows from the scenario: the first runs of several processes are comparable.
  ///
  /// - Parameter isPlan: true if nothing will be sent: then the folder is not created.
  /// - Throws: `GateError.usage` if the folder has no usable result, and can store none.
  package mutating func read(
    for gate: Gate, _ options: inout RunOptions, isPlan: Bool = false
  ) throws(GateError) {
    if store != nil {
      let own = options.seed ?? gate.scenario.seed
      let run = try gate.plannedInfo(options)
      try read(for: run, seed: own, isPlan: isPlan)
      if own != nil { return }
      if runs.isEmpty { options.seed = Self.firstSeed(of: run) }
    }
    let seeds = Set(runs.map(\.result.run.seed))
    options.seed = options.seed ?? (seeds.count == 1 ? seeds.first : nil)
  }

  /// A number that JSON can write exactly.
  private static func firstSeed(of run: RunInfo) -> UInt64 {
    var hash = FNV1a()
    hash.add((run.scenarioDigest ?? run.scenario).utf8)
    return hash.value >> 11 | 1
  }

  /// Reads the results that are comparable with a finished run.
  package mutating func read(for result: RunResult) throws(GateError) {
    try read(for: result.run, seed: result.run.seed, isPlan: false)
  }

  private mutating func read(for run: RunInfo, seed: UInt64?, isPlan: Bool) throws(GateError) {
    guard let store else { return }
    (runs, folder) = store.choose(for: run, seed: seed)
    guard !isPlan else { return }
    do {
      try store.prepare()
    } catch {
      guard runs.count >= BaselineChoice.fewest else { throw .usage(error.description) }
      folder?.failure = error.reason
    }
  }

  /// Why the folder cannot get the result of the run, in a sentence; nil if it can.
  package var warning: String? {
    folder.flatMap { folder in folder.failure.map { "cannot store the result in \(folder.path): \($0)." } }
  }

  /// True for the folder that keeps the baseline.
  package func keeps(_ folder: String) -> Bool { store?.isSame(as: folder) == true }

  /// Stores the result in the folder that keeps the baseline, if the run may be the baseline of later runs.
  ///
  /// - Parameter reports: the folder of the run's reports.
  package func store(_ result: inout RunResult, reports: String) { store?.add(&result, reports: reports) }

  /// The result with the comparison, which decides if the run itself does not. A proven slowdown turns a PASS into a
  /// FAIL. A slowdown that is neither proven nor excluded turns it into NO DATA. An INVALID run stays INVALID.
  ///
  /// - Parameter options: those of the run, for the command that repeats it; nil for a merged one.
  package func judge(_ result: RunResult, options: RunOptions? = nil) -> RunResult {
    if let folder, runs.count < BaselineChoice.fewest {
      var result = result
      result.regression = Regression(
        baselines: runs.map(\.file), verdict: .notTested, reasons: [folder.beginning], folder: folder)
      return result
    }
    let compared = StoredComparison(StoredJudge(ComparePromise()), fewestCandidates: 1).result(
      base: runs, candidate: [StoredComparison.Run(file: "this run", result: result)])
    var result = result
    var regression = Regression(
      baselines: runs.map(\.file), verdict: RowVerdict(compared.verdict), reasons: compared.reasons, folder: folder)
    for operation in compared.operations {
      for row in operation.rows where row.decides {
        guard var shown = RegressionRow(operation.operation, row) else { continue }
        if row.verdict == .fail {
          var finding = Self.finding(shown, of: runs.count)
          finding.evidence = command(options, result.run).map { Evidence(curl: $0) }
          shown.findings = [finding.fingerprint]
          result.findings.append(finding)
        }
        regression.rows.append(shown)
      }
    }
    result.findings.sort(by: Finding.isWorse)
    result.regression = regression
    result.enter(regression)
    return result
  }

  /// `murphy run … --baseline FILE`
  private func command(_ options: RunOptions?, _ run: RunInfo) -> ShellScript? {
    options.map { options in
      let baseline = paths.map { " --baseline " + ShellWord($0).quoted }.joined()
      return ShellScript(options.command(repeating: run).text + baseline)
    }
  }

  private static func finding(_ row: RegressionRow, of runs: Int) -> Finding {
    Finding(
      kind: .budgetRegression, operation: row.operation,
      message: "\(row.metric.rawValue) is worse than in the baseline's \(runs) runs: \(row.statement)",
      discriminator: row.metric.rawValue)
  }
}

extension RunResult {
  fileprivate mutating func enter(_ regression: Regression) {
    let sentences = regression.reasons.map { "Compared with the baseline: \($0)." }
    switch (regression.verdict, verdict) {
    case (.fail, .pass), (.fail, .noData), (.fail, .fail):
      reasons = verdict == .pass || verdict == .noData ? sentences + reasons : reasons + sentences
      verdict = .fail
    case (.noData, .pass), (.noData, .noData), (.notTested, .pass), (.notTested, .noData):
      reasons += sentences
      verdict = .noData
    case (_, .fail), (_, .invalid), (_, .shard), (.pass, _): break
    }
  }
}

extension RowVerdict {
  /// An INVALID comparison has no effect.
  fileprivate init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .pass: .pass
      case .fail: .fail
      case .invalid, .noData, .shard: .noData
      }
  }
}

extension RegressionRow {
  /// Nil for a metric that is shown and never decides.
  fileprivate init?(_ operation: String, _ row: CompareRow) {
    guard let metric = Metric(rawValue: row.metric.rawValue) else { return nil }
    self.init(
      operation: operation, metric: metric, verdict: row.verdict ?? .noData, margin: row.margin, requests: row.requests)
    (base, candidate) = (row.base, row.candidate)
    func bounded(_ change: Double?) -> Double? { change.map { min($0, Self.largest) } }
    (change, low, high) = (bounded(row.change), bounded(row.low), bounded(row.high))
    (smallestEffect, gap) = (bounded(row.smallestEffect), row.gap)
  }

  /// Few runs that differ can make a ratio so large that no reader of the result accepts it. Above this, its size tells
  /// nothing.
  private static let largest = 1e6
}
