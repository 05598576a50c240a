import MurphyModel
import MurphyProbe
import MurphyReport

/// The findings of an earlier exploration, to be tested again.
package struct ReplayedExploration: Sendable {
  let file: String
  /// The seed of all its random values.
  package let seed: UInt64
  /// The cases that had findings.
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

  /// `2 of 3 findings were reproduced.`, and a line for each of the others: a finding is fixed only if the operation's cases
  /// were decided.
  package func comparison(with result: RunResult) -> [String] {
    let again = Set(result.findings.flatMap(\.fingerprints))
    let gone = findings.filter { !again.contains($0.fingerprint) }
    return ["\(findings.count - gone.count) of \(findings.count) findings were reproduced."]
      + gone.map { finding in
        let row = result.explored?.operations.first { $0.operation == finding.operation }
        let isDecided = row.map { $0.trials > 0 && $0.undecided?.isEmpty != false } ?? (finding.operation == nil)
        return "\(isDecided ? "fixed" : "not reproduced, but not all cases were decided"): "
          + "\(finding.operation ?? "") \(finding.kind.rawValue): \(finding.message)"
      }
  }
}
