import MurphyModel

/// The slowdown of the API that would have failed a percentile budget, from counts by second and step of latency.
///
/// A slowdown by the factor f, or by δ = limit − θ, raises every request with x > θ = limit / f over the limit. With
/// n_b requests in second b, of which over_b(θ) are slower than θ:
///
///     y_b(θ) = over_b(θ) − (1 − p) n_b        Y = Σ y_b        broken iff Y > 0
///     sd     = the largest over blocks of 1, 2, 4 … 64 s (7 of them and more) of sd(block sums) · √blocks
///     in this run   the largest θ with Y > 0
///     likely        the largest θ with Y > t₉₅(7) · √2 · sd
///
/// √2, because the measured run and the run with the slowdown both vary. Blocks, because neighbouring seconds are
/// correlated. t₉₅(7), for as few blocks as eight. Simulated: docs/strength.md §3.
struct SlowdownSearch {
  private let ladder: LatencyLadder
  /// From 0 to 100.
  private let percentile: Double
  /// Nanoseconds.
  private let limit: Int64

  /// Student's t for 95 %, one side, seven degrees of freedom.
  private static let t95 = 1.8946
  private static let fewestBlocks = 7
  private static let longestBlock = 64

  init(_ ladder: LatencyLadder, percentile: Double, limit: Duration) {
    self.ladder = ladder
    self.percentile = percentile
    self.limit = limit.nanoseconds
  }

  func slowdowns() -> (inThisRun: BudgetStrength.Slowdown?, likely: BudgetStrength.Slowdown?) {
    let top = ladder.scale.index(of: limit)
    guard top > 1, ladder.rows > 0 else { return (nil, nil) }
    var requests = [Int](repeating: 0, count: ladder.rows)
    var over = requests
    for row in requests.indices { (requests[row], over[row]) = ladder.row(row, over: top) }
    let samples = requests.reduce(0, +)
    let allowed = PercentileRule(percentile: percentile).allowance(of: samples)
    let share = 1 - percentile / 100
    var inThisRun: BudgetStrength.Slowdown?
    for step in stride(from: top - 1, through: 0, by: -1) {
      var total = 0
      for row in over.indices {
        over[row] += Int(ladder.counts[row * ladder.scale.count + step + 1])
        total += over[row]
      }
      guard total > allowed else { continue }
      let slowdown = slowdown(step)
      if inThisRun == nil { inThisRun = slowdown }
      let excess = zip(over, requests).map { Double($0) - share * Double($1) }
      guard let noise = noise(excess) else { return (inThisRun, nil) }
      if excess.reduce(0, +) > Self.t95 * 2.0.squareRoot() * noise { return (inThisRun, slowdown) }
    }
    return (inThisRun, nil)
  }

  /// The factor on the length of the load so that it would fail the budget with 95 % under a slowdown by `share`. Noise
  /// grows as the root of the length, the excess as the length. Nil when no load would.
  func timesAsLong(toSee share: Double) -> Double? {
    let threshold = Int64(saturating: Double(limit) / (1 + share))
    let step = ladder.scale.index(of: threshold)
    let allowed = 1 - percentile / 100
    let excess = (0..<ladder.rows).map { row in
      let counts = ladder.row(row, over: step)
      return Double(counts.over) - allowed * Double(counts.requests)
    }
    let total = excess.reduce(0, +)
    guard total > 0, let noise = noise(excess) else { return nil }
    let ratio = Self.t95 * 2.0.squareRoot() * noise / total
    return ratio * ratio
  }

  /// The slowdown that raises everything above a step's highest latency over the limit.
  private func slowdown(_ step: Int) -> BudgetStrength.Slowdown {
    let threshold = ladder.scale.highest(in: step)
    return BudgetStrength.Slowdown(
      share: Double(limit) / Double(max(threshold, 1)) - 1, added: .nanoseconds(limit - threshold))
  }

  /// The standard deviation of the sum; nil if the run has fewer rows than the required blocks.
  private func noise(_ excess: [Double]) -> Double? {
    var largest: Double?
    var length = 1
    while length == 1 || length * ladder.width <= Self.longestBlock {
      let count = excess.count / length
      guard count >= Self.fewestBlocks else { break }
      let sums = (0..<count).map { block in excess[(block * length)..<((block + 1) * length)].reduce(0, +) }
      let mean = sums.reduce(0, +) / Double(count)
      let variance = sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)
      largest = max(largest ?? 0, (variance * Double(count)).squareRoot())
      length *= 2
    }
    return largest
  }
}

/// The shortest freeze of the API that, at a random time of the run, would have failed a percentile budget with 95 %.
///
/// A freeze of x from u on makes every request in [u, u + x − limit] slow. Let A requests be allowed over the limit,
/// and O be over it already. Then m = A − ⌊O − 1.645 √(2 O)⌋ + 1 more are needed, and x(u) = t − u + limit. Here t is
/// the time of the m-th of them after u. The result is the 95 % quantile over the times u with enough remaining time.
/// Requests are assumed to be evenly distributed over their row.
struct StallSearch {
  private static let moments = 200

  /// - Returns: nil when no freeze within the run would.
  static func shortest(_ ladder: LatencyLadder, percentile: Double, limit: Duration, over: Int) -> Duration? {
    let top = ladder.scale.index(of: limit.nanoseconds)
    var samples = 0
    // Requests within the limit before each row.
    var before = [0.0]
    for row in 0..<ladder.rows {
      let counts = ladder.row(row, over: top)
      samples += counts.requests
      before.append(before[row] + Double(counts.requests - counts.over))
    }
    guard let all = before.last, all > 0 else { return nil }
    let allowed = PercentileRule(percentile: percentile).allowance(of: samples)
    let usual = max(0, Double(over) - 1.645 * (2 * Double(over)).squareRoot())
    // One more, since their position in the row is unknown.
    let needed = Double(allowed - Int(saturating: usual) + 2)
    let length = Double(ladder.rows)
    let lengths = (0..<moments).compactMap { index -> Double? in
      let moment = length * (Double(index) + 0.5) / Double(moments)
      let row = min(Int(saturating: moment), ladder.rows - 1)
      let passed = before[row] + (before[row + 1] - before[row]) * (moment - Double(row))
      let target = passed + needed
      guard target <= all else { return nil }
      let last = max(before.count(below: target) - 1, 0)
      let share = (target - before[last]) / max(before[last + 1] - before[last], 1)
      return (Double(last) + share - moment) * Double(ladder.width) + limit.inSeconds
    }.sorted()
    guard lengths.count >= moments / 2 else { return nil }
    return .saturating(seconds: lengths[min(lengths.count * 19 / 20, lengths.count - 1)])
  }
}
