import MurphyModel

/// What a comparison found, with all that its p-values follow from.
package struct CompareResult: Sendable, Codable {
  package static let currentFormat = "murphy-compare/1"

  package enum Mode: String, Sendable, Codable {
    /// Both arms were loaded in turns, in an order drawn by coin.
    case live
    /// Runs that were made before.
    case stored
  }

  package var format = CompareResult.currentFormat
  package var mode: Mode
  /// `no-data` where neither a slowdown is shown nor the margin is kept.
  package var verdict: Verdict
  /// Sentences, the most important first.
  package var reasons: [String]
  package var scenario: String
  package var base: CompareSide
  package var candidate: CompareSide
  package var operations: [CompareOperation] = []
  package var findings = FindingChanges()
  /// What of the contract the base's runs saw and the candidate's did not.
  package var coverageLost: [CoverageItem] = []
  package var limitsChanged: [LimitChange] = []
  /// How a live comparison was made; nil for stored runs.
  package var design: CompareDesign?

  package init(
    mode: Mode, verdict: Verdict = .noData, reasons: [String] = [], scenario: String, base: CompareSide,
    candidate: CompareSide
  ) {
    self.mode = mode
    self.verdict = verdict
    self.reasons = reasons
    self.scenario = scenario
    self.base = base
    self.candidate = candidate
  }
}

/// One arm of a comparison.
package struct CompareSide: Sendable, Codable, Hashable {
  /// The target, or the stored results.
  package var sources: [String]
  package var requests = 0
  package var sessions = 0
  package var machine: String?

  package init(sources: [String]) { self.sources = sources }
}

/// How a live comparison was made: enough to make it again, and to check its p-values by hand.
package struct CompareDesign: Sendable, Codable {
  /// The seed of all coins.
  package var coins: UInt64
  /// The seed of the sessions, alike in both arms of a pair of slices.
  package var seed: UInt64
  /// Both targets were started anew for each group.
  package var restarts: Bool
  /// Seconds of load in a slice.
  package var slice: Double
  /// Seconds of its beginning whose latency is not counted.
  package var settling: Double
  package var groups: [GroupCoins] = []
  package var looks: [LookRecord] = []
  /// Seconds, restarts included.
  package var duration = 0.0

  package init(coins: UInt64, seed: UInt64, restarts: Bool, slice: Double, settling: Double) {
    self.coins = coins
    self.seed = seed
    self.restarts = restarts
    self.slice = slice
    self.settling = settling
  }
}

/// The coins of one group.
package struct GroupCoins: Sendable, Codable, Hashable {
  /// Which target was started first.
  package var startedFirst: CompareArm
  /// The arm that was loaded first in each block of two slices.
  package var blocks: [CompareArm]

  /// Blocks come in pairs, the second the other way round (base, candidate, candidate, base), so that what drifts
  /// steadily takes the same from both arms.
  package init(seed: UInt64, group: Int, blocks count: Int) {
    var random = RandomSource(seed: seed, stream: UInt64(group))
    startedFirst = CompareArm(coin: random.next())
    blocks = []
    for block in 0..<count {
      blocks.append(block.isMultiple(of: 2) ? CompareArm(coin: random.next()) : blocks[block - 1].other)
    }
  }
}

package enum CompareArm: String, Sendable, Codable, Hashable, CaseIterable {
  case base, candidate

  init(coin: UInt64) { self = coin >> 63 == 0 ? .base : .candidate }

  package var other: CompareArm { self == .base ? .candidate : .base }
}

/// A look at the groups that there were by then.
package struct LookRecord: Sendable, Codable, Hashable {
  package var groups: Int
  package var alarm: Double
  package var pass: Double
  package var verdict: Verdict

  package init(_ look: Look, _ decision: LookDecision) {
    groups = decision.groups
    alarm = look.alarm
    pass = look.pass
    verdict = decision.verdict
  }
}
