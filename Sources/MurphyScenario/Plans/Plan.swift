import Foundation
import MurphyModel
import MurphySchema

/// Everything of a run that is known before a byte is sent. The same scenario and seed give the same plan, but for
/// values that carry a run's salt.
package struct Plan: Sendable {
  package let scenario: Scenario
  package let seed: UInt64
  /// How values that are meant to be unique are drawn.
  package let unique: UniqueValues
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

  /// How many sessions arrive in an open model; 0 in a closed one.
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

/// How many sessions before a given one took a row of a feed: O(1) from the mix's table.
struct FeedRanks: Sendable {
  /// By feed: for each place of the table, the takers before it; the last entry is the whole table's.
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

/// When arrivals of an open model fall due: a pure function of their index, so errors never add up.
///
/// With the rate λ(t) and its integral Λ(t) = ∫₀ᵗ λ, arrival k (from 0) falls at the last t with Λ(t) ≤ k.
/// Within a stage that goes from rate a to rate b in time d and begins at Λ₀,
///
///     Λ(t) = Λ₀ + a t + (b − a) t² / 2d,   x = k − Λ₀
///     t    = 2x / (a + √(a² + 2x (b − a) / d))
///
/// which loses no digits when a and b are close, or a is 0. A Poisson process falls where Λ reaches the
/// sum of k + 1 exponential gaps of mean 1 instead.
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
  /// Where Λ must come for each arrival of a Poisson process; nil for an even one.
  private let levels: [Double]?
  /// How many arrivals there are.
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
      // A sum such as 0.1 · 3 may end a hair above a whole number.
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

  /// When arrival `index` falls due, nanoseconds after the load began.
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
  /// Number among its user's sessions, from 0.
  package var iteration: Int
  /// Nanoseconds after the load began; in a closed model the earliest, for a user's first session only.
  package var due: Int64
  /// Index into `Scenario.sessions`.
  package var session: Int
  /// Of the session's random stream.
  package var seed: UInt64
}

/// Which session comes when: a table of session indices that repeats for ever.
///
/// Shares are brought to whole numbers with sum P (60, 30, 10 → 6, 3, 1: P = 10). The table is a number
/// of seeded shuffles of those P places, one behind the other, so every P arrivals hold the exact shares:
/// after n arrivals no session is further than P from its share of n. Lookup and rank are O(1).
package struct SessionMix: Sendable {
  /// Finer shares than 1 in so many are rounded, and no session to nothing.
  static let longestPeriod = 4096

  /// Session index by place.
  package let table: [Int]
  /// How many sessions of a share each period holds.
  package let period: [Int]

  package init(shares: [Double], seed: UInt64) {
    period = Self.wholeShares(shares)
    let places = period.enumerated().flatMap { Array(repeating: $0.offset, count: $0.element) }
    var random = RandomSource(seed: seed, stream: 0x5E55_1045)
    var table: [Int] = []
    while !places.isEmpty, table.count < 1024 {
      var round = places
      // Fisher and Yates, one value of the stream a place.
      for last in stride(from: round.count - 1, to: 0, by: -1) { round.swapAt(last, random.index(below: last + 1)) }
      table += round
    }
    self.table = table
  }

  package func session(at number: Int) -> Int { table[number % table.count] }

  /// The smallest whole numbers in the shares' proportion; rounded (largest remainder) where their sum
  /// would pass `longestPeriod`.
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
