import Foundation
import MurphyModel

/// When arrivals of an open model fall due: a pure function of their index, so errors never add up.
///
/// With the rate λ(t) and its integral Λ(t) = ∫₀ᵗ λ, arrival k (from 0) falls at the last t with Λ(t) ≤ k.
/// Within a stage that goes from rate a to rate b in time d and begins at Λ₀,
///
///     Λ(t) = Λ₀ + a t + (b − a) t² / 2d,   x = k − Λ₀
///     t    = 2x / (a + √(a² + 2x (b − a) / d))
///
/// which loses no digits when a and b are close, or a is 0. A Poisson process falls where Λ reaches the
/// sum of k + 1 exponential gaps of mean 1 instead.
package struct ArrivalClock: Sendable {
  private struct Stage: Sendable {
    var begin: Double
    var duration: Double
    var from: Double
    var to: Double
    /// Λ at the stage's end.
    var reached: Double
  }

  private let stages: [Stage]
  /// Where Λ must come for each arrival of a Poisson process; nil for an even one.
  private let levels: [Double]?
  /// How many arrivals there are.
  package let count: Int

  package init(stages: [ArrivalStage], pattern: ArrivalPattern = .even, seed: UInt64 = 0) {
    var begin = 0.0
    var reached = 0.0
    self.stages = stages.map {
      reached += $0.arrivals
      let duration = $0.duration.inSeconds
      defer { begin += duration }
      return Stage(
        begin: begin, duration: duration, from: $0.from.perSecond, to: $0.to.perSecond, reached: reached)
    }
    switch pattern {
    case .even:
      levels = nil
      // A sum such as 0.1 · 3 may end a hair above a whole number.
      count = max(Int(saturating: (reached - 1e-9 * max(reached, 1)).rounded(.up)), 0)
    case .poisson:
      var random = RandomSource(seed: seed, stream: 0xA221_7A15)
      var levels: [Double] = []
      var level = -log(1 - random.unit())
      while level < reached {
        levels.append(level)
        level -= log(1 - random.unit())
      }
      self.levels = levels
      count = levels.count
    }
  }

  /// When arrival `index` falls due, nanoseconds after the load began.
  package func due(_ index: Int) -> Int64 {
    let level = levels?[index] ?? Double(index)
    var low = 0
    var high = stages.count - 1
    while low < high {
      let middle = (low + high) / 2
      if stages[middle].reached > level { high = middle } else { low = middle + 1 }
    }
    guard stages.indices.contains(low) else { return 0 }
    let stage = stages[low]
    let x = max(level - (low > 0 ? stages[low - 1].reached : 0), 0)
    let slope = (stage.to - stage.from) / stage.duration
    let root = max(stage.from * stage.from + 2 * x * slope, 0).squareRoot()
    let t = x == 0 ? 0 : 2 * x / (stage.from + root)
    return Int64(saturating: ((stage.begin + min(t, stage.duration)) * 1e9).rounded())
  }
}
