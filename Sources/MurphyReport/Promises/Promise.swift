import MurphyModel

/// One thing that the run was asked to prove, and how it came out: a case of `junit.xml`, a line of the summary.
package struct Promise: Sendable, Hashable {
  package enum Group: String, Sendable, CaseIterable {
    case contract, budget, traffic, limit, state, transport, coverage, generator
  }

  package enum Outcome: Sendable, Hashable {
    case kept
    case broken
    /// Too few samples to say.
    case noData
    /// Nothing was found wrong, and part of it could not be checked.
    case unchecked
    /// Documented, but not asked of this run, and its traffic never came near it.
    case untested
    /// The generator's numbers cannot carry a verdict.
    case doubtful
  }

  package var group: Group
  /// Unique within its group and the same from run to run: `listLaws p95 ≤ 300ms`.
  package var name: String
  package var outcome: Outcome
  /// What was observed, in a sentence.
  package var sentence: String

  package init(_ group: Group, _ name: String, _ outcome: Outcome, _ sentence: String) {
    self.group = group
    self.name = name
    self.outcome = outcome
    self.sentence = sentence
  }
}

extension Promise.Outcome {
  init(_ verdict: RowVerdict) {
    self =
      switch verdict {
      case .pass: .kept
      case .fail: .broken
      case .noData: .noData
      }
  }

  /// In a word.
  package var word: String {
    switch self {
    case .kept: "kept"
    case .broken: "broken"
    case .noData: "no data"
    case .unchecked: "unchecked"
    case .untested: "not tested"
    case .doubtful: "in doubt"
    }
  }

  /// A sign that tells the outcomes apart without colour.
  package var sign: String {
    switch self {
    case .kept: "✓"
    case .broken: "✗"
    case .noData: "○"
    case .unchecked: "?"
    case .untested: "·"
    case .doubtful: "!"
    }
  }
}
