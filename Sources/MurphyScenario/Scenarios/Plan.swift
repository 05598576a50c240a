import Foundation
import MurphyModel
import MurphySchema

/// Everything about a run that is known before a byte is sent. The same scenario and seed produce the same plan, except
/// for values with the salt of a run.
package struct Plan: Sendable {
  package let scenario: Scenario
  /// The source of all generated values except those with the salt.
  package let seed: UInt64
  /// Generates the unique values.
  package let unique: UniqueValues
  /// The order in which kinds of sessions arrive.
  package let mix: SessionMix
  private let clock: ArrivalClock
  let ranks: FeedRanks

  package init(scenario: Scenario, seed: UInt64, unique: UniqueValues = UniqueValues()) {
    self.scenario = scenario
    self.seed = seed
    self.unique = unique
    mix = SessionMix(shares: scenario.sessions.map(\.share), seed: seed)
    ranks = FeedRanks(mix: mix, scenario: scenario)
    if case .open(let stages, let pattern) = scenario.load {
      clock = ArrivalClock(stages: stages, pattern: pattern, seed: seed)
    } else {
      clock = ArrivalClock(stages: [])
    }
  }

  /// The closed model, or nil for arrivals.
  package var closed: ClosedLoad? {
    if case .closed(let closed) = scenario.load { closed } else { nil }
  }

  /// The number of sessions that arrive in an open model; 0 in a closed one.
  package var arrivals: Int { clock.count }

  /// Arrival `index` of an open model: a pure function, O(log stages).
  package func arrival(_ index: Int) -> Arrival {
    Arrival(
      index: index, user: index, iteration: 0, due: clock.due(index), session: mix.session(at: index),
      seed: sessionSeed(index))
  }

  /// Session number `iteration` of user number `user` in a closed model.
  package func session(user: Int, iteration: Int) -> Arrival {
    let index = iteration * max(closed?.mostUsers ?? 0, 1) + user
    return Arrival(
      index: index, user: user, iteration: iteration, due: closed?.presences(of: user).first?.begin ?? 0,
      session: mix.session(at: index), seed: sessionSeed(index))
  }

  private func sessionSeed(_ index: Int) -> UInt64 {
    var random = RandomSource(seed: seed, stream: UInt64(index))
    return random.next()
  }
}

/// The number of sessions before a given one that took a row of a feed: O(1) from the mix's table.
struct FeedRanks: Sendable {
  /// By feed: for each place of the table, the number of earlier sessions that take a row; the last entry is that of
  /// the whole table.
  private let before: [[Int]]
  private let length: Int

  init(mix: SessionMix, scenario: Scenario) {
    length = mix.table.count
    before = scenario.feeds.indices.map { feed in
      var count = 0
      var before = [0]
      for session in mix.table {
        if scenario.sessions[session].feeds.contains(feed) { count += 1 }
        before.append(count)
      }
      return before
    }
  }

  func turn(of index: Int, feed: Int) -> Int {
    guard length > 0, let all = before[feed].last else { return 0 }
    return index / length * all + before[feed][index % length]
  }
}

/// The times at which arrivals of an open model are due. Each is a pure function of the index, so errors do not
/// accumulate.
///
/// The rate is λ(t), and its integral is Λ(t) = ∫₀ᵗ λ. Arrival k (from 0) is due at the last t with Λ(t) ≤ k. Within a
/// stage that goes from rate a to rate b in time d and begins at Λ₀,
///
///     Λ(t) = Λ₀ + a t + (b − a) t² / 2d,   x = k − Λ₀
///     t    = 2x / (a + √(a² + 2x (b − a) / d))
///
/// This form loses no digits if a and b are close, or a is 0. For a Poisson process, k is replaced by the sum of k + 1
/// exponential gaps of mean 1.
package struct ArrivalClock: Sendable {
  private struct Stage: Sendable {
    var begin: Double
    var duration: Double
    var from: Double
    var to: Double
    /// Λ at the stage's end.
    var reached: Double
  }

  private let stages: [Stage]
  /// The value of Λ for each arrival of a Poisson process; nil for even arrivals.
  private let levels: [Double]?
  /// The number of arrivals.
  package let count: Int

  package init(stages: [ArrivalStage], pattern: ArrivalPattern = .even, seed: UInt64 = 0) {
    var begin = 0.0
    var reached = 0.0
    self.stages = stages.map {
      reached += $0.arrivals
      let duration = $0.duration.inSeconds
      defer { begin += duration }
      return Stage(
        begin: begin, duration: duration, from: $0.from.perSecond, to: $0.to.perSecond, reached: reached)
    }
    switch pattern {
    case .even:
      levels = nil
      // A sum such as 0.1 · 3 may end slightly above a whole number.
      count = max(Int(saturating: (reached - 1e-9 * max(reached, 1)).rounded(.up)), 0)
    case .poisson:
      var random = RandomSource(seed: seed, stream: 0xA221_7A15)
      var levels: [Double] = []
      var level = -log(1 - random.unit())
      while level < reached {
        levels.append(level)
        level -= log(1 - random.unit())
      }
      self.levels = levels
      count = levels.count
    }
  }

  /// The time at which arrival `index` is due, nanoseconds after the load began.
  package func due(_ index: Int) -> Int64 {
    let level = levels?[index] ?? Double(index)
    var low = 0
    var high = stages.count - 1
    while low < high {
      let middle = (low + high) / 2
      if stages[middle].reached > level { high = middle } else { low = middle + 1 }
    }
    guard stages.indices.contains(low) else { return 0 }
    let stage = stages[low]
    let x = max(level - (low > 0 ? stages[low - 1].reached : 0), 0)
    let slope = (stage.to - stage.from) / stage.duration
    let root = max(stage.from * stage.from + 2 * x * slope, 0).squareRoot()
    let t = x == 0 ? 0 : 2 * x / (stage.from + root)
    return Int64(saturating: ((stage.begin + min(t, stage.duration)) * 1e9).rounded())
  }
}

/// One session of the plan.
package struct Arrival: Sendable, Hashable {
  /// Number in the run, from 0.
  package var index: Int
  /// Number of the virtual user, from 0; the same as `index` in an open model.
  package var user: Int
  /// Number within its user's sessions, from 0.
  package var iteration: Int
  /// Nanoseconds after the load began; in a closed model the earliest, for a user's first session only.
  package var due: Int64
  /// Index into `Scenario.sessions`.
  package var session: Int
  /// The seed of the session's random stream.
  package var seed: UInt64
}

/// The order of sessions: a table of session indices that repeats indefinitely.
///
/// Shares are converted to whole numbers with sum P (60, 30, 10 → 6, 3, 1: P = 10). The table is a number of seeded
/// shuffles of those P places, in sequence. So every P arrivals have the exact shares: after n arrivals, no session
/// deviates by more than P from its share of n. Lookup and rank are O(1).
package struct SessionMix: Sendable {
  /// Shares finer than 1 in this number are rounded, and no session is rounded to zero.
  static let longestPeriod = 4096

  /// Session index by place.
  package let table: [Int]
  /// The number of sessions of a share in each period.
  package let period: [Int]

  /// Shuffled by the seed; each kind occurs in proportion to its share.
  package init(shares: [Double], seed: UInt64) {
    period = Self.wholeShares(shares)
    let places = period.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element) }
    var random = RandomSource(seed: seed, stream: 0x5E55_1045)
    var table: [Int] = []
    while !places.isEmpty, table.count < 1024 {
      var round = places
      // Fisher and Yates, one value of the stream per place.
      for last in stride(from: round.count - 1, to: 0, by: -1) { round.swapAt(last, random.index(below: last + 1)) }
      table += round
    }
    self.table = table
  }

  /// The index of the session in the scenario. Larger numbers start again at the first row.
  package func session(at number: Int) -> Int { table[number % table.count] }

  /// The smallest whole numbers in the proportion of the shares. They are rounded (largest remainder) if their sum
  /// would exceed `longestPeriod`.
  static func wholeShares(_ shares: [Double]) -> [Int] {
    var scale = 1.0
    while scale <= 1000 {
      let scaled = shares.map { $0 * scale }
      if scaled.allSatisfy({ abs($0 - $0.rounded()) < 1e-9 * scale && $0 < 1e9 }) {
        let whole = scaled.map { Int(saturating: $0.rounded()) }
        let divisor = whole.reduce(0, greatestCommonDivisor)
        let reduced = divisor > 1 ? whole.map { $0 / divisor } : whole
        if reduced.reduce(0, +) <= longestPeriod { return reduced }
        break
      }
      scale *= 10
    }
    let total = shares.reduce(0, +)
    return shares.map { $0 > 0 ? max(Int(saturating: ($0 / total * Double(longestPeriod)).rounded()), 1) : 0 }
  }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
