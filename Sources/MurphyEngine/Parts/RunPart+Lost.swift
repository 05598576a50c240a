import MurphyModel

extension RunPart {
  /// Makes the judges reckon with what is not known of a run whose lost shards are tolerated.
  ///
  /// - Parameters:
  ///   - broken: shards that ended before their end, or did not begin: what they have is judged.
  ///   - isIncomplete: requests of other shards were sent, perhaps, of which nothing is known.
  package mutating func tolerate(broken: [Int], isIncomplete: Bool) {
    for index in logs.indices where broken.contains(logs[index].shard) {
      logs[index].info.cutShort = false
      logs[index].info.aborted = nil
      if logs[index].info.setup?.failed != nil { logs[index].info.setup = nil }
    }
    guard isIncomplete, !logs.isEmpty else { return }
    // A write that nobody saw may stand behind every answer.
    for gap in logs[0].state.gaps.indices { logs[0].state.gaps[gap].unreadWrites += 1 }
    logs[0].relations.writes.append(.init(operation: -1, sent: 0, end: .max, id: 0))
    self.isIncomplete = true
  }
}
