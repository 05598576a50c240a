import MurphyContract
import MurphyModel

/// The measurement of a run by a loop, a process, or many processes.
///
/// Measurements of one run can be merged in any order and grouping, with the same result. Counts and histograms are
/// added. Findings with equal fingerprints are merged. The events of each process remain a separate log until
/// ``record(_:mask:)``.
package struct RunMeasurement: Sendable, Codable {
  /// By operation of the contract; nil for one that was not called.
  var operations: [OperationRecord?]
  /// By operation: requests that ended, by load stage.
  var stages: [[Int]?]
  var sessions: [SessionTally]
  var tags: [TagRecord?]
  var ledger = Ledger()
  var dropped: [DropReason: Int] = [:]
  @Paired var unchecked: [String: Int] = [:]
  var seconds: [SecondTally] = []
  var lateness = LatencyHistogram()
  var lacking: [Scarcity: Int] = [:]
  /// One row for each fingerprint, in the order of fingerprints.
  var rows: [FindingTable.Row] = []
  /// The number of occurrences of findings beyond the limit of a loop.
  var beyond = 0
  var coverage: [CoverageItem] = []
  var traffic = TrafficObservations()
  /// A sample for every response; nil unless samples were requested.
  var samples: [LatencySample]?
  var peakUsers = 0

  /// By shard, ascending. A process merges the logs of its loops into one.
  package var logs: [EventLog] = []
  /// The header sets of all logs, which then have none of their own. The shards of a run see almost the same sets.
  var headerPool: HeaderSets?
  /// True if other shards may have sent requests that were not recorded.
  package internal(set) var isIncomplete = false

  /// The data that can be summed. In a file, the logs have separate lines.
  private enum CodingKeys: String, CodingKey {
    case operations, stages, sessions, tags, ledger, dropped, unchecked, seconds, lateness, lacking, rows, beyond,
      coverage,
      traffic, samples, peakUsers
  }

  init(_ frame: RunFrame) {
    let operations = frame.contract.operations
    self.operations = operations.map { _ in nil }
    stages = operations.map { _ in nil }
    sessions = frame.scenario.sessions.map { _ in SessionTally() }
    tags = frame.scenario.tags.map { _ in nil }
  }

  /// Adds the measurement of other loops or processes of the same run.
  package mutating func merge(_ other: RunMeasurement) {
    operations.merge(other.operations) { $0.merge($1) }
    stages.merge(other.stages) { whole, part in whole = zip(whole, part).map { $0 + $1 } }
    for (index, tally) in zip(sessions.indices, other.sessions) { sessions[index].merge(tally) }
    tags.merge(other.tags) { $0.merge($1) }
    ledger.addCounts(of: other.ledger)
    dropped.merge(other.dropped)
    unchecked.merge(other.unchecked)
    for (index, second) in other.seconds.enumerated() {
      if seconds.count <= index { seconds.append(SecondTally()) }
      seconds[index].merge(second)
    }
    lateness.merge(other.lateness)
    lacking.merge(other.lacking) { $0 + $1 }
    addFound(other)
    traffic.merge(other.traffic)
    if let more = other.samples { samples = (samples ?? []) + more }
    peakUsers += other.peakUsers
    logs = (logs + other.logs).sorted { $0.shard < $1.shard }
  }

  /// Adds the findings and the coverage of a setup, whose requests are not counted.
  mutating func addFound(_ other: RunMeasurement) {
    add(other.rows)
    beyond += other.beyond
    coverage.merge(other.coverage)
  }

  /// Adds findings; equal ones are one.
  mutating func add(_ more: [FindingTable.Row]) {
    var found: [String: FindingTable.Row] = [:]
    for row in rows + more { found.add(row) }
    rows = found.ordered
  }
}

extension Array {
  /// Adds the elements of another array to those at the same index.
  fileprivate mutating func merge<Part>(_ other: [Part?], _ add: (inout Part, Part) -> Void) where Element == Part? {
    for (index, part) in zip(indices, other) {
      guard let part else { continue }
      guard var whole = self[index].take() else {
        self[index] = part
        continue
      }
      add(&whole, part)
      self[index] = whole
    }
  }
}

extension Ledger {
  /// Merges the counts of several loops. Counts with a reason are kept separately until the end.
  fileprivate mutating func addCounts(of other: Ledger) {
    planned += other.planned
    sent += other.sent
    answered += other.answered
    transport += other.transport
    cancelled += other.cancelled
    inFlightAtEnd += other.inFlightAtEnd
    conformant += other.conformant
    violating += other.violating
    redirects += other.redirects
    repeated += other.repeated
    reusable += other.reusable
    reopened += other.reopened
  }
}

extension [String: FindingTable.Row] {
  fileprivate var ordered: [FindingTable.Row] { sorted { $0.key < $1.key }.map(\.value) }

  /// Merges equal findings into one row. The first one seen gives the evidence. Of two at the same time, it is the one
  /// whose message is first in the order of text.
  fileprivate mutating func add(_ row: FindingTable.Row) {
    guard let known = self[row.finding.fingerprint] else {
      self[row.finding.fingerprint] = row
      return
    }
    let isFirst =
      (known.finding.firstSeen, known.finding.message, known.finding.evidence?.curl?.text ?? "")
      <= (row.finding.firstSeen, row.finding.message, row.finding.evidence?.curl?.text ?? "")
    let (first, second) = isFirst ? (known, row) : (row, known)
    var whole = first
    // A finding on the contract itself, which every loop finds: it counts once, not once for each loop.
    let isStatic = first.finding.kind == .contractVacuous
    whole.finding.count = isStatic ? 1 : first.finding.count + second.finding.count
    whole.places = first.places + second.places
    whole.finding.lastSeen = Swift.max(first.finding.lastSeen, second.finding.lastSeen)
    whole.found.merge(second.found)
    whole.byStage = zip(first.byStage, second.byStage).map { $0 + $1 }
    self[row.finding.fingerprint] = whole
  }
}
