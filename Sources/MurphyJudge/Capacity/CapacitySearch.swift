import Foundation
import MurphyModel

/// Which load comes next: a pure function of what the windows before said.
///
///     calibrate   a tenth of the first load
///     raise       the first load, then twice the last one, until one does not hold
///     narrow      the geometric mean of what held and what did not, until they lie within the precision
///     confirm     the load that held, for twice as long
///
/// A load does not hold only when two windows in a row say so, and murphy is the bottleneck only when two in a row say
/// so. Where not even the small load holds, an eighth of it is tried, twice.
package struct CapacitySearch: Sendable {
  package struct Demand: Sendable, Equatable {
    package var load: Double
    package var purpose: CapacityStep.Purpose
  }

  /// The first load that is asked about after the calibration.
  package let first: Double
  /// Nothing above it is tried; nil for no end.
  package let most: Double?
  package let precision: Double
  /// Users come as whole ones.
  package let isWhole: Bool

  /// Loads that held, ascending.
  package private(set) var held: [Double] = []
  /// The lowest load that did not hold, and what it was bounded by.
  package private(set) var broke: (load: Double, outcome: CapacityStep.Standing)?
  package private(set) var confirmed: Double?
  package private(set) var ending: CapacityEnding?
  private var demand: Demand?
  /// The outcome of the window before, where the same load is to be tried again.
  private var doubt: CapacityStep.Standing?
  /// Windows of the load at hand that did not hold.
  private var failures = 0
  /// Windows that disagree on the reason end with the last one's.
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

  /// Takes in what a window of the last demand said.
  package mutating func take(_ outcome: CapacityStep.Standing) {
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

  /// The time of the search is over, or the target does not recover.
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

  /// Three significant digits: people read them, and the bounds of a search need no more.
  private func rounded(_ load: Double) -> Double {
    if isWhole { return max(load.rounded(), Self.fewestUsers) }
    guard load > 0 else { return load }
    let scale = pow(10, 3 - log10(load).rounded(.up))
    return (load * scale).rounded() / scale
  }
}
