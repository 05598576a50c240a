import Foundation
import MurphyJudge
import MurphyModel
import MurphyReport

/// Earlier results that a run is compared with: `murphy run --baseline`.
package struct Baseline: Sendable {
  private let runs: [StoredComparison.Run]
  private let paths: [String]

  /// - Parameter paths: result files, report folders of runs, or folders of such; see `StoredResults`.
  /// - Throws: `GateError.usage` for a path without a result.
  package init(_ paths: [String]) throws(GateError) {
    runs = try StoredResults.read(paths)
    self.paths = paths
  }

  /// The seed that a run needs in order to be comparable; nil if the baseline's own runs have different seeds.
  package var seed: UInt64? {
    let seeds = Set(runs.map(\.result.run.seed))
    return seeds.count == 1 ? seeds.first : nil
  }

  /// The result with the comparison, which decides if the run itself does not. A proven slowdown turns a PASS into a
  /// FAIL. A slowdown that is neither proven nor excluded turns it into NO DATA. An INVALID run stays INVALID.
  ///
  /// - Parameter options: those of the run, for the command that repeats it; nil for a merged one.
  package func judge(_ result: RunResult, options: RunOptions? = nil) -> RunResult {
    let compared = StoredComparison(StoredJudge(ComparePromise()), fewestCandidates: 1).result(
      base: runs, candidate: [StoredComparison.Run(file: "this run", result: result)])
    var result = result
    var regression = Regression(
      baselines: runs.map(\.file), verdict: RowVerdict(compared.verdict), reasons: compared.reasons)
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
    (base, candidate, change) = (row.base, row.candidate, row.change)
    (low, high, smallestEffect, gap) = (row.low, row.high, row.smallestEffect, row.gap)
  }
}

/// Finds the stored results of one side of a comparison.
package enum StoredResults {
  /// - Parameter paths: a result file; the report folder of one run; or a folder of such files and folders.
  /// - Throws: `GateError.usage` for a path without a result.
  package static func read(_ paths: [String]) throws(GateError) -> [StoredComparison.Run] {
    var runs: [StoredComparison.Run] = []
    for path in paths {
      for file in try files(path) {
        do throws(ReportError) {
          runs.append(StoredComparison.Run(file: file, result: try ResultFile.read(file)))
        } catch {
          throw .usage(error.description)
        }
      }
    }
    return runs
  }

  private static func files(_ path: String) throws(GateError) -> [String] {
    guard isFolder(path) else { return [path] }
    let own = "\(path)/\(ResultFile.name)"
    if FileManager.default.fileExists(atPath: own) { return [own] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    let found = names.compactMap { name -> String? in
      let inner = "\(path)/\(name)"
      if isFolder(inner) {
        let file = "\(inner)/\(ResultFile.name)"
        return FileManager.default.fileExists(atPath: file) ? file : nil
      }
      return name.hasSuffix(".json") ? inner : nil
    }
    guard !found.isEmpty else {
      throw .usage(
        "\(path) contains no result of a run. Murphy found no \(ResultFile.name) in the folder or in its subfolders.")
    }
    return found
  }

  /// False if the path does not exist.
  package static func isFolder(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
  }
}
