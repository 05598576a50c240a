/// Between which values the difference between a target's clock and this machine's lies, by the `Date` of its answers
/// (RFC 9110 §6.6.1).
///
/// A Date D of whole seconds in an answer to a request that was sent at s and answered at r says
///
///     D − r ≤ offset ≤ D + 1 + c − s
///
/// with c how stale the server's idea of the time may be: servers keep the formatted date and make a new one once a second,
/// milliseconds late by a timer of their own, up to a second late by another (docs/scale.md). The bounds of a run
/// meet at about 2/n seconds for n answers, until a ride's own time stops them.
package struct DateBounds: Sendable {
  /// The tightest bounds of each second of the run, seconds.
  private var seconds: [Int: (low: Double, high: Double)] = [:]

  /// A date that is kept and made anew by a timer, seconds.
  private static let usualStaleness = 0.02
  private static let longestStaleness = 1.0
  /// Two clocks drift apart by less than this.
  package static let drift = 1e-4
  /// Between a look at a clock and the load's beginning, seconds, as far as drift matters.
  package static let longestWait = 300.0

  package init() {}

  package var isEmpty: Bool { seconds.isEmpty }

  /// - Parameters: seconds since 1970 by this machine's clock.
  package mutating func add(date: Double, sent: Double, answered: Double) {
    let (low, high) = (date - answered, date + 1 - sent)
    let key = Int(saturating: sent)
    let known = seconds[key] ?? (low, high)
    seconds[key] = (max(known.low, low), min(known.high, high))
  }

  package mutating func merge(_ other: DateBounds) {
    seconds.merge(other.seconds) { (max($0.low, $1.low), min($0.high, $1.high)) }
  }

  /// Where all bounds meet; nil without any, and where several hosts or clocks answer behind one name.
  package var bound: ClockBound? {
    bound(staleness: Self.usualStaleness) ?? bound(staleness: Self.longestStaleness)
  }

  private func bound(staleness: Double) -> ClockBound? {
    guard let first = seconds.keys.min(), let last = seconds.keys.max() else { return nil }
    let middle = Double(first + last) / 2
    var (low, high) = (-Double.infinity, Double.infinity)
    for (second, bounds) in seconds {
      let slack = Self.drift * abs(Double(second) - middle)
      low = max(low, bounds.low - slack)
      high = min(high, bounds.high + staleness + slack)
    }
    // They meet for the middle of the run; at its ends the clocks have drifted by that much.
    return low <= high
      ? ClockBound(.target, low: low, high: high).widened(by: Self.drift * Double(last - first) / 2) : nil
  }
}
