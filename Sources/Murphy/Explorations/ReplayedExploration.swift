import MurphyModel
import MurphyProbe
import MurphyReport

/// What an earlier exploration found, to be tried again.
package struct ReplayedExploration: Sendable {
  let file: String
  /// Of all its draws.
  package let seed: UInt64
  /// Those that showed something.
  let replayed: Replayed
  private let findings: [Finding]

  /// - Parameter file: the `result.json` of an exploration.
  /// - Throws: `GateError.usage` for another file.
  package init(_ file: String) throws(GateError) {
    let result: RunResult
    do { result = try ResultFile.read(file) } catch { throw .usage("\(file) cannot be replayed: \(error)") }
    guard let explored = result.explored else {
      throw .usage("\(file) is the result of a run, and not of `murphy explore`, so it has no cases to replay.")
    }
    self.file = file
    seed = result.run.seed
    findings = result.findings.filter { $0.severity > .note }.flatMap(\.ungrouped)
    let known = Set(explored.cases.map(\.fingerprint))
    let others = findings.filter { !known.contains($0.fingerprint) }.compactMap(\.operation)
    replayed = Replayed(cases: explored.cases, operations: Set(others))
  }

  /// `2 of 3 findings show again.`, and a line for each that does not: it is gone only where the operation's cases were
  /// decided.
  package func comparison(with result: RunResult) -> [String] {
    let again = Set(result.findings.flatMap(\.fingerprints))
    let gone = findings.filter { !again.contains($0.fingerprint) }
    return ["\(findings.count - gone.count) of \(findings.count) findings show again."]
      + gone.map { finding in
        let row = result.explored?.operations.first { $0.operation == finding.operation }
        let isDecided = row.map { $0.trials > 0 && $0.undecided?.isEmpty != false } ?? (finding.operation == nil)
        return "\(isDecided ? "gone" : "not shown again, and not all cases were decided"): "
          + "\(finding.operation ?? "") \(finding.kind.rawValue): \(finding.message)"
      }
  }
}
