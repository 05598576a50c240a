/// Phases in [0, W) at which aligned windows may still begin: a few closed intervals, reduced arc by arc.
///
/// Closed intervals are permissive. An arc costs the number of intervals, which stays at one or two.
struct PhaseSet {
  struct Interval: Hashable {
    var low: Double
    var high: Double
  }

  let window: Double
  private(set) var intervals: [Interval]

  /// Every phase.
  init(window: Double) {
    self.window = window
    intervals = [Interval(low: 0, high: window)]
  }

  /// The phases within `tolerance` of `phase`.
  init(window: Double, around phase: Double, tolerance: Double) {
    self.init(window: window)
    _ = keep(from: phase - tolerance, length: 2 * tolerance)
  }

  var isEmpty: Bool { intervals.isEmpty }

  /// The total length of all intervals, in seconds.
  var measure: Double { intervals.reduce(0) { $0 + $1.high - $1.low } }

  /// Keeps the phases in [low, low + length] modulo the window; false when none is left.
  mutating func keep(from low: Double, length: Double) -> Bool {
    guard length < window else { return !isEmpty }
    var start = low - (low / window).rounded(.down) * window
    if start >= window { start -= window }
    let end = start + length
    // The common case: one interval, wholly inside the arc.
    if intervals.count == 1, intervals[0].low >= start, intervals[0].high <= end { return true }
    var kept: [Interval] = []
    for interval in intervals {
      // The arc relative to [0, W): itself and its copy one window earlier.
      for shift in [0, -window] {
        let low = max(interval.low, start + shift)
        let high = min(interval.high, end + shift)
        if low <= high { kept.append(Interval(low: low, high: high)) }
      }
    }
    kept.sort { $0.low < $1.low }
    intervals = kept
    return !kept.isEmpty
  }
}
