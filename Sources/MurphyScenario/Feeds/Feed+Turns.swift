import MurphyJSON
import MurphyModel

extension Feed {
  /// The row that turn number `turn` (from 0) takes; nil when the feed has ended. A pure function.
  package func row(turn: Int, seed: UInt64) -> JSONValue? {
    guard rows.count > 0, atEnd == .loop || turn < rows.count else { return nil }
    let index =
      switch order {
      case .sequential: turn % rows.count
      case .random: drawnIndex(stream: UInt64(turn), seed: seed)
      case .shuffled: shuffledIndex(turn: turn, seed: seed)
      }
    return rows.rows[index]
  }

  private func drawnIndex(stream: UInt64, seed: UInt64) -> Int {
    var random = RandomSource(seed: seed ^ nameHash, stream: stream)
    return random.index(below: rows.count)
  }

  /// Place `turn mod n` of a permutation of 0..<n that differs from round to round.
  ///
  /// A four-round Feistel network over the next power of four, walked until the value is below n
  /// (Black and Rogaway, CT-RSA 2002): every row once a round, no table, O(1) expected.
  private func shuffledIndex(turn: Int, seed: UInt64) -> Int {
    let count = rows.count
    var half: UInt64 = 1
    while 1 << (2 * half) < UInt64(count) { half += 1 }
    let mask: UInt64 = (1 << half) - 1
    var keys = RandomSource(seed: seed ^ nameHash, stream: UInt64(turn / count))
    let round = (keys.next(), keys.next(), keys.next(), keys.next())
    var value = UInt64(turn % count)
    repeat {
      var (left, right) = (value >> half, value & mask)
      for key in [round.0, round.1, round.2, round.3] {
        var mixer = RandomSource(seed: key ^ right)
        (left, right) = (right, left ^ (mixer.next() & mask))
      }
      value = left << half | right
    } while value >= UInt64(count)
    return Int(value)
  }

  /// FNV-1a, so that two feeds of one scenario are drawn independently.
  private var nameHash: UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
