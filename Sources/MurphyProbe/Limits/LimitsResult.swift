import MurphyModel
import MurphyScenario

/// What `murphy limits` found out: one entry for each limit that was probed.
public struct LimitsResult: Sendable, Codable, Hashable {
  package var scenario: String
  package var target: String
  package var version: String
  /// Fail when a promise was contradicted, no data when one was not decided, else pass.
  public var verdict: Verdict
  /// Why the verdict is what it is.
  public var reasons: [String]
  package var limits: [ProbedLimit]
  /// The user ended it before all was known.
  public var isCutShort: Bool
}

extension LimitsResult {
  /// Fail when any promise was contradicted, no data when any was not decided, else pass.
  init(scenario: Scenario, target: String, limits: [ProbedLimit], isCutShort: Bool) {
    let verdicts = limits.map(\.verdict)
    let verdict: Verdict =
      verdicts.contains(.fail) ? .fail : isCutShort || verdicts.contains(.noData) || limits.isEmpty ? .noData : .pass
    self.init(
      scenario: scenario.name, target: target, version: ProductVersion.text, verdict: verdict,
      reasons: limits.filter { $0.verdict == verdict }.map(\.reason), limits: limits, isCutShort: isCutShort)
    if isCutShort { reasons.append("ended by the user before all was known") }
  }
}
