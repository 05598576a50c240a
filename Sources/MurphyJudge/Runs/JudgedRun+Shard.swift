import MurphyModel

extension JudgedRun {
  /// What one shard of a run shows by itself: what its answers broke. All promises are judged on all shards together, for a
  /// part of the traffic neither keeps nor breaks them.
  package var shardResult: RunResult {
    var result = result(judges: [])
    guard let shard = record.info.shard else { return result }
    let isWhole = !record.info.cutShort && record.info.setup?.failed == nil && record.ledger.contradictions.isEmpty
    guard isWhole else {
      result.verdict = .invalid
      return result
    }
    result.verdict = .shard
    result.reasons = result.generator.doubts
    if shard.late > 1 {
      result.reasons.append("It began \(Duration.saturating(seconds: (shard.late * 10).rounded() / 10).text) late.")
    }
    if let corrected = shard.corrected {
      result.reasons.append(
        "This machine's clock is off by \(Duration.saturating(seconds: (abs(corrected) * 10).rounded() / 10).text): its start was "
          + "moved by that.")
    }
    return result
  }
}
