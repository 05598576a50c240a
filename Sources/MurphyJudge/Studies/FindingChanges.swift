import MurphyModel

/// The findings of both arms, distinguished by their fingerprints.
package struct FindingChanges: Sendable, Codable {
  /// Findings of the candidate only.
  package var new: [FindingChange] = []
  /// Findings of the base only.
  package var gone: [FindingChange] = []
  /// Findings of both arms.
  package var still: [FindingChange] = []

  package init() {}

  /// - Parameters: by unit (a stored run, or an arm of a group), its findings.
  ///   - isPaired: unit k of the base and unit k of the candidate belong to one group.
  package init(base: [[Finding]], candidate: [[Finding]], isPaired: Bool) {
    let (base, candidate) = (base.map { $0.flatMap(\.ungrouped) }, candidate.map { $0.flatMap(\.ungrouped) })
    var seen: Set<String> = []
    for finding in (candidate + base).joined()
    where Self.concernsTheAPI(finding) && seen.insert(finding.fingerprint).inserted {
      let fingerprint = finding.fingerprint
      var change = FindingChange(finding)
      for arm in [base, candidate] {
        let counts = arm.map { unit in unit.reduce(0) { $0 + ($1.fingerprint == fingerprint ? $1.count : 0) } }
        change.enter(counts, isBase: change.baseUnits == nil)
      }
      change.judge(isPaired: isPaired)
      if change.baseCount == 0 {
        new.append(change)
      } else if change.candidateCount == 0 {
        gone.append(change)
      } else {
        still.append(change)
      }
    }
  }

  /// Excluded are murphy's own effects, which are not a change of the API, and budgets, whose metrics are compared
  /// anyway. Notes are also excluded, because they report untested parts of a run.
  private static func concernsTheAPI(_ finding: Finding) -> Bool {
    guard finding.severity != .note else { return false }
    let family = finding.kind.rawValue.split(separator: ".").first.map(String.init) ?? ""
    return ["contract", "relation", "limit", "state", "transport"].contains(family)
  }
}

/// One finding in both arms.
package struct FindingChange: Sendable, Codable {
  /// The kind of the finding.
  package var kind: FindingKind
  /// The severity of the finding.
  package var severity: Finding.Severity
  /// The operationId; nil for a finding on the whole run.
  package var operation: String?
  /// The message of the finding.
  package var message: String
  /// The same in both arms.
  package var fingerprint: String
  /// The command that reproduces it, of the candidate where that has it; nil where there is none.
  package var reproduction: ShellScript?
  /// How often the base has it.
  package var baseCount = 0
  /// How often the candidate has it.
  package var candidateCount = 0
  /// The number of runs or groups of the arm with the finding, and of all of them.
  package var baseUnits: [Int]?
  /// The number of runs or groups of the candidate with the finding, and of all of them.
  package var candidateUnits: [Int]?
  /// True if chance is ruled out as the reason why only the candidate has it.
  package var isCertain = false

  init(_ finding: Finding) {
    kind = finding.kind
    severity = finding.severity
    operation = finding.operation
    message = finding.message
    fingerprint = finding.fingerprint
    reproduction = finding.evidence?.curl
  }

  mutating func enter(_ counts: [Int], isBase: Bool) {
    let units = [counts.count { $0 > 0 }, counts.count]
    let total = counts.reduce(0, +)
    if isBase { (baseCount, baseUnits) = (total, units) } else { (candidateCount, candidateUnits) = (total, units) }
  }

  /// The number of occurrences that is sufficient when every unit of the candidate has some of them and no unit of the
  /// base.
  private static let plenty = 20

  /// A rare fault may occur in one arm alone by chance. Assume that both have the same probability of it. Then k units
  /// of the candidate and none of the base have it with probability 2^−k in pairs, and C(c, k)/C(b + c, k) otherwise.
  mutating func judge(isPaired: Bool) {
    guard baseCount == 0, let base = baseUnits?[1], let units = candidateUnits, units[0] > 0 else { return }
    var chance = 1.0
    for number in 0..<units[0] {
      chance *= isPaired ? 0.5 : Double(units[1] - number) / Double(base + units[1] - number)
    }
    isCertain = chance <= 0.01 || (units[0] == units[1] && candidateCount >= Self.plenty)
  }
}

/// A rate limit that has changed.
package struct LimitChange: Sendable, Codable, Hashable {
  /// The name of the limit.
  package var name: String
  /// The policy and the conclusion of the run about it; nil where there is no such limit.
  package var base: String?
  /// Nil if the candidate has no such limit.
  package var candidate: String?

  package init(name: String, base: String?, candidate: String?) {
    self.name = name
    self.base = base
    self.candidate = candidate
  }

  /// The limits of both sides that differ, in the order of their first occurrence.
  package static func changes(base: [LimitRow], candidate: [LimitRow]) -> [LimitChange] {
    var names: [String] = []
    for row in base + candidate where !names.contains(row.name) { names.append(row.name) }
    return names.compactMap { name in
      let sides = [base, candidate].map { rows in rows.first { $0.name == name } }
      if let base = sides[0], let candidate = sides[1], isSame(base, candidate) { return nil }
      let texts = sides.map { side in side.map { "\($0.policy): \($0.verdict.rawValue)" } }
      return LimitChange(name: name, base: texts[0], candidate: texts[1])
    }
  }

  /// Earlier versions of murphy wrote the quota in another spelling, so its numbers are compared, and the text after it.
  private static func isSame(_ one: LimitRow, _ other: LimitRow) -> Bool {
    let terms = [one, other].map { row in row.policy.firstRange(of: ", ").map { row.policy[$0.upperBound...] } }
    return terms[0] == terms[1] && one.verdict == other.verdict && one.allowance == other.allowance
      && one.window == other.window
  }
}
