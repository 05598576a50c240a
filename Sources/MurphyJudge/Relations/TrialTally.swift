/// The trials of a rule, and whether a fault that all of them showed would be found: some rules need several answers, at two
/// different places at least.
struct TrialTally {
  private(set) var count = 0
  private(set) var decides = false
  private var places: Set<UInt64> = []

  mutating func add(at place: UInt64, needed: Int) {
    count += 1
    places.insert(place)
    decides = decides || count >= needed && places.count >= min(needed, 2)
  }

  mutating func add(_ count: Int, decides: Bool) {
    guard count > 0 else { return }
    self.count += count
    self.decides = self.decides || decides
  }
}

/// Collects independent evidence by the same rule.
struct Witnesses<Entry> {
  private(set) var entries: [Entry] = []
  private var tally = TrialTally()
  var isProved: Bool { tally.decides }

  mutating func add(_ entry: Entry, at place: UInt64, needed: Int) {
    entries.append(entry)
    tally.add(at: place, needed: needed)
  }
}
