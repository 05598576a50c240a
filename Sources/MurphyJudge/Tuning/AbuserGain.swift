import Foundation
import MurphyModel

/// What a policy lets one key of an abuser do, with requests placed as well as they can be.
enum AbuserGain {
  /// Admissions within the best 60 seconds.
  static func perMinute(_ algorithm: LimitAlgorithm, allowance: Int, window: Double) -> Double {
    let allowance = Double(allowance)
    let windows = ceil(60 / window)
    switch algorithm {
    case .slidingLog: return allowance * windows
    // The end of one window and the whole next one; a sliding counter forgives a burst at the end as fast as it fades.
    case .fixed, .fixedAligned, .slidingCounter, .any: return allowance * (windows + 1)
    case .tokenBucket: return allowance + 60 * allowance / window
    }
  }
}
