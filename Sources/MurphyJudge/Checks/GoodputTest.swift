import Foundation
import MurphyModel

/// Decides whether the goodput after a disturbance has its former level again, and keeps it (docs/recovery.md).
///
/// The data are the good responses of each second, divided by the load of the second. Consecutive seconds depend on
/// each other: a queue or a pause lasts for longer than a second. The test therefore uses the means of long batches,
/// whose dependence is small (method of batch means; R. W. Conway, Management Science 10(1), 1963). With y₁ … yₙ the
/// batches before, y their mean and s their deviation, and with w the mean of m batches after the disturbance:
///
///     H₀: a batch after the disturbance is distributed as one before it, times a factor of at least q = 0.9
///     t = (w − q·y) / (s · √(1/m + q²/n)),   fails if t < −t₍ₙ₋₁₎(1 − 0.01/K)
///
/// The goodput must keep its level, so the test looks at K windows: the first and the last 1, 2, 4 … batches, and all
/// of them. Bonferroni's bound limits false alarms to 1 % over all windows. s is at least the deviation of Poisson
/// counts: arrivals at even times vary less, and a rare pause of the API would otherwise be an alarm.
///
/// The goodput passes only if the data reject the opposite, that it is below q, at the same 1 %: Welch's test with the
/// deviations of both sides, over all batches. Waiting clients may raise the goodput of some batches far above the
/// former level, so a batch counts at most 1.2 times that level. This lowers the mean, and can only prevent a pass.
/// Otherwise the data decide nothing.
package struct GoodputTest: Sendable {
  /// The level that counts as the former one.
  package static let level = 0.9
  private static let chance = 0.01
  /// The highest level of a batch, as a multiple of the former one.
  private static let cap = 1.2
  /// The batches of a side.
  private static let fewest = 6
  private static let usual = 8
  /// Fewer good responses before the disturbance prove nothing.
  private static let fewestGood = 30
  /// Longer times than this multiple of the present ones are not recommended.
  private static let longest = 20.0

  package enum Outcome: Sendable, Hashable {
    case back, missing
    /// The time before and after the disturbance that would decide.
    case open(needed: Duration)
  }

  package let outcome: Outcome
  /// The goodput after the disturbance as a part of that before it; nil without data.
  package let level: Double?
  /// Seconds from the end of the disturbance until the goodput was back; nil if it did not come back.
  package let returned: Int?

  /// - Parameters:
  ///   - good: good responses by second.
  ///   - load: sessions that begin, or users, by second.
  ///   - before: the seconds before the disturbance.
  ///   - until: the second in which the disturbance ends.
  ///   - after: the judged seconds.
  package init(good: [Int], load: [Double], before: Range<Int>, until: Int, after: Range<Int>) {
    let shorter = min(before.count, after.count)
    let length = max(shorter / Self.usual, 1)
    func ratios(_ starts: StrideTo<Int>) -> [Double] {
      starts.compactMap { start in
        let seconds = start..<start + length
        let weight = load[seconds].reduce(0, +)
        return weight > 0 ? Double(good[seconds].reduce(0, +)) / weight : nil
      }
    }
    // Incomplete batches are left out at the ends far from the disturbance.
    let usual = ratios(
      stride(from: before.upperBound - before.count / length * length, to: before.upperBound, by: length))
    let later = ratios(
      stride(from: after.lowerBound, to: after.lowerBound + after.count / length * length, by: length))
    let known = good[before].reduce(0, +)
    guard usual.count >= Self.fewest, later.count >= Self.fewest, known >= Self.fewestGood, usual.mean > 0 else {
      let scarce = known > 0 && known < Self.fewestGood ? before.count * Self.fewestGood / known : 0
      let needed = Double(max(scarce, Self.usual))
      (outcome, level, returned) = (.open(needed: .saturating(seconds: needed.rounded(.up))), nil, nil)
      return
    }
    let floor = Self.level * usual.mean
    level = later.mean / usual.mean
    returned = Self.firstReturn(good, load, from: until, to: after.upperBound, length, floor)
    let weight = load[before].reduce(0, +) / Double(before.count) * Double(length)
    let spread = usual.variance
    if Self.isBelow(floor, later, spread: max(spread, usual.mean / weight), count: usual.count) {
      outcome = .missing
      return
    }
    let capped = later.map { min($0, Self.cap * usual.mean) }
    let error = (spread * Self.level * Self.level / Double(usual.count) + capped.variance / Double(capped.count))
      .squareRoot()
    let student = StudentT(freedom: min(usual.count, later.count) - 1)
    let margin = student.quantile(1 - Self.chance) * error
    let excess = capped.mean - floor
    if excess > margin, let returned, returned <= after.lowerBound - until {
      outcome = .back
    } else {
      let factor = excess == 0 ? Self.longest : min(max((margin / excess) * (margin / excess), 1.5), Self.longest)
      outcome = .open(needed: .saturating(seconds: (Double(shorter) * factor).rounded(.up)))
    }
  }

  /// True if a window of the batches is lower than chance explains.
  private static func isBelow(_ floor: Double, _ later: [Double], spread: Double, count: Int) -> Bool {
    var windows = [later[...]]
    var size = 1
    while size < later.count {
      windows += [later.prefix(size), later.suffix(size)]
      size *= 2
    }
    let limit = StudentT(freedom: count - 1).quantile(1 - chance / Double(windows.count))
    return windows.contains { window in
      let variance = spread * (1 / Double(window.count) + level * level / Double(count))
      return window.mean - floor < -limit * variance.squareRoot()
    }
  }

  /// Seconds until the first time from which the goodput of a batch, and that of all of the rest, reach the floor.
  private static func firstReturn(
    _ good: [Int], _ load: [Double], from: Int, to end: Int, _ length: Int, _ floor: Double
  ) -> Int? {
    func reaches(_ seconds: Range<Int>) -> Bool {
      Double(good[seconds].reduce(0, +)) >= floor * load[seconds].reduce(0, +)
    }
    guard from + length <= end else { return nil }
    return (from...end - length).first { reaches($0..<$0 + length) && reaches($0..<end) }.map { $0 - from }
  }
}

extension Collection<Double> {
  /// The mean square of the distances from the mean, for a sample of at least two.
  fileprivate var variance: Double { squares / Double(count - 1) }
}
