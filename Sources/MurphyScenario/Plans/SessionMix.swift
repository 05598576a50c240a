import MurphyModel

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
