import MurphyJudge
import MurphyModel
import MurphyProbe
import Testing

/// A request without a response was decided at nobody knows which moment: a question that it was part of is left open.
@Suite struct LostResponseTests {
  /// Loses the first invalid request's response of every volley, or none, and keeps what the prober asked for.
  private struct LossyTarget: ProbeTarget {
    var inner: VirtualTarget
    let loses: Bool
    private(set) var volleys: [ProbeVolley] = []

    init(_ inner: VirtualTarget, loses: Bool) {
      self.inner = inner
      self.loses = loses
    }

    mutating func send(_ volley: ProbeVolley) async throws -> [ProbeObservation] {
      volleys.append(volley)
      var observations = inner.send(volley)
      if loses, let lost = observations.firstIndex(where: { volley.requests[$0.index].isInvalid }) {
        observations[lost].decision = .unknown
        observations[lost].status = 0
      }
      return observations
    }
  }

  @Test(arguments: [false, true]) func `a lost response leaves open whether failed requests count`(_ loses: Bool)
    async throws
  {
    var limiter = LimiterModel(.slidingLog, allowance: 30, window: 2, phase: 0)
    let declared = LimitPolicy(
      name: "voteLaw", operations: [], algorithm: .slidingLog, allowance: 30, window: .seconds(2), key: .global)
    let options = ProbeOptions(time: .seconds(1000), declared: declared, triesInvalid: true, triesRace: true)
    var target = LossyTarget(
      VirtualTarget(
        admits: { request, moment in request.isInvalid || limiter.admits(at: moment) }, random: RandomSource(seed: 3)),
      loses: loses)
    var prober = Prober(operation: "voteLaw", options: options)
    let report = try await prober.run(on: &target)
    #expect(report.countsFailed == (loses ? nil : false), "\(report.sentences)")
    // What the target sends of its own must not fall into the window that is counted.
    let counted = target.volleys.filter { $0.spacing == 0 || $0.requests.contains(where: \.isInvalid) }
    #expect(counted.count >= 2)
    #expect(counted.allSatisfy { $0.quiet > 2 })
  }
}
