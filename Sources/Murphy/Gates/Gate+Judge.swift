import MurphyJudge
import MurphyModel
import MurphyReport

extension Gate {
  /// The verdict on a run, with a row for each promise. A pure function of the record.
  public func judge(_ record: RunRecord, options: RunOptions = RunOptions()) -> RunResult {
    var run = JudgedRun(record, scenario, contract)
    run.coverageBaseline = coverageBaseline
    run.failsOnUnchecked = run.failsOnUnchecked || options.failOnUnchecked
    if let target = try? effectiveTarget(options.target), case .embedded = target {
      run.isEmbedded(timeScale: (try? target.timeScale(options.reference)) ?? 1)
    }
    var result = run.result()
    result.findings = withCommands(result.findings, record.info, options)
    return result.masked(by: record.mask)
  }

  /// Findings that no single request shows get the command that makes the same load again; scripts for a target that
  /// was started for the run ask where it is now.
  private func withCommands(_ findings: [Finding], _ run: RunInfo, _ options: RunOptions) -> [Finding] {
    let serve = (try? effectiveTarget(options.target))?.serveCommand(options.reference)
    return findings.map { finding in
      guard finding.evidence?.curl == nil else {
        return serve.map { finding.leaving(run.target, startedBy: $0) } ?? finding
      }
      var finding = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = options.command(repeating: run)
      finding.evidence = evidence
      return finding
    }
  }
}
