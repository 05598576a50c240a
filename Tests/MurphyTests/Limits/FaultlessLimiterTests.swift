import Foundation
import Murphy
import MurphyModel
import TestSupport
import Testing

/// A limiter without a fault is never accused. `MURPHY_FAULTLESS_RUNS=50` takes fifty runs in place of a few.
@Suite(.timed) struct FaultlessLimiterTests {
  @Test func `no run has a finding`() async throws {
    let wanted = ProcessInfo.processInfo.environment["MURPHY_FAULTLESS_RUNS"].flatMap(Int.init) ?? 5
    let limiters = ["fixed", "fixed-aligned", "sliding-log", "sliding-counter", "token-bucket"]
    let accused = try await withThrowingTaskGroup(of: [String].self) { group in
      for run in 0..<wanted {
        group.addTask {
          try await ProbeBench.places.use {
            let limiter = limiters[run % limiters.count]
            // Windows from 1.2 to 3.6 s.
            let scale = 0.02 + Double(run % 9) * 0.005
            let probed = try await ProbeBench.probe(scale: scale, limiter: limiter, promised: limiter)
            return probed.findings.map { "\(limiter) \(scale): \($0.kind) \($0.message)" }
          }
        }
      }
      return try await group.reduce(into: [String]()) { $0 += $1 }
    }
    print("\(wanted) probes of faultless limiters: \(accused.count) findings")
    #expect(accused == [])
  }
}
