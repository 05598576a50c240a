import Foundation
import MurphyJudge

/// Limiters that no observation contradicts: boxes of (hypothesis, allowance, window, phase) with prior volume.
///
/// The prior is log-uniform in allowance and window and uniform in phase. A limiter is removed only if it is impossible
/// for all delays. So late sends and late responses leave more limiters possible and remove none wrongly
/// (docs/rate-limits.md §3.2, step 3).
struct VersionSpace {
  /// The longest tested window without evidence of a longer one, in seconds.
  static let usualLongest = 90.0
  private static let shortestWindow = 0.3
  /// Up to this many allowances with the same window are tested one by one.
  private static let fewAllowances = 6

  /// Allowance and window known from a declaration.
  let known: (allowance: Int, window: Double)?
  /// The number of admissions in the first burst.
  let firstBurst: Int
  /// The longest tested window if none is known, in seconds.
  private let longest: Double
  /// The windows of the sliding logs, which are solved in closed form.
  var logs: [ProbeHypothesis: (low: Double, high: Double)] = [:]
  var boxes: [ProbeHypothesis: TermBoxes] = [:]
  var alive = Set(ProbeHypothesis.allCases)

  /// - Parameters:
  ///   - release: a time at which the quota was certainly used up, in seconds.
  ///   - longest: the longest tested window, in seconds; not below the known one.
  init(
    firstBurst: Int, known: (allowance: Int, window: Double)?, release: Double, longest: Double
  ) {
    self.known = known
    self.longest = longest
    self.firstBurst = firstBurst
    let range = known.map { ($0.window * 0.99, $0.window * 1.01) } ?? (Self.shortestWindow, longest)
    logs = [.log: range, .logCountingRefused: range]
    boxes[.fixed] = TermBoxes(boxes: [TermBox(window: range)], enough: 60)
    // Windows of one size each, so that phases belong to one window and not to two.
    let count = known == nil ? 24 : 1
    let phased = (0..<count).map { index in
      let low = range.0 * pow(range.1 / range.0, Double(index) / Double(count))
      let high = range.0 * pow(range.1 / range.0, Double(index + 1) / Double(count))
      return TermBox(window: (low, high), phase: (release - high, release))
    }
    boxes[.aligned] = TermBoxes(boxes: phased, enough: 120)
    boxes[.counter] = TermBoxes(boxes: phased, enough: 120)
    let interval = known.map { (range.0 / Double($0.allowance), range.1 / Double($0.allowance)) }
    boxes[.bucket] = TermBoxes(
      boxes: [TermBox(window: interval ?? (range.0 / Double(firstBurst + 2), range.1 / 2))], enough: 100)
  }

  /// Narrows all boxes by the evidence of each client. Returns particles with normalised weights, none if nothing fits.
  mutating func update(_ evidence: [ProbeEvidence]) -> [ProbeParticle] {
    var particles: [ProbeParticle] = []
    var allowances = Set(max(1, firstBurst - 2)...(firstBurst + 1))
    for candidate in evidence.flatMap(\.candidates) where candidate > 0 {
      allowances.formUnion(max(1, candidate - 1)...(candidate + 1))
    }
    if let known { allowances = [known.allowance] }
    for hypothesis in [ProbeHypothesis.log, .logCountingRefused] where alive.contains(hypothesis) {
      particles += fitLog(hypothesis, evidence, allowances.sorted())
    }
    for hypothesis in [ProbeHypothesis.aligned, .fixed, .counter, .bucket] where alive.contains(hypothesis) {
      particles += fitBoxes(hypothesis, evidence)
    }
    let total = particles.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return [] }
    for index in particles.indices { particles[index].weight /= total }
    return particles
  }

  private mutating func fitBoxes(_ hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence]) -> [ProbeParticle] {
    // More allowances than these above the least are not weighed.
    let widest = hypothesis == .counter ? 400 : hypothesis == .fixed ? 50 : 500
    var parts = refine(hypothesis, evidence)
    if parts.isEmpty { alive.remove(hypothesis) }
    if parts.contains(where: { $0.middle != nil }) { parts.removeAll { $0.middle == nil } }
    return parts.flatMap { part -> [ProbeParticle] in
      var fit = part.middle ?? (part.low, part.high)
      fit.high = min(fit.high, fit.low + widest)
      let values = fit.high - fit.low < Self.fewAllowances ? [Int](fit.low...fit.high) : [(fit.low + fit.high) / 2]
      return values.compactMap { allowance in
        let window = part.box.middleWindow * (hypothesis == .bucket ? Double(allowance) : 1)
        guard window <= longest * 1.2 else { return nil }
        return ProbeParticle(
          hypothesis: hypothesis, allowance: allowance, window: window, phase: part.box.middlePhase,
          weight: part.box.volume * Self.mass(fit.low, fit.high) / Double(values.count))
      }
    }
  }

  /// Divides the boxes of a kind of limiter and removes those that the evidence contradicts.
  mutating func refine(_ hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence]) -> [TermBoxes.Part] {
    let test: TermBoxes.Test = { [self] box in
      var (low, high) = (1, Int.max)
      for client in evidence {
        let fit =
          switch hypothesis {
          case .fixed: Self.chain(client, box.window)
          case .bucket: Self.bursts(client, box.window)
          default: Self.allowances(client, box, isCounter: hypothesis == .counter)
          }
        guard let fit else { return nil }
        (low, high) = (max(low, fit.low), min(high, fit.high))
      }
      return permitted(low, high)
    }
    return boxes[hypothesis]!.refine(span: evidence.map(\.span).max() ?? 0, test)
  }

  /// The part of a range of allowances that the declaration permits.
  func permitted(_ low: Int, _ high: Int) -> (low: Int, high: Int)? {
    guard let known else { return low <= high ? (low, high) : nil }
    return low <= known.allowance && known.allowance <= high ? (known.allowance, known.allowance) : nil
  }

  /// Prior mass of an integer range, log-uniform.
  static func mass(_ low: Int, _ high: Int) -> Double {
    high >= low ? log((Double(high) + 0.5) / (Double(low) - 0.5)) : 0
  }

  /// The middle of cell `index` of `count` in a logarithmic grid.
  static func grid(_ range: (low: Double, high: Double), _ index: Int, of count: Int) -> Double {
    range.low * pow(range.high / range.low, (Double(index) + 0.5) / Double(count))
  }
}

extension VersionSpace {
  /// The bursts that explain all admissions (at least) and all rejections (at most), for a range of intervals; nil for
  /// none. O(n).
  ///
  /// Both bounds fall with the rate: the fastest bucket needs the smallest burst, the slowest permits the largest.
  static func bursts(
    _ evidence: ProbeEvidence, _ interval: (low: Double, high: Double)
  ) -> (low: Int, high: Int)? {
    var rate = 1 / interval.low
    var least = 0.0
    var peak = -Double.infinity
    for k in evidence.sent.indices {
      peak = max(peak, evidence.sent[k] * rate - Double(k))
      least = max(least, Double(k + 1) - (evidence.settled[k] + LimitTerms.slack) * rate + peak)
    }
    let low = max(1, Int(saturating: (least - 1e-6).rounded(.up)))
    guard !evidence.refused.isEmpty else { return (low, 1_000_000) }
    rate = 1 / interval.high
    var latest: [Double] = []
    latest.reserveCapacity(evidence.settled.count)
    var reach = -Double.infinity
    for k in evidence.settled.indices {
      reach = max(reach, evidence.settled[k] * rate - Double(k))
      latest.append(reach)
    }
    var most = Double.infinity
    var sent = 0
    for refusal in evidence.refused {
      let settled = evidence.settled.count(upTo: refusal.sent)
      sent = evidence.sent.count(upTo: refusal.settled)
      var queue = -Double.infinity
      if settled > 0 { queue = latest[settled - 1] - refusal.sent * rate }
      if settled < evidence.settled.count { queue = max(queue, -Double(settled)) }
      most = min(most, Double(sent) + queue)
    }
    let bound = most + LimitTerms.slack * rate
    let high = bound.isFinite && bound < 1e9 ? Int(saturating: (bound + 1).rounded(.up)) - 1 : 1_000_000
    return low <= high ? (low, high) : nil
  }
}

extension VersionSpace {
  /// The windows that are possible for each allowance, in closed form. A rejection needs L counted requests within W
  /// before it, and L + 1 admissions need more than W. Only some allowances are tested. So a lack of fit excludes
  /// nothing: later bursts may show the right allowance.
  func fitLog(
    _ hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence], _ allowances: [Int]
  ) -> [ProbeParticle] {
    let range = logs[hypothesis]!
    var particles: [ProbeParticle] = []
    for allowance in allowances {
      guard let fit = logWindows(hypothesis, evidence, allowance, within: range) else { continue }
      let steps = 7
      for index in 0..<steps {
        particles.append(
          ProbeParticle(
            hypothesis: hypothesis, allowance: allowance, window: Self.grid(fit, index, of: steps), phase: 0,
            weight: log(fit.high / fit.low) / Double(steps) / Double(allowance)))
      }
    }
    return particles
  }

  /// The windows of a sliding log with this allowance, in seconds; nil for none.
  func logWindows(
    _ hypothesis: ProbeHypothesis, _ evidence: [ProbeEvidence], _ allowance: Int,
    within range: (low: Double, high: Double)
  ) -> (low: Double, high: Double)? {
    var fit = (low: 0.0, high: Double.infinity)
    for client in evidence {
      guard let own = hypothesis == .log ? windows(client, allowance) : windowsCountingRefused(client, allowance) else {
        return nil
      }
      fit = (max(fit.low, own.low), min(fit.high, own.high))
    }
    guard fit.low <= fit.high + 2 * LimitTerms.slack else { return nil }
    let low = max(max(fit.low - LimitTerms.slack, 0.05), range.low)
    let high = min(fit.high + LimitTerms.slack, range.high)
    return low <= high * 1.0005 ? (low, max(high, low * 1.0005)) : nil
  }

  /// The longest window that admitted no more than the allowance.
  private func longestWindow(_ evidence: ProbeEvidence, _ allowance: Int) -> Double {
    zip(evidence.settled.dropFirst(allowance), evidence.sent).lazy.map { $0 - $1 }.min() ?? .infinity
  }

  private func windows(_ evidence: ProbeEvidence, _ allowance: Int) -> (low: Double, high: Double)? {
    let high = longestWindow(evidence, allowance)
    var low = 0.0
    for refusal in evidence.refused {
      let before = evidence.sent.count(upTo: refusal.settled)
      guard before >= allowance else { return nil }
      low = max(low, refusal.sent - evidence.settled[before - allowance])
    }
    return (low, high)
  }

  private func windowsCountingRefused(_ evidence: ProbeEvidence, _ allowance: Int) -> (low: Double, high: Double)? {
    var high = longestWindow(evidence, allowance)
    for admission in evidence.admitted {
      let before = evidence.allSettled.count(below: admission.sent)
      if before >= allowance { high = min(high, admission.settled - evidence.allSent[before - allowance]) }
    }
    var low = 0.0
    for refusal in evidence.refused {
      // It is itself the latest of those sent by then.
      let before = evidence.allSent.count(upTo: refusal.settled) - 1
      guard before >= allowance else { return nil }
      low = max(low, refusal.sent - evidence.allSettled[before - allowance])
    }
    return (low, high)
  }
}
