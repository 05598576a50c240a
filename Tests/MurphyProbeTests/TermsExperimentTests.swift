import MurphyJudge
import MurphyModel
import MurphyProbe
import Testing

/// The scripts of `limit.terms` show the difference between the declared limiter and the measured one.
@Suite struct TermsExperimentTests {
  private typealias Terms = TermsExperiment.Terms

  private static func terms(_ algorithm: LimitAlgorithm, _ allowance: Int = 10, _ window: Double = 6) -> Terms {
    Terms(algorithm: algorithm, allowance: allowance, window: window)
  }

  /// The admitted requests of each burst.
  private static func admitted(_ terms: Terms, _ bursts: [TermsExperiment.Burst], phase: Double) -> [Int] {
    var limiter = LimiterModel(terms.algorithm, allowance: terms.allowance, window: terms.window, phase: phase)
    var now = 100.0
    return bursts.map { burst in
      now += burst.pause
      return (0..<burst.count).count { _ in
        now += 0.01
        return limiter.admits(at: now)
      }
    }
  }

  static let pairs: [(LimitAlgorithm, LimitAlgorithm)] = [
    (.fixed, .slidingLog), (.fixed, .tokenBucket), (.slidingLog, .fixed), (.slidingLog, .tokenBucket),
    (.tokenBucket, .fixed), (.tokenBucket, .slidingLog), (.fixedAligned, .tokenBucket),
  ]

  @Test(arguments: pairs) func `another algorithm with the same terms responds differently`(
    declared: LimitAlgorithm, measured: LimitAlgorithm
  ) throws {
    let (one, other) = (Self.terms(declared), Self.terms(measured))
    let experiment = try #require(TermsExperiment(declared: one, measured: other, count: 13))
    #expect(!experiment.note.contains("run the script again"), "\(experiment.note)")
    for phase in stride(from: 0, to: 6, by: 0.37) {
      #expect(
        Self.admitted(one, experiment.bursts, phase: phase) != Self.admitted(other, experiment.bursts, phase: 6 - phase)
      )
    }
  }

  @Test func `a larger quota needs one burst, and a shorter window a second one`() throws {
    let quota = try #require(
      TermsExperiment(declared: Self.terms(.fixed), measured: Self.terms(.fixed, 12), count: 15))
    #expect(quota.bursts == [TermsExperiment.Burst(pause: 0, count: 15)])
    #expect(quota.note == "The declared limit admits 10 of these requests, the measured one 12.")
    let window = try #require(
      TermsExperiment(declared: Self.terms(.slidingLog), measured: Self.terms(.slidingLog, 10, 3), count: 13))
    #expect(window.bursts.count == 2)
    #expect(window.note == "The declared limit admits 10, then 0 of these requests, the measured one 10, then 10.")
    #expect(TermsExperiment(declared: Self.terms(.fixed), measured: Self.terms(.fixed), count: 13) == nil)
  }
}
