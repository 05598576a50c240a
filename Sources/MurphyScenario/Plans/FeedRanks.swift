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
