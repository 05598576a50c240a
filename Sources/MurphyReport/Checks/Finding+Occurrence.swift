import MurphyModel

extension Finding {
  /// `seen once at 4.2 s`, `seen in 31 responses from 4.2 s to 38.1 s, at 775 places`, `over the whole run`;
  /// `between 24 s and 40 s` for a drift
  package var occurrence: String {
    let first = Figure.seconds(firstSeen).text
    if drift != nil { return "between \(first) and \(Figure.seconds(lastSeen).text)" }
    // Found in the sums of the run or in its files, not at a point in time.
    if count == 1, firstSeen == 0, lastSeen == 0 || lastSeen > firstSeen { return "over the whole run" }
    let spread = places.map { ", at \(counted($0, "place"))" } ?? ""
    if count == 1 { return "seen once at \(first)\(spread)" }
    let times =
      kind.family.countsAnswers ? "in \(counted(count, "response"))" : "\(Figure.count(count).text) times"
    return "seen \(times) from \(first) to \(Figure.seconds(lastSeen).text)\(spread)"
  }

  /// The load at which it begins, if it did not occur at a lower load: `only above 180 requests/s`.
  ///
  /// Set only if each stage with an occurrence has a higher rate than each stage without one. The finding must also
  /// disappear again. The quieter stages after the last occurrence must have enough requests. At the share of the
  /// busier ones, at least three occurrences would be expected there. In a load that only grows, elapsed time or a
  /// crashed server is an equally good explanation.
  package var loadThreshold: String? {
    let with = load.filter { $0.occurrences > 0 }
    let without = load.filter { $0.occurrences == 0 && $0.requests > 0 }
    guard let lowestWith = with.map(\.rate).min(), let highestWithout = without.map(\.rate).max(),
      highestWithout < lowestWith
    else { return nil }
    let later = load.drop { $0.occurrences == 0 }.reversed().prefix { $0.occurrences == 0 }
    let share = Double(with.reduce(0) { $0 + $1.occurrences }) / Double(max(with.reduce(0) { $0 + $1.requests }, 1))
    guard min(share, 1) * Double(later.reduce(0) { $0 + $1.requests }) >= 3 else { return nil }
    return "only above \(Figure.digits(highestWithout)) requests/s"
  }
}
