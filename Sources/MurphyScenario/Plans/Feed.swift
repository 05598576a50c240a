import MurphyModel
import MurphySchema

/// Rows of a file from which sessions take their data: each session takes one when it begins.
package struct Feed: Sendable {
  /// The order in which sessions take rows.
  package enum Order: String, Sendable, CaseIterable {
    /// In the file's order.
    case sequential
    /// Any row, independently each time.
    case random
    /// Every row once in a random order, then in another.
    case shuffled
  }

  /// What happens after the last row.
  package enum AtEnd: String, Sendable, CaseIterable {
    /// Begins again with the first row.
    case loop
    /// No further session that needs a row begins. It is counted as dropped.
    case stop
  }

  /// The unit that takes the next row.
  package enum Unit: String, Sendable, CaseIterable {
    case session
    /// Each user keeps its own row.
    case user
  }

  package var name: String
  package var file: String
  package var rows: FeedRows
  package var order: Order
  package var atEnd: AtEnd
  package var per: Unit
  /// The variable with the session's row, an object by column.
  package var variable: Variable

  package init(
    name: String, file: String, rows: FeedRows, order: Order = .sequential, atEnd: AtEnd = .loop,
    per: Unit = .session, variable: Variable
  ) {
    self.name = name
    self.file = file
    self.rows = rows
    self.order = order
    self.atEnd = atEnd
    self.per = per
    self.variable = variable
  }
}

/// The rows of a feed, read once and shared by all loops.
package struct FeedRows: Sendable {
  /// The names of the fields, in the order of the file.
  package var columns: [String]
  /// One object for each row.
  package var rows: [JSONValue]

  package init(columns: [String], rows: [JSONValue]) {
    self.columns = columns
    self.rows = rows
  }

  /// The number of rows.
  package var count: Int { rows.count }
}

extension Feed {
  /// The row of turn number `turn` (from 0); nil if the feed has ended. A pure function.
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

  /// Place `turn mod n` of a permutation of 0..<n that differs in each round.
  ///
  /// It is a four-round Feistel network over the next power of four, applied until the value is below n (Black and
  /// Rogaway, CT-RSA 2002). Every row occurs once in a round. It needs no table and O(1) expected time.
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

  /// A hash, so that the rows of two feeds of one scenario are independent.
  private var nameHash: UInt64 {
    var hash = FNV1a()
    hash.add(name.utf8)
    return hash.value
  }
}
