import MurphyModel

/// One thing that the run was asked to prove, and how it came out: a case of `junit.xml`, a row of the page.
package struct Promise: Sendable, Hashable {
  package enum Group: String, Sendable, CaseIterable {
    case contract, explore, relation, budget, traffic, limit, state, transport, coverage, generator
  }

  package enum State: Sendable, Hashable {
    case kept
    case broken
    /// Too few samples to say.
    case noData
    /// Nothing was found wrong, and part of it could not be checked.
    case unchecked
    /// No sample could have failed it, and the run was asked for it.
    case lacking
    /// No sample could have failed it; it is documented, and this run was not asked for it.
    case untested
    /// The generator's numbers cannot carry a verdict.
    case doubtful
  }

  package let group: Group
  /// Unique within its group and the same from run to run: `listLaws p95 ≤ 300ms`.
  package var name: String
  package let outcome: State
  /// Samples in which a violation would have been visible; nil for a check that counts none.
  package let trials: Int?
  /// What was observed, in a sentence. It does not tell what its findings tell.
  package var sentence: String
  /// What it was worth that it is kept, in words; nil where that is not known.
  package var strength: String?
  /// Who is meant, in short: `listLaws`, `listLaws p95`.
  package var subject: String
  /// The findings that break it, by their numbers in the reports, from 1.
  package var findings: [Int]

  package init(
    _ group: Group, _ name: String, _ state: CheckState, _ sentence: String, subject: String? = nil,
    findings: [Int] = [], strength: String? = nil
  ) {
    self.init(
      group, name, State(state), trials: state.trials, sentence, subject: subject, findings: findings,
      strength: strength)
  }

  /// One that neither passed nor failed.
  package init(
    _ group: Group, _ name: String, _ obstacle: Obstacle, _ sentence: String, trials: Int? = nil, subject: String? = nil
  ) {
    let outcome: State =
      switch obstacle {
      case .unchecked: .unchecked
      case .doubtful: .doubtful
      case .unasked: .untested
      }
    self.init(
      group, name, outcome, trials: trials, sentence, subject: subject, findings: [], strength: nil)
  }

  /// What kept a check from passing and failing, other than samples.
  package enum Obstacle: Sendable {
    /// Part of the samples could not be checked.
    case unchecked
    /// The generator's numbers cannot carry a verdict.
    case doubtful
    /// The run was not asked for it, and nothing tested it.
    case unasked
  }

  private init(
    _ group: Group, _ name: String, _ outcome: State, trials: Int?, _ sentence: String, subject: String?,
    findings: [Int], strength: String?
  ) {
    self.group = group
    self.name = name
    self.outcome = outcome
    self.trials = trials
    self.sentence = sentence
    self.subject = subject ?? name
    self.findings = findings
    self.strength = strength
  }
}

extension Promise {
  /// Says of how much of the plan it is that this was seen.
  mutating func judge(_ scope: String) {
    guard outcome != .untested, outcome != .lacking, name != Self.whole else { return }
    sentence = "\(sentence.withoutFullStop); judged \(scope)"
  }

  /// Of the run itself: nothing was cut off, and no shard is missing.
  static let whole = "complete run"

  /// Limits and operations of which the same is said in one row, everything else in a row of its own.
  package static func rows(_ promises: [Promise]) -> [[Promise]] { rows(promises, by: \.self) }

  /// The same for what has a promise.
  static func rows<Element>(_ elements: [Element], by promise: (Element) -> Promise) -> [[Element]] {
    var rows: [[Element]] = []
    for element in elements {
      if let same = rows.firstIndex(where: { promise($0[0]).saysTheSame(as: promise(element)) }) {
        rows[same].append(element)
      } else {
        rows.append([element])
      }
    }
    return rows
  }

  /// Whether a row can speak for both.
  func saysTheSame(as other: Promise) -> Bool {
    sharesRows && group == other.group && outcome == other.outcome && sentence == other.sentence
      && findings == other.findings && strength == other.strength && trials == other.trials
  }

  var sharesRows: Bool {
    group == .limit || ([.contract, .relation].contains(group) && outcome != .kept)
  }
}

extension Promise.State {
  init(_ state: CheckState) {
    self =
      switch state {
      case .passed: .kept
      case .failed: .broken
      case .noData: .noData
      case .notTested: .lacking
      }
  }

  /// In a word.
  package var word: String {
    switch self {
    case .kept: "passed"
    case .broken: "failed"
    case .noData: "no data"
    case .unchecked: "unchecked"
    case .lacking, .untested: "not tested"
    case .doubtful: "in doubt"
    }
  }

  /// A sign that tells the outcomes apart without colour.
  package var sign: String {
    switch self {
    case .kept: "✓"
    case .broken: "✗"
    case .noData, .lacking: "○"
    case .unchecked: "?"
    case .untested: "·"
    case .doubtful: "!"
    }
  }

  /// The order in which a person needs them.
  package var rank: Int {
    switch self {
    case .broken: 0
    case .doubtful: 1
    case .noData, .lacking: 2
    case .unchecked: 3
    case .kept: 4
    case .untested: 5
    }
  }
}

extension Promise {
  /// `38 trials`; nil for a check that counts none.
  package var trialsText: String? { trials.map { counted($0, "trial") } }

  /// What was seen, and over how many trials: `17 of 540 answers violate it; 540 trials`.
  package var seenText: String {
    // Budgets count their samples themselves.
    guard let trialsText, trials ?? 0 > 0, group != .budget else { return sentence }
    return "\(sentence.withoutFullStop); \(trialsText)"
  }
}

extension [Promise] {
  /// The check that passed on the fewest trials.
  var weakest: Promise? { filter { $0.outcome == .kept }.min { ($0.trials ?? .max) < ($1.trials ?? .max) } }
  /// Those that were not kept and were to be, the worst first.
  var open: [Promise] {
    filter { $0.outcome.rank < Promise.State.kept.rank }.sorted { $0.outcome.rank < $1.outcome.rank }
  }
  package var keptCount: Int { count { $0.outcome == .kept } }
  var untested: [Promise] { filter { $0.outcome == .untested } }
  /// Those of which nothing was tested, whether the run was asked for them or not.
  package var notTested: [Promise] { filter { [.lacking, .untested].contains($0.outcome) } }
}
