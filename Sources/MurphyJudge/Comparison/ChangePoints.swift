import Foundation
import MurphyModel

/// Finds the changes of level in a complete series of measurements.
///
/// Binary segmentation: the split with the largest studentised difference of means counts when it exceeds all but 1 %
/// of random orders of the same values. (A permutation test of the maximum over all splits, as in E-divisive, Matteson
/// and James 2014.) Then both parts are searched in the same way. It assumes that without a change every order of the
/// runs was equally likely: it reports a machine that drifts as a change.
package struct ChangePoints: Sendable {
  /// The minimum of runs for a split that is so unlikely: of ten runs, 120 choices of three leave one in 120 by chance.
  package static let fewest = 10

  /// The permitted share of series without a change in which one is found.
  package var alarm = 0.01
  /// The minimum of runs in a level.
  package var shortest = 3
  /// Smaller differences of means are not marked.
  package var smallest = 0.0

  /// The number of orders that are tried. If at most one of them is as extreme as the series, a split counts at 1 %.
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
    // The same series always gives the same result.
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
      // The part of the squares that the split explains, and the rest.
      let explained = sum * sum * (1 / left + 1 / right)
      let rest = max(squares - explained, squares * 1e-12)
      let statistic = rest > 0 ? explained / rest : 0
      if statistic > best?.statistic ?? 0 { best = (index, statistic) }
    }
    return best
  }
}
