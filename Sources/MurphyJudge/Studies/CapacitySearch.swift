import Foundation
import MurphyModel

/// Selects the next load: a pure function of the results of earlier windows.
///
///     calibrate   a tenth of the first load
///     raise       the first load, then twice the last one, until one fails
///     narrow      the geometric mean of a load that passed and one that failed, until both are within the precision
///     confirm     the load that passed, for twice as long
///
/// A load fails only when two windows in a row fail. Murphy is the bottleneck only when two in a row show it. Where
/// even the small load fails, an eighth of it is tried, twice.
package struct CapacitySearch: Sendable {
  /// The next window of load.
  package struct Demand: Sendable, Equatable {
    /// Sessions per second, or users.
    package var load: Double
    /// The reason why this load is tried.
    package var purpose: CapacityStep.Purpose
  }

  /// The first load after the calibration.
  package let first: Double
  /// The maximum load of the search; nil for none.
  package let most: Double?
  /// The required precision of the two ends: 0.05 for 5 %.
  package let precision: Double
  /// True for users, which are whole numbers.
  package let isWhole: Bool

  /// The loads that passed, ascending.
  package private(set) var held: [Double] = []
  /// The lowest load that failed, and the outcome that limited it.
  package private(set) var broke: (load: Double, outcome: CapacityStep.Standing)?
  /// The highest load that a longer window confirmed; nil for none.
  package private(set) var confirmed: Double?
  /// Nil while the search goes on.
  package private(set) var ending: CapacityEnding?
  private var demand: Demand?
  /// The outcome of the previous window, where the same load is to be tried again.
  private var doubt: CapacityStep.Standing?
  /// The number of windows of the current load that failed.
  private var failures = 0
  /// Windows with different reasons end with the reason of the last one.
  private static let mostFailures = 4
  private var confirmationsLost = 0
  private var lowered = 0

  private static let calibration = 0.1
  private static let fewestUsers = 1.0

  package init(first: Double, most: Double?, precision: Double, isWhole: Bool) {
    self.first = min(isWhole ? max(first.rounded(), Self.fewestUsers) : first, most ?? .infinity)
    self.most = most
    self.precision = precision
    self.isWhole = isWhole
  }

  /// The load for calibration and for recovery.
  package var small: Double { rounded(first * Self.calibration) }

  /// Nil when the search has ended.
  package mutating func next() -> Demand? {
    guard ending == nil else { return nil }
    if doubt != nil { return demand }
    demand = choose()
    return demand
  }

  /// Processes the outcome of a window of the last demand.
  package mutating func record(_ outcome: CapacityStep.Standing) {
    guard let demand else { return }
    switch outcome {
    case .interrupted: ending = .interrupted
    case .untested: ending = .untested
    case .held:
      (doubt, failures) = (nil, 0)
      held = (held + [demand.load]).sorted()
      if demand.purpose == .confirm { confirmed = demand.load }
    case .broke, .generator:
      failures += 1
      guard doubt == outcome || failures == Self.mostFailures else {
        doubt = outcome
        return
      }
      (doubt, failures) = (nil, 0)
      lose(demand, outcome)
    }
  }

  /// Ends the search: its time limit is reached, or the target does not recover.
  package mutating func end(_ reason: CapacityEnding) { ending = ending ?? reason }

  private mutating func lose(_ demand: Demand, _ outcome: CapacityStep.Standing) {
    broke = (demand.load, outcome)
    held.removeAll { $0 >= demand.load }
    guard demand.purpose == .confirm else { return }
    confirmationsLost += 1
    if confirmationsLost == 3 { ending = .unsteady }
  }

  private mutating func choose() -> Demand? {
    guard let low = held.last else {
      guard let broke else { return Demand(load: small, purpose: .calibrate) }
      let less = rounded(broke.load / 8)
      guard lowered < 2, less < broke.load else {
        return finish(broke.outcome == .generator ? .generator : .nothingHeld)
      }
      lowered += 1
      return Demand(load: less, purpose: .lower)
    }
    if let confirmed, confirmed == low {
      guard let broke else { return finish(.reachedMost) }
      return finish(broke.outcome == .generator ? .generator : .found)
    }
    guard let high = broke?.load else {
      if let most, low >= most { return Demand(load: low, purpose: .confirm) }
      return Demand(load: min(max(low * 2, first), most ?? .infinity), purpose: .raise)
    }
    let middle = rounded((low * high).squareRoot())
    if high / low <= 1 + precision || middle <= low || middle >= high { return Demand(load: low, purpose: .confirm) }
    return Demand(load: middle, purpose: .narrow)
  }

  private mutating func finish(_ reason: CapacityEnding) -> Demand? {
    ending = reason
    return nil
  }

  /// Three significant digits: they are easy to read, and the bounds of a search need no more.
  private func rounded(_ load: Double) -> Double {
    if isWhole { return max(load.rounded(), Self.fewestUsers) }
    guard load > 0 else { return load }
    let scale = pow(10, 3 - log10(load).rounded(.up))
    return (load * scale).rounded() / scale
  }
}
