import MurphyEngine
import MurphyJudge
import MurphyModel
import MurphyProbe
import MurphyScenario
import MurphyServer

/// The tests of limits with concurrent requests, which the step after a load fills in.
final class RaceTests {
  var tests: [RaceTest] = []
}

extension Gate {
  /// Sends concurrent requests to each limit after the load, if the load was complete (docs/rate-limits.md, section
  /// 2.9).
  func test(
    _ races: RaceTests, after record: RunRecord, _ running: RunningTarget, _ target: Target, _ options: RunOptions,
    _ stop: StopSignal
  ) async {
    guard options.walksCollections, options.exploration == nil,
      let scale = try? target.timeScale(options.reference)
    else { return }
    let policies = LimitExpectations.policies(scenario.expectations.limits, contract, timeScale: scale)
    var gap: String?
    if record.info.cutShort || record.info.aborted != nil || record.info.lostCredentials != nil {
      gap = "the load did not complete"
    }
    // Also for one shard of one: its result equals the merged result.
    if options.shard != nil { gap = RaceTest.ofShards }
    if let gap {
      races.tests = RaceTest.untested(policies, gap)
      return
    }
    let sender = RaceSender(
      scenario, contract, at: running.url, environment: options.environment, transport: transport(options))
    races.tests = await sender.test(policies, after: record, stop: stop)
  }
}

extension RaceTest {
  /// The reason why the shards of a run send no requests after the load.
  static let ofShards = "only a run without shards sends concurrent requests after the load"

  static func untested(_ policies: [LimitPolicy], _ reason: String) -> [RaceTest] {
    policies.filter(\.countsRequests).map { RaceTest(limit: $0.name, gap: reason) }
  }
}
