import MurphyJudge
import MurphyModel

/// The six kinds of limiter that a probe tells apart.
package enum ProbeHypothesis: Int, Sendable, CaseIterable, Hashable {
  case aligned, fixed, log, logCountingRefused, counter, bucket

  package var algorithm: LimitAlgorithm {
    switch self {
    case .aligned: .fixedAligned
    case .fixed: .fixed
    case .log, .logCountingRefused: .slidingLog
    case .counter: .slidingCounter
    case .bucket: .tokenBucket
    }
  }

  package var text: String { self == .logCountingRefused ? "sliding log that counts refusals" : algorithm.text }
}
