import Foundation
import MurphyJudge

/// A range of windows, and of the times at which one of them begins: possible terms of a limiter.
///
/// In seconds. For a token bucket the window is the time for one token. A kind of limiter without a phase has an empty
/// range of phases.
struct TermBox {
  var window: (low: Double, high: Double)
  var phase: (low: Double, high: Double) = (0, 0)

  var middleWindow: Double { (window.low * window.high).squareRoot() }
  var middlePhase: Double { (phase.low + phase.high) / 2 }
  var hasPhase: Bool { phase.high > phase.low }

  /// Prior volume: log-uniform in the window, uniform in the phase.
  var volume: Double { log(window.high / window.low) * (hasPhase ? (phase.high - phase.low) / middleWindow : 1) }

  /// Only the box's midpoint.
  var middle: TermBox {
    TermBox(window: (middleWindow, middleWindow), phase: (middlePhase, middlePhase))
  }

  /// The maximum distance of two of its limiters after `windows` windows, as a part of the window.
  func spread(after windows: Double) -> Double { max(windowSpread(windows), phaseSpread) }

  /// Divided in two along the longer side.
  func halves(after windows: Double) -> [TermBox] {
    var (left, right) = (self, self)
    if phaseSpread > windowSpread(windows) {
      left.phase.high = middlePhase
      right.phase.low = middlePhase
    } else {
      left.window.high = middleWindow
      right.window.low = middleWindow
    }
    return [left, right]
  }

  private var phaseSpread: Double { (phase.high - phase.low) / middleWindow }
  private func windowSpread(_ windows: Double) -> Double { (window.high / window.low - 1) * max(windows, 1) }
}

/// The boxes of one kind of limiter that no evidence contradicts.
///
/// A box is removed only if every limiter in it is impossible for all delays. So the true limiter's box stays. The
/// remaining boxes are divided until they are fine enough or there are enough parts. (A branch and bound: Hansen and
/// Walster, *Global Optimization Using Interval Analysis*, 2004, chapter 12.)
struct TermBoxes {
  /// The allowances that are possible for a box; low > high for none.
  typealias Test = (TermBox) -> (low: Int, high: Int)?

  struct Part {
    var box: TermBox
    /// The allowances that are possible for the whole box.
    var low: Int
    var high: Int
    /// The allowances that are possible for its midpoint; nil if the box is at the edge of the possible region.
    var middle: (low: Int, high: Int)?
  }

  private(set) var boxes: [TermBox]
  /// The required number of parts.
  let enough: Int
  /// Parts of this width are not divided further: a part of the window.
  private static let finest = 2e-4
  private static let testsPerPart = 24

  /// Removes the boxes that the test contradicts and divides the rest, until enough parts have a possible midpoint.
  ///
  /// - Parameter span: the duration of the evidence, in seconds.
  mutating func refine(span: Double, _ test: Test) -> [Part] {
    var parts = boxes.compactMap { Self.part($0, test) }
    var tests = parts.count
    while parts.count(where: { $0.middle != nil }) < enough, tests < Self.testsPerPart * enough, !parts.isEmpty {
      let spreads = parts.map { $0.box.spread(after: span / $0.box.middleWindow) }
      guard let widest = spreads.max(), widest > Self.finest else { break }
      var next: [Part] = []
      for (part, spread) in zip(parts, spreads) {
        guard spread > 0.3 * widest else {
          next.append(part)
          continue
        }
        tests += 2
        next += part.box.halves(after: span / part.box.middleWindow).compactMap { Self.part($0, test) }
      }
      parts = next
    }
    boxes = parts.map(\.box)
    return parts
  }

  private static func part(_ box: TermBox, _ test: Test) -> Part? {
    guard let fit = test(box), fit.low <= fit.high else { return nil }
    return Part(box: box, low: fit.low, high: fit.high, middle: test(box.middle))
  }
}
