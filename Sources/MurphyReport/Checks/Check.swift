import MurphyModel

/// One check of the run with its outcome: a case of `junit.xml`, a row of the page.
package struct Check: Sendable {
  /// The outcome of a check.
  package enum State: Sendable {
    case passed
    case failed
    /// Too few samples for a decision.
    case noData
    /// No violation was found, but a part could not be checked.
    case unchecked
    /// No sample could have failed it, and the run was required to test it.
    case notTested
    /// No sample could have failed it. It is documented, but this run was not required to test it.
    case notRequired
    /// The measurements are too unreliable for a verdict.
    case doubtful
  }

  package let family: FindingRule.Family
  /// Unique within its family and the same from run to run: `listLaws p95 ≤ 300ms`.
  package var name: String
  package let outcome: State
  /// Samples in which a violation would have been visible; nil for a check that counts none.
  package let trials: Int?
  /// The observation, in a sentence. It does not repeat its findings.
  package var sentence: String
  /// The sensitivity of the check if it passed, in words; nil if it is not known.
  package var strength: String?
  /// The short name of its subject: `listLaws`, `listLaws p95`.
  package var subject: String
  /// The numbers of the findings that fail it in the reports, from 1.
  package var findings: [Int]
  /// Data that only checks of its family have; nil if no row of the result is about it alone.
  package var row: (any CheckRow)?
  /// True for a comparison with earlier runs. A change of the load makes it impossible.
  var isComparison = false

  package init(
    _ family: FindingRule.Family, _ name: String, _ state: CheckState, _ sentence: String, subject: String? = nil,
    findings: [Int] = [], strength: String? = nil
  ) {
    (self.family, self.name, self.subject) = (family, name, subject ?? name)
    (outcome, trials) = (State(state), state.trials)
    (self.sentence, self.findings, self.strength) = (sentence, findings, strength)
  }

  /// A check with a row of the result.
  init(
    _ family: FindingRule.Family, _ name: String, of row: any CheckRow, _ list: FindingList, _ sentence: String,
    subject: String? = nil, strength: String? = nil
  ) {
    self.init(
      family, name, row.state, sentence, subject: subject, findings: list.numbers(row.findings), strength: strength)
    self.row = row
  }

  /// A check that neither passed nor failed.
  package init(
    _ family: FindingRule.Family, _ name: String, _ obstacle: Obstacle, _ sentence: String, trials: Int? = nil,
    subject: String? = nil
  ) {
    (self.family, self.name, self.subject) = (family, name, subject ?? name)
    outcome =
      switch obstacle {
      case .unchecked: .unchecked
      case .doubtful: .doubtful
      case .notRequired: .notRequired
      }
    (self.trials, self.sentence, findings) = (trials, sentence, [])
  }

  /// The reason why a check neither passed nor failed, other than samples.
  package enum Obstacle: Sendable {
    /// Part of the samples could not be checked.
    case unchecked
    /// The measurements are too unreliable for a verdict.
    case doubtful
    /// The run was not required to test it, and no request tested it.
    case notRequired
  }
}

extension Check {
  /// Adds the part of the plan to which the observation applies.
  mutating func judge(_ scope: String) {
    guard outcome != .notRequired, outcome != .notTested, name != Self.whole else { return }
    sentence = "\(sentence.withoutFullStop); evaluated \(scope)"
  }

  /// The check of the run itself: it was not interrupted, and no shard is missing.
  static let whole = "the run is complete"

  /// Limits and operations with the same text share one row; everything else has a row of its own.
  package static func rows(_ checks: [Check]) -> [[Check]] { rows(checks, by: \.self) }

  /// The same for elements that have a check.
  static func rows<Element>(_ elements: [Element], by check: (Element) -> Check) -> [[Element]] {
    var rows: [[Element]] = []
    for element in elements {
      if let same = rows.firstIndex(where: { check($0[0]).saysTheSame(as: check(element)) }) {
        rows[same].append(element)
      } else {
        rows.append([element])
      }
    }
    return rows
  }

  /// True if one row can represent both.
  func saysTheSame(as other: Check) -> Bool {
    sharesRows && family == other.family && outcome == other.outcome && sentence == other.sentence
      && findings == other.findings && strength == other.strength && trials == other.trials
  }

  var sharesRows: Bool {
    family == .limit || ([.contract, .relation].contains(family) && outcome != .passed)
  }
}

extension Check.State {
  init(_ state: CheckState) {
    self =
      switch state {
      case .passed: .passed
      case .failed: .failed
      case .noData: .noData
      case .notTested: .notTested
      }
  }

  /// The outcome in a word.
  package var word: String { shown.word }
  /// A sign that distinguishes the outcomes without colour.
  package var sign: String { shown.sign }
  /// The priority in the reports.
  package var rank: Int { shown.rank }

  private var shown: (word: String, sign: String, rank: Int) {
    switch self {
    case .passed: ("passed", "✓", 4)
    case .failed: ("failed", "✗", 0)
    case .noData: ("no data", "○", 2)
    case .unchecked: ("unchecked", "?", 3)
    case .notTested: ("not tested", "○", 2)
    case .notRequired: ("not tested", "·", 5)
    case .doubtful: ("no data", "!", 1)
    }
  }
}

extension Check {
  /// `38 trials`; nil for a check that counts none.
  package var trialsText: String? { trials.map { counted($0, "trial") } }

  /// The observation and the number of trials: `17 of 540 responses violate it; 540 trials`.
  package var seenText: String {
    // The sentence of a budget contains its samples.
    guard let trialsText, trials ?? 0 > 0, family != .budget else { return sentence }
    return "\(sentence.withoutFullStop); \(trialsText)"
  }
}

extension [Check] {
  /// The check that passed on the fewest trials.
  var weakest: Check? { filter { $0.outcome == .passed }.min { ($0.trials ?? .max) < ($1.trials ?? .max) } }
  /// Required checks that did not pass, the worst first.
  var open: [Check] {
    filter { $0.outcome.rank < Check.State.passed.rank }.sorted { $0.outcome.rank < $1.outcome.rank }
  }
  /// Checks that passed; skipped ones do not count.
  package var passedCount: Int { count { $0.outcome == .passed } }
  var notRequired: [Check] { filter { $0.outcome == .notRequired } }
  /// Checks without a test, required or not.
  package var notTested: [Check] { filter { [.notTested, .notRequired].contains($0.outcome) } }
}
