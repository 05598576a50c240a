import Foundation

/// Limiters that nothing observed contradicts: cells of (hypothesis, allowance, window, phase) with prior volume.
///
/// The prior is log-uniform in allowance and window and uniform in phase. Constraints only accumulate, so the ranges of
/// windows only shrink (ALGORITHMS.md A4.2, step 3).
struct VersionSpace {
  static let longestWindow = 90.0

  /// Allowance and window known from a declaration.
  let known: (allowance: Int, window: Double)?
  /// Admitted in the first burst.
  let firstBurst: Int
  /// Windows still possible, per hypothesis; of a bucket the interval.
  var ranges: [ProbeHypothesis: (low: Double, high: Double)] = [:]
  var alive = Set(ProbeHypothesis.allCases)

  init(firstBurst: Int, known: (allowance: Int, window: Double)?) {
    self.firstBurst = firstBurst
    self.known = known
    let range = known.map { ($0.window * 0.99, $0.window * 1.01) } ?? (0.3, Self.longestWindow)
    for hypothesis in ProbeHypothesis.allCases { ranges[hypothesis] = range }
    ranges[.bucket] = (range.0 / Double(firstBurst + 2), range.1 / 2)
    if let known { ranges[.bucket] = (range.0 / Double(known.allowance), range.1 / Double(known.allowance)) }
  }

  /// Narrows everything by the evidence; particles with normalised weights, none when nothing fits.
  ///
  /// - Parameter bracket: the last refused and the first admitted moment of the first release.
  mutating func update(_ evidence: ProbeEvidence, bracket: (low: Double, high: Double)?) -> [ProbeParticle] {
    var particles: [ProbeParticle] = []
    var allowances = Set(max(1, firstBurst - 2)...(firstBurst + 1)).union(evidence.candidates.filter { $0 > 0 })
    if let known { allowances = [known.allowance] }
    for hypothesis in [ProbeHypothesis.log, .logCountingRefused] where alive.contains(hypothesis) {
      particles += fitLog(hypothesis, evidence, allowances.sorted())
    }
    if alive.contains(.fixed) { particles += fitFixed(evidence) }
    for hypothesis in [ProbeHypothesis.aligned, .counter] where alive.contains(hypothesis) {
      particles += fitWindows(hypothesis, evidence, bracket)
    }
    if alive.contains(.bucket) { particles += fitBucket(evidence) }
    let total = particles.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return [] }
    for index in particles.indices { particles[index].weight /= total }
    return particles
  }

  /// The part of a range of allowances that the declaration leaves.
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
