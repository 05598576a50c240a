import MurphyModel

/// Shards of a merged run: of four, the third is missing and the fourth began late; or only the third is missing, and that is
/// tolerated.
enum MergedSample {
  static let doubtful = make(
    doubts: [
      "Shard 3 of 4 is missing: its requests may have been sent, and their results are unknown.",
      "Shard 4 began 2.4 s late: the load did not have the planned shape.",
    ])
  static let tolerated = make(doubts: [])

  private static func make(doubts: [String]) -> RunResult {
    var result = SampleRun(seconds: 40).result(doubts.isEmpty ? .pass : .invalid)
    var merged = MergedShards(
      of: 4, plan: "0f1e2d3c4b5a6978", shards: [1, 2, 4].map { shard($0, result, isLate: !doubts.isEmpty && $0 == 4) },
      missing: [3], impaired: doubts.isEmpty ? [] : [4])
    merged.doubts = doubts
    (merged.sessions, merged.sessionsOfAll) = (300, 400)
    (merged.reference, merged.uncertainty) = (.chrony, .microseconds(1400))
    result.run.shards = merged
    result.reasons =
      doubts.isEmpty ? ["The run is evaluated on 300 of 400 planned sessions."] : doubts
    return result
  }

  private static func shard(_ number: Int, _ result: RunResult, isLate: Bool) -> ShardResult {
    var shard = RunShard(
      number: number, of: 4, plan: "0f1e2d3c4b5a6978", texts: "8796a5b4c3d2e1f0", load: LoadChange(), sessions: 100,
      sessionsOfAll: 400, wanted: "2026-11-24T06:00:00.000Z")
    shard.late = isLate ? .milliseconds(2400) : .microseconds(400)
    shard.corrected = number == 2 ? .milliseconds(-810) : nil
    var info = result.run
    info.machine = "node-\(number), Linux 6.1, 16 cores, 62 GiB"
    var row = ShardResult(
      shard, info, result.generator, requests: 2_000 + number,
      course: RateCourse(seconds: (0..<40).map { 40 + ($0 * number) % 13 }))
    row.late = shard.late
    (row.clockLow, row.clockHigh) = (
      .milliseconds(number) - .microseconds(1300), .milliseconds(number) + .microseconds(1500)
    )
    return row
  }
}
