import MurphyModel

/// Counts what was found behind one finding, in bounded memory.
struct FoundTally: Sendable {
  /// Values counted apart in one loop.
  private static let most = 16
  /// Values that a report shows.
  private static let shown = 8
  /// Characters of a value that are kept.
  static let longest = 160

  private var counts: [String: Int] = [:]
  private var others = 0

  mutating func count(_ value: String) { add(value, 1) }

  mutating func merge(_ other: FoundTally) {
    for (value, count) in other.counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) { add(value, count) }
    others += other.others
  }

  private mutating func add(_ value: String, _ times: Int) {
    if counts[value] != nil || counts.count < Self.most {
      counts[value, default: 0] += times
    } else {
      others += times
    }
  }

  /// Nil when nothing was counted.
  var values: FoundValues? {
    guard !counts.isEmpty else { return nil }
    let ordered = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return FoundValues(
      values: ordered.prefix(Self.shown).map { FoundValues.Value(text: $0.key, count: $0.value) },
      others: ordered.dropFirst(Self.shown).reduce(others) { $0 + $1.value })
  }
}
