import MurphyContract
import MurphyModel

/// What adds up of a run: counts, histograms, findings. Of one loop or of many; the order of adding changes nothing.
struct RunSums: Sendable, Codable {
  /// By operation of the contract; nil for one that was not called.
  var operations: [OperationRecord?]
  /// By operation: requests that ended, by load stage.
  var stages: [[Int]?]
  /// By session of the scenario.
  var sessions: [SessionTally]
  /// By tag of the scenario.
  var tags: [TagRecord?]
  var ledger = Ledger()
  var dropped: [DropReason: Int] = [:]
  @Paired var unchecked: [String: Int] = [:]
  var seconds: [SecondTally] = []
  var lateness = LatencyHistogram()
  var lacking: [Scarcity: Int] = [:]
  /// One for each fingerprint, in their order.
  var rows: [FindingTable.Row] = []
  /// Occurrences of findings beyond the limit of a loop.
  var beyond = 0
  var coverage: [CoverageItem] = []
  var traffic = TrafficNotes()
  /// Every answer by itself; nil unless it was asked for.
  var samples: [LatencySample]?
  var peakUsers = 0

  /// Of nothing yet.
  init(_ frame: RunFrame) {
    let operations = frame.contract.operations
    self.operations = operations.map { _ in nil }
    stages = operations.map { _ in nil }
    sessions = frame.scenario.sessions.map { _ in SessionTally() }
    tags = frame.scenario.tags.map { _ in nil }
  }

  /// Of the setup or the teardown, whose requests are no part of the load: what it found and showed of the contract.
  mutating func addFound(_ other: RunSums) {
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

  mutating func merge(_ other: RunSums) {
    for index in operations.indices where other.operations.indices.contains(index) {
      guard let part = other.operations[index] else { continue }
      if operations[index] == nil { operations[index] = part } else { operations[index]?.merge(part) }
    }
    for index in stages.indices where other.stages.indices.contains(index) {
      guard let part = other.stages[index] else { continue }
      stages[index] = stages[index].map { zip($0, part).map { $0 + $1 } } ?? part
    }
    for index in sessions.indices where other.sessions.indices.contains(index) {
      sessions[index].merge(other.sessions[index])
    }
    for index in tags.indices where other.tags.indices.contains(index) {
      guard let part = other.tags[index] else { continue }
      if tags[index] == nil { tags[index] = part } else { tags[index]?.merge(part) }
    }
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
  }
}

extension Ledger {
  /// Of several loops: what has a reason is kept apart until the end.
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

  /// Equal findings in one row. The first to be seen gives the evidence; of two that were seen at one moment, the one whose
  /// message comes first.
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
    // Of the contract itself, so that every loop finds it: one thing, not one for each loop.
    let isStatic = first.finding.kind == .contractVacuous
    whole.finding.count = isStatic ? 1 : first.finding.count + second.finding.count
    whole.places = first.places + second.places
    whole.finding.lastSeen = Swift.max(first.finding.lastSeen, second.finding.lastSeen)
    whole.found.merge(second.found)
    whole.byStage = zip(first.byStage, second.byStage).map { $0 + $1 }
    self[row.finding.fingerprint] = whole
  }
}
