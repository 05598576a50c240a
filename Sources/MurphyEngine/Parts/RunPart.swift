import MurphyModel

/// What one or more processes measured of a run, in a form that adds up.
///
/// Parts of one run are merged in any order and grouping, with the same outcome: counts and histograms add, findings
/// fold by their fingerprints, and each process's events stay apart until a record is made of all of them.
package struct RunPart: Sendable {
  var sums: RunSums
  /// By shard, ascending.
  package var logs: [ProcessLog]
  /// Header sets of all logs, which have none of their own then: the shards of a run see much the same ones.
  var headerPool: HeaderSets?
  /// Whether requests of other shards were sent, perhaps, of which nothing is known.
  package internal(set) var isIncomplete = false

  /// Adds the part of other processes of the same run.
  package mutating func merge(_ other: RunPart) {
    sums.merge(other.sums)
    logs = (logs + other.logs).sorted { $0.shard < $1.shard }
  }
}
