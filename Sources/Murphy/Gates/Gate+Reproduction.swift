import MurphyModel
import MurphyScenario

extension Gate {
  /// Findings that no single request shows get the command that makes the same load again; scripts for a target that
  /// was started for the run ask where it is now.
  func withCommands(_ findings: [Finding], _ run: RunInfo, _ options: RunOptions) -> [Finding] {
    let serve = (try? effectiveTarget(options))?.serveCommand(options.reference)
    return findings.map { finding in
      guard finding.evidence?.curl == nil else {
        return serve.map { finding.leaving(run.target, startedBy: $0) } ?? finding
      }
      var finding = finding
      var evidence = finding.evidence ?? Evidence()
      evidence.curl = command(run, options)
      finding.evidence = evidence
      return finding
    }
  }

  /// `murphy run` with the options that made the load what it was.
  private func command(_ run: RunInfo, _ options: RunOptions) -> String {
    var words = ["murphy", "run", ShellWord(run.scenarioFile).quoted, "--seed", String(run.seed)]
    func add(_ name: String, _ value: String) { words += [name, ShellWord(value).quoted] }
    if case .url? = options.target { add("--target", run.target) }
    for fault in options.reference.faults { add("--fault", fault.name) }
    if let users = options.users { add("--users", String(users)) }
    if options.load != 1 { add("--load", String(options.load)) }
    if let duration = options.duration { add("--duration", duration.text) }
    for name in options.only { add("--only", name) }
    return words.joined(separator: " ")
  }
}
