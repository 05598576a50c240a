import Foundation
import MurphyJudge
import MurphyModel

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
  mutating func bounds(of hypothesis: ProbeHypothesis, _ evidence: ProbeEvidence) -> TermBounds? {
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
  private func mostOfLog(_ hypothesis: ProbeHypothesis, _ evidence: ProbeEvidence) -> Int {
    let counted = hypothesis == .log ? evidence.sent : evidence.allSent
    let before = evidence.refused.map { counted.count(upTo: $0.settled) }.min() ?? counted.count
    return max(1, before)
  }
}
