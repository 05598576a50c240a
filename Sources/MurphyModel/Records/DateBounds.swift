/// The bounds of the difference between a target's clock and this machine's, from the `Date` of its responses (RFC 9110
/// §6.6.1).
///
/// A request is sent at s and answered at r. A Date D of whole seconds in the response implies
///
///     D − r ≤ offset ≤ D + 1 + c − s
///
/// with c the staleness of the server's date. Servers keep the formatted date and make a new one once a second: with a
/// timer of their own milliseconds late, with another up to a second late (docs/scale.md). The bounds of a run meet at
/// about 2/n seconds for n responses, until the transit time limits them.
package struct DateBounds: Sendable {
  /// The tightest bounds of each second of the run, in seconds.
  private var seconds: [Int: (low: Double, high: Double)] = [:]

  /// The staleness of a date that a timer renews, in seconds.
  private static let usualStaleness = 0.02
  private static let longestStaleness = 1.0
  /// The drift between two clocks is below this.
  package static let drift = 1e-4
  /// The maximum time between a clock reading and the load's beginning, for the computation of drift.
  package static let longestWait: Duration = .seconds(300)

  package init() {}

  /// True if no response had a usable `Date`.
  package var isEmpty: Bool { seconds.isEmpty }

  /// - Parameters: seconds since 1970 by this machine's clock.
  package mutating func add(date: Double, sent: Double, answered: Double) {
    let (low, high) = (date - answered, date + 1 - sent)
    let key = Int(saturating: sent)
    let known = seconds[key] ?? (low, high)
    seconds[key] = (max(known.low, low), min(known.high, high))
  }

  /// Adds the bounds from another loop; the narrower bound of each second remains.
  package mutating func merge(_ other: DateBounds) {
    seconds.merge(other.seconds) { (max($0.low, $1.low), min($0.high, $1.high)) }
  }

  /// The intersection of all bounds; nil without any, and if several hosts or clocks answer behind one name.
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
      ? ClockBound(.target, low: low, high: high).widened(
        by: .saturating(seconds: Double(last - first) * Self.drift / 2)) : nil
  }
}
