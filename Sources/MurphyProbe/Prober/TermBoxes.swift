import Foundation
import MurphyJudge
import MurphyModel

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

/// The smallest ranges that hold every limiter of one kind that the evidence permits.
///
/// A limiter decides on a request at an unknown time between its send and its response. Terms outside the ranges
/// explain the decisions at no such times.
struct TermBounds {
  private(set) var allowance = (low: Double.infinity, high: 0.0)
  /// In seconds; for a bucket the time to fill.
  private(set) var window = (low: Double.infinity, high: 0.0)
  /// Per second. An allowance and a window that are possible alone may be impossible together.
  private(set) var rate = (low: Double.infinity, high: 0.0)

  var isEmpty: Bool { window.high == 0 }

  mutating func include(_ allowances: (low: Int, high: Int), windows: (low: Double, high: Double)) {
    let (few, many) = (Double(allowances.low), Double(allowances.high))
    allowance = Self.hull(allowance, (few, many))
    window = Self.hull(window, windows)
    rate = Self.hull(rate, (few / windows.high, many / windows.low))
  }

  mutating func include(_ allowances: (low: Int, high: Int), intervals: (low: Double, high: Double)) {
    let (few, many) = (Double(allowances.low), Double(allowances.high))
    allowance = Self.hull(allowance, (few, many))
    window = Self.hull(window, (few * intervals.low, many * intervals.high))
    rate = Self.hull(rate, (1 / intervals.high, 1 / intervals.low))
  }

  private static func hull(_ left: (low: Double, high: Double), _ right: (low: Double, high: Double))
    -> (low: Double, high: Double)
  {
    (min(left.low, right.low), max(left.high, right.high))
  }
}

extension ProbeReport.Estimate {
  /// - Parameter value: the likeliest one.
  init(_ value: Double, within range: (low: Double, high: Double)) {
    self.init(low: range.low, value: min(max(value, range.low), range.high), high: range.high)
  }
}

extension VersionSpace {
  /// The ranges of the terms of a kind of limiter; nil if no terms are possible.
  mutating func bounds(of hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence]) -> TermBounds? {
    var bounds = TermBounds()
    if let range = logs[hypothesis] {
      for allowance in 1...mostOfLog(hypothesis, evidence) {
        guard let fit = logWindows(hypothesis, evidence, allowance, within: range) else { continue }
        bounds.include((allowance, allowance), windows: fit)
      }
    } else {
      for part in refine(hypothesis, evidence) {
        if hypothesis == .bucket {
          bounds.include((part.low, part.high), intervals: part.box.window)
        } else {
          bounds.include((part.low, part.high), windows: part.box.window)
        }
      }
    }
    return bounds.isEmpty ? nil : bounds
  }

  /// The largest allowance of a sliding log under which each rejection was possible.
  private func mostOfLog(_ hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence]) -> Int {
    let most = evidence.map { client in
      let counted = hypothesis == .log ? client.sent : client.allSent
      return client.refused.map { counted.count(upTo: $0.settled) }.min() ?? counted.count
    }
    return max(1, most.min() ?? 1)
  }
}
