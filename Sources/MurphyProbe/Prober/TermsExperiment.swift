import MurphyJudge
import MurphyModel

/// Bursts of requests to which the declared limiter and the measured one respond differently.
package struct TermsExperiment: Sendable {
  /// Requests at once, or one after another.
  package struct Burst: Sendable, Hashable {
    /// Seconds since the end of the burst before.
    package var pause: Double
    /// The number of requests.
    package var count: Int

    package init(pause: Double, count: Int) { (self.pause, self.count) = (pause, count) }
  }

  /// The terms of one limiter.
  package struct Terms: Sendable {
    /// The algorithm of the limiter.
    package var algorithm: LimitAlgorithm
    /// Requests in a window.
    package var allowance: Int
    /// In seconds.
    package var window: Double
    /// True if rejected requests use quota.
    package var countsRefused = false

    package init(algorithm: LimitAlgorithm, allowance: Int, window: Double, countsRefused: Bool = false) {
      (self.algorithm, self.allowance) = (algorithm, allowance)
      (self.window, self.countsRefused) = (window, countsRefused)
    }

    /// The numbers of admitted requests, by burst, for each possible start of the limiter's windows, and for requests
    /// at once or one after another.
    fileprivate func outcomes(of bursts: [Burst]) -> Set<[Int]> {
      var found: Set<[Int]> = []
      for phase in 0..<16 {
        for gap in [0, 0.03] {
          var limiter = LimiterModel(
            algorithm, allowance: allowance, window: window, phase: window * Double(phase) / 16,
            countsRefused: countsRefused)
          var now = window * 10
          found.insert(
            bursts.map { burst in
              now += burst.pause
              return (0..<burst.count).count { _ in
                now += gap
                return limiter.admits(at: now)
              }
            })
        }
      }
      return found
    }
  }

  /// The bursts, in their order.
  package let bursts: [Burst]
  /// The expected responses, as a note.
  package let note: String

  /// Nil if no experiment distinguishes the two.
  ///
  /// - Parameter count: the number of requests that uses up either quota.
  package init?(declared: Terms, measured: Terms, count: Int) {
    let (short, long) = (min(declared.window, measured.window), max(declared.window, measured.window))
    let half = max(min(declared.allowance, measured.allowance) / 2, 1)
    let experiments: [[Burst]] = [
      [(0, count)], [(0, count), (short * 1.05, count)], [(0, count), ((short + long) / 2, count)],
      [(0, count), (short * 0.5, count)], [(0, half), (short * 0.7, count), (short * 0.4, count)],
      [(0, half), (short * 0.7, count), (short * 0.4, count), (short * 0.7, count)],
    ].map { $0.map(Burst.init) }
    let tried = experiments.lazy.map { ($0, declared.outcomes(of: $0), measured.outcomes(of: $0)) }
    let sure = tried.first { $0.1.isDisjoint(with: $0.2) }
    guard let (bursts, ours, theirs) = sure ?? tried.first(where: { $0.1 != $0.2 }) else { return nil }
    self.bursts = bursts
    note =
      "The declared limit admits \(Self.text(ours)) of these requests, the measured one \(Self.text(theirs))."
      + (sure != nil
        ? ""
        : " The counts depend on the beginning of the API's window. If they fit both limits, run the script again.")
  }

  private static func text(_ outcomes: Set<[Int]>) -> String {
    let all = outcomes.map { $0.map(String.init).joined(separator: ", then ") }.sorted()
    return all.prefix(3).joined(separator: "; or ") + (all.count > 3 ? "; or …" : "")
  }
}

extension ProbeReport {
  /// The measured terms; nil if they are not known.
  var terms: TermsExperiment.Terms? {
    guard let best = candidates.first, let allowance, let window,
      let hypothesis = ProbeHypothesis.allCases.first(where: { $0.text == best.algorithm })
    else { return nil }
    return TermsExperiment.Terms(
      algorithm: hypothesis.algorithm, allowance: max(Int(saturating: allowance.value.rounded()), 1),
      window: window.value, countsRefused: countsRefused ?? (hypothesis == .logCountingRefused))
  }
}
