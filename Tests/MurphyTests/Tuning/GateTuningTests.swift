import Murphy
import MurphyModel
import Testing

/// What-if on the sessions of a real scenario; nothing is sent. Few sessions: probes run beside it, and must be on time.
@Suite(.serialized) struct GateTuningTests {
  @Test func `voters behind one address are throttled by address and not by device`() throws {
    var options = TuneOptions()
    options.sessions = 80
    options.questions = [
      try WhatIf("30/60s key=address"), try WhatIf("30/60s key=X-Device-ID"), try WhatIf("1000/60s key=X-Device-ID"),
    ]
    let result = try ProbeBench.gate("voting-bursts").tune(options)
    let answers = result.outcomes.suffix(3)
    let shares = answers.map(\.point.throttled)
    #expect(shares[shares.startIndex] > shares[shares.startIndex + 1])
    #expect(shares.last == 0)
    #expect(result.demand.sessions == 80)
    #expect(result.sentences.first?.contains("voteLaw") == true)
  }

  @Test func `the same seed gives the same response`() throws {
    var options = TuneOptions()
    options.sessions = 80
    options.seed = 7
    let gate = try ProbeBench.gate("release-gate")
    #expect(try gate.tune(options) == gate.tune(options))
  }

  @Test func `every shared address costs somebody`() throws {
    func throttled(_ sharing: AddressSharing) throws -> Double {
      var options = TuneOptions()
      options.sessions = 60
      options.sharing = sharing
      options.questions = [try WhatIf("30/60s key=address")]
      return try #require(ProbeBench.gate("voting-bursts").tune(options).outcomes.last).point.throttled
    }
    let alone = try throttled(.none)
    let shared = try throttled(AddressSharing([AddressSharing.Row(share: 1, users: 20...20)]))
    #expect(shared > alone)
  }

  @Test func `an unknown limit is named`() throws {
    var options = TuneOptions()
    options.limit = "voted"
    let gate = try ProbeBench.gate("voting-bursts")
    let error = #expect(throws: GateError.self) { try gate.tune(options) }
    #expect(error?.description.contains("Did you mean \"votes\"?") == true)
  }

  @Test func `a limit with costs is named and not simulated as one on requests`() throws {
    var options = TuneOptions()
    options.sessions = 60
    var gate = try ProbeBench.gate("voting-bursts")
    for index in gate.scenario.expectations.limits.indices {
      gate.scenario.expectations.limits[index].policy.cost = LimitCost(text: "count(body)", isCountedLate: false)
    }
    let costly = try gate.tune(options)
    #expect(costly.sentences.contains { $0.contains("is not simulated") })
  }
}
