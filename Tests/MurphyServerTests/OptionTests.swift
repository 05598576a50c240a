import MurphyServer
import Testing

@Suite struct OptionTests {
  @Test(arguments: [
    ("fault", "lost-vot", "unknown fault \"lost-vot\". Did you mean \"lost-vote\"?"),
    ("fault", "votes-lost", "unknown fault \"votes-lost\". `murphy serve --faults` lists all of them."),
    (
      "limiter", "sliding",
      "unknown limiter \"sliding\". Known: fixed, fixed-aligned, sliding-log, sliding-counter, token-bucket."
    ),
    ("limiter", "sliding-logs", "unknown limiter \"sliding-logs\". Did you mean \"sliding-log\"?"),
    ("limit", "voteLaws=3/1s", "unknown limit \"voteLaws\". Did you mean \"voteLaw\"?"),
    ("limit", "voteLaw", "limit \"voteLaw\" does not have the form voteLaw=30/60s or voteLaw=30/60s:burst=10"),
    (
      "limit", "voteLaw=0/60s",
      "limit \"voteLaw=0/60s\" does not have the form voteLaw=30/60s or voteLaw=30/60s:burst=10"
    ),
    (
      "limit", "voteLaw=3/60",
      "limit \"voteLaw=3/60\" does not have the form voteLaw=30/60s or voteLaw=30/60s:burst=10"
    ),
    ("time-scale", "0", "time-scale \"0\" is not a number from 0.001 to 1000"),
    ("port", "70000", "port \"70000\" is not a number from 0 to 65535"),
    ("limits", "maybe", "limits are \"on\" or \"off\", not \"maybe\""),
    ("rate-headers", "draft-8", "unknown rate-headers \"draft-8\". Did you mean \"draft-3\"?"),
    ("timescale", "1", "unknown option \"timescale\". Did you mean \"time-scale\"?"),
    ("work", "10ms", "work \"10ms\" is not a number of milliseconds from 0.01 to 60000"),
    ("workers", "0", "workers \"0\" is not a number from 1 to 10000"),
    ("seed", "-1", "seed \"-1\" is not a number from 0 to 2^64 - 1"),
  ])
  func `a wrong option is a sentence that says what would do`(name: String, value: String, message: String) {
    var options = ReferenceOptions()
    let error = #expect(throws: ServerError.self) { try options.set(name, to: value) }
    #expect(error?.description == message)
  }

  @Test func `a limit is read with its window, its burst and the counters it is for`() throws {
    let vote = try LimitOverride(parsing: "removeVote=30/1.5s:burst=10")
    #expect(vote.limits == [.votes] && vote.allowance == 30 && vote.window == 1_500_000_000 && vote.burst == 10)
    #expect(
      try LimitOverride(parsing: "reads=5/200ms").limits.count { ReferenceAPI.murphysLaws.limits.contains($0) } == 6)
    #expect(try LimitOverride(parsing: "submitLaw=1/2h").window == 7_200_000_000_000)
  }

  @Test func `every option that is listed can be set`() throws {
    let samples = [
      "host": "::1", "port": "8080", "threads": "2", "database": "memory", "seed": "3", "fault": "stall",
      "limiter": "fixed", "limits": "on", "limit": "votes=1/1s", "time-scale": "0.1", "rate-headers": "none",
      "work": "2.5", "work-tail": "10", "workers": "4",
    ]
    for (name, _) in ReferenceOptions.names {
      var options = ReferenceOptions()
      try options.set(name, to: try #require(samples[name], "no sample for \(name)"))
    }
    #expect(samples.count == ReferenceOptions.names.count)
  }

  @Test func `every fault has a family and a line that names what it does`() {
    #expect(Set(ReferenceAPI.murphysLaws.faults.map(\.name)).count == ReferenceAPI.murphysLaws.faults.count)
    for family in FaultFamily.allCases {
      #expect(ReferenceAPI.murphysLaws.faults.contains { $0.family == family })
    }
    #expect(ReferenceAPI.murphysLaws.faults.count { $0.family == .limits } >= 14)
    #expect(ReferenceAPI.murphysLaws.faults.count { $0.family != .limits } >= 24)
    for fault in ReferenceAPI.murphysLaws.faults { #expect(fault.summary.count > 15 && !fault.summary.hasSuffix(".")) }
  }
}
