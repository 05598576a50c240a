import Foundation
import MurphyModel

/// Finds where a series of measurements changed its level, all of them known beforehand.
///
/// Binary segmentation: the split with the largest studentised difference of means counts when it beats all but 1 % of
/// random orders of the same values (a permutation test of the maximum over all splits, as E-divisive does, Matteson and
/// James 2014); then both parts are searched alike. It assumes that without a change every order of the runs was
/// equally likely: a machine that drifts is a change to it.
package struct ChangePoints: Sendable {
  /// Runs without which no split can be that unlikely: of ten runs, 120 choices of three leave one in 120 by chance.
  package static let fewest = 10

  /// The share of series without a change in which one is found.
  package var alarm = 0.01
  /// Runs that a level has at least.
  package var shortest = 3
  /// Differences of means smaller than this are no change worth a mark.
  package var smallest = 0.0

  /// Orders that are tried; with one of them or fewer as extreme as the series a split counts at 1 %.
  private static let orders = 399

  package init(smallest: Double = 0) { self.smallest = smallest }

  /// - Parameter values: in the order of time.
  /// - Returns: the index of the first value of each new level, ascending.
  package func find(_ values: [Double]) -> [Int] {
    var found: [Int] = []
    search(values, values.indices, &found)
    return found.sorted()
  }

  private func search(_ values: [Double], _ range: Range<Int>, _ found: inout [Int]) {
    let part = Array(values[range])
    guard let split = Self.largest(part, shortest: shortest) else { return }
    let step = part[split.index...].mean - part[..<split.index].mean
    guard step.magnitude > max(smallest, 0), isUnlikely(split.statistic, part) else { return }
    found.append(range.lowerBound + split.index)
    search(values, range.lowerBound..<range.lowerBound + split.index, &found)
    search(values, range.lowerBound + split.index..<range.upperBound, &found)
  }

  private func isUnlikely(_ statistic: Double, _ values: [Double]) -> Bool {
    // The same series is judged alike each time.
    var random = RandomSource(seed: UInt64(values.count), stream: 7)
    var shuffled = values
    let allowed = Int(alarm * Double(Self.orders + 1)) - 1
    var extreme = 0
    for _ in 0..<Self.orders {
      shuffled.shuffle(using: &random)
      // Equal arrangements differ in the last digits of their sums.
      if let other = Self.largest(shuffled, shortest: shortest), other.statistic >= statistic * (1 - 1e-9) {
        extreme += 1
        if extreme > allowed { return false }
      }
    }
    return true
  }

  /// The split whose means differ most, in standard errors of their difference.
  private static func largest(_ values: [Double], shortest: Int) -> (index: Int, statistic: Double)? {
    let count = values.count
    guard count >= 2 * shortest else { return nil }
    let (mean, squares) = (values.mean, values.squares)
    var best: (index: Int, statistic: Double)?
    var sum = 0.0
    for index in 1..<count {
      sum += values[index - 1] - mean
      guard index >= shortest, count - index >= shortest else { continue }
      let (left, right) = (Double(index), Double(count - index))
      // What the split explains of the squares, and what it leaves.
      let explained = sum * sum * (1 / left + 1 / right)
      let rest = max(squares - explained, squares * 1e-12)
      let statistic = rest > 0 ? explained / rest : 0
      if statistic > best?.statistic ?? 0 { best = (index, statistic) }
    }
    return best
  }
}
