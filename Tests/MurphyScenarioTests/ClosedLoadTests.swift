import MurphyModel
import MurphyScenario
import Testing

@Suite struct ClosedLoadTests {
  @Test(arguments: 1...40) func `as many users are there as the ramp wants`(seed: Int) {
    var random = RandomSource(seed: UInt64(seed))
    var level = random.index(below: 30)
    let load = ClosedLoad(
      stages: (0...random.index(below: 4)).map { _ in
        let next = random.index(below: 3) == 0 ? level : random.index(below: 40)
        defer { level = next }
        return UserStage(from: level, to: next, duration: .milliseconds(100 + random.index(below: 5000)))
      })
    let presences = (0..<load.mostUsers).map { load.presences(of: $0) }
    var begin: Int64 = 0
    for stage in load.stages {
      let length = stage.duration.nanoseconds
      for part in 0..<10 {
        let moment = begin + length * Int64(part) / 10 + 1
        let wanted = Double(stage.from) + Double(stage.to - stage.from) * Double(part) / 10
        let there = presences.count { $0.contains { $0.begin <= moment && moment < $0.end } }
        #expect(abs(Double(there) - wanted) <= 1, "seed \(seed): \(there) users at \(moment) ns, wanted \(wanted)")
      }
      begin += length
    }
  }

  @Test func `load is scaled in rate and in time`() {
    let open = LoadProfile.open([
      ArrivalStage(from: Rate(perSecond: 0), to: Rate(perSecond: 20), duration: .seconds(10)),
      .hold(Rate(perSecond: 20), for: .seconds(30)),
    ])
    #expect(open.scaled(by: 0.5).stages.map(\.text) == ["ramp 0/s..10/s for 10 s", "hold 10/s for 30 s"])
    #expect(open.stretched(to: .seconds(4)).stages.map(\.text) == ["ramp 0/s..20/s for 1 s", "hold 20/s for 3 s"])
    let closed = LoadProfile.closed(ClosedLoad(stages: [UserStage(from: 0, to: 50, duration: .seconds(10))]))
    #expect(closed.scaled(by: 0.01).stages.map(\.text) == ["0..1 users for 10 s"])
    #expect(closed.duration == .seconds(10))
  }
}
