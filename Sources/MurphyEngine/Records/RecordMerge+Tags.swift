import MurphyModel

extension RecordMerge {
  /// Those under which something was sent, in the scenario's order.
  var tags: [TagRecord] {
    context.scenario.tags.indices.compactMap { index in
      shards.compactMap { $0.tags[index] }.reduce(nil) { (whole: TagRecord?, part) in
        guard var whole else { return part }
        whole.merge(part)
        return whole
      }
    }
  }
}
