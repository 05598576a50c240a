import MurphyContract
import MurphyModel

/// The findings of one loop. Equal findings share one row. Memory is bounded.
final class FindingTable {
  struct Row: Sendable, Codable {
    var finding: Finding
    var places: Int
    var byStage: [Int]
    var found = FoundTally()
    /// The sentence that replaces the message when all values found are equal and each response has one.
    var whole: String?

    mutating func count(_ values: [String], _ mask: SecretMask) {
      for value in values {
        // Masked before it is cut: half a secret is not found.
        let value = mask.masked(String(value.prefix(4096)))
        found.count(value.shortened(to: FoundTally.longest))
      }
    }

    /// The finding with the values found, grouped by value.
    var reported: Finding {
      guard let values = found.values else { return finding }
      var finding = finding
      finding.found = values
      // With several items in one response, a reader would take the place of one item for the only place.
      if let whole, values.values.count == 1, values.others == 0, places <= finding.count {
        finding.message = whole
      } else {
        finding.message += ", found \(values.sentence)"
      }
      return finding
    }
  }

  private let context: RunContext
  private(set) var rows: [Key: Row] = [:]
  /// The number of occurrences of findings beyond the limit.
  private(set) var beyond = 0
  private(set) var occurrences = 0
  private(set) var fingerprints: Set<String> = []

  struct Key: Hashable {
    var kind: FindingKind
    var operation: Int
    var discriminator: String
  }

  init(context: RunContext) { self.context = context }

  /// Counts by kind and operation, in no particular order.
  var counts: [SnapshotDetails.FindingCount] {
    rows.values.map { row in
      SnapshotDetails.FindingCount(
        kind: row.finding.kind, severity: row.finding.severity, operation: row.finding.operation,
        count: row.finding.count, firstSeen: row.finding.firstSeen)
    }
  }

  /// - Parameter evidence: called for the first occurrence only.
  func record(_ occurrence: Occurrence, evidence: () -> Evidence?) {
    occurrences += 1
    let operation = occurrence.operation.map(context.contract.owner)
    let key = Key(kind: occurrence.kind, operation: operation ?? -1, discriminator: occurrence.discriminator)
    let time = context.time(occurrence.at)
    let stage = context.stage(at: occurrence.at)
    if let index = rows.index(forKey: key) {
      rows.values[index].finding.count += 1
      rows.values[index].places += occurrence.places
      rows.values[index].finding.lastSeen = max(time, rows.values[index].finding.lastSeen)
      rows.values[index].byStage[stage] += 1
      rows.values[index].count(occurrence.found, context.mask)
      return
    }
    guard rows.count < context.options.findingLimit else {
      beyond += 1
      return
    }
    var finding = Finding(
      kind: occurrence.kind, severity: occurrence.severity,
      operation: operation.map { context.contract.operations[$0].id },
      message: context.mask.masked(sentence: occurrence.message),
      details: occurrence.details.map(context.mask.masked(sentence:)),
      firstSeen: time, lastSeen: time, discriminator: occurrence.discriminator, evidence: evidence(),
      expectation: occurrence.expectation)
    finding.cause = occurrence.cause.map(context.mask.masked(sentence:))
    var byStage = Array(repeating: 0, count: max(context.stages.count, 1))
    byStage[stage] = 1
    var row = Row(finding: finding, places: occurrence.places, byStage: byStage)
    row.whole = occurrence.whole.map(context.mask.masked(sentence:))
    row.count(occurrence.found, context.mask)
    rows[key] = row
    fingerprints.insert(finding.fingerprint)
  }
}

struct Occurrence {
  var kind: FindingKind
  /// Nil for the usual severity of the kind.
  var severity: Finding.Severity?
  /// Index into the contract's operations; nil for the whole run.
  var operation: Int?
  /// The failure and the expectation. It contains no value of a single response. It does not begin with the operation,
  /// because every report prints the operation before it.
  var message: String
  var details: [String] = []
  /// Equal for equal findings. It contains no value of a single response.
  var discriminator: String
  var at: Instant
  /// The whole sentence for the case that all values found are equal. Nil where the message followed by the values is
  /// used.
  var whole: String?
  /// The values found this time, one for each place. They are counted by value and printed after the message.
  var found: [String] = []
  var expectation: StepExpectation?
  var places = 1
  /// Equal for findings of one kind that have the same cause. Nil where the message identifies the cause.
  var cause: String?
}

/// Counts the values of one finding, in bounded memory.
struct FoundTally: Sendable, Codable {
  /// The maximum of values that one loop counts separately.
  private static let most = 16
  /// The maximum of values that a report shows.
  private static let shown = 8
  /// The maximum of characters that are kept of a value.
  static let longest = 160

  @Paired private var counts: [String: Int] = [:]
  private var others = 0

  mutating func count(_ value: String) {
    if counts[value] != nil || counts.count < Self.most {
      counts[value, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The maximum of values that are counted separately after loops are merged.
  private static let mostTogether = 2_000

  /// Adds the values that another loop counted separately. If there are too many, the first in the order of their text
  /// are kept. They are the same for every order in which loops are added.
  mutating func merge(_ other: FoundTally) {
    counts.merge(other.counts)
    others += other.others
    guard counts.count > Self.mostTogether else { return }
    for value in counts.keys.sorted().dropFirst(Self.mostTogether) { others += counts.removeValue(forKey: value) ?? 0 }
  }

  /// Nil when nothing was counted.
  var values: FoundValues? {
    guard !counts.isEmpty else { return nil }
    let ordered = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return FoundValues(
      values: ordered.prefix(Self.shown).map { FoundValues.Value(text: $0.key, count: $0.value) },
      others: ordered.dropFirst(Self.shown).reduce(others) { $0 + $1.value })
  }
}

final class OperationTally {
  /// Without the data that exists only at the end: the reasons why responses were not checked, and the results of all
  /// requests.
  var record: OperationRecord
  /// Requests that ended, with a response or a failure, by load stage.
  var endedByStage: [Int]
  private var unchecked: [String: Int] = [:]
  /// The category in which the last response was counted.
  private var lastEnd = LastEnd.ok

  private enum LastEnd { case ok, refused, errors, violating, unchecked }

  /// - Parameters:
  ///   - bounds: the limits for which requests are counted one by one, in nanoseconds.
  ///   - ladders: empty ladders for the same limits.
  init(_ operation: Contract.Operation, stages: Int, bounds: [BoundCount], ladders: [LatencyLadder]) {
    record = OperationRecord(operation: operation.id, method: operation.method, path: operation.path)
    record.account = LatencyAccount(bounds: bounds)
    record.ladders = ladders
    endedByStage = Array(repeating: 0, count: max(stages, 1))
  }

  func count(status: Int) {
    if let index = record.statuses.firstIndex(where: { $0.status == status }) {
      record.statuses[index].count += 1
    } else {
      record.statuses.append(StatusCount(status: status, count: 1))
    }
  }

  func count(_ judgement: Judgement, status: Int, _ outcome: StepOutcome, isBroken: Bool) {
    switch judgement {
    case .conformant:
      record.conformance.conformant += 1
      if outcome.isRejected { record.conformance.rejected = (record.conformance.rejected ?? 0) + 1 }
      lastEnd =
        outcome.isRejected ? .refused : outcome.isExpectedFailure || status < 400 ? .ok : .errors
    case .violating:
      record.conformance.violating += 1
      lastEnd = .violating
    case .unchecked(let reason):
      unchecked.count(reason)
      lastEnd = .unchecked
    case .opaque(let reason):
      record.conformance.opaque = (record.conformance.opaque ?? 0) + 1
      unchecked.count(reason)
      lastEnd = .unchecked
    }
    if isBroken { lastEnd = .violating }
    changeLastEnd(by: 1)
  }

  /// Records that the response counted last is not the one that its step expects.
  func expectationFailed() {
    changeLastEnd(by: -1)
    lastEnd = .violating
    changeLastEnd(by: 1)
  }

  /// Records lower bounds of the latency and the service time of a request, nanoseconds.
  func recordLowerBound(latency: Int64, service: Int64, second: Int) {
    for index in record.ladders.indices {
      record.ladders[index].record(record.ladders[index].isService ? service : latency, second: second)
    }
  }

  /// Records the times of a response that a rate limit rejected, nanoseconds, as `LatencyAccount` takes them.
  @inline(never)
  func reject(latency: Int64, late: Int64, unread: Int64, service: Int64) {
    if record.rejections == nil {
      let bounds = record.account.bounds.map { BoundCount(isService: $0.isService, limit: $0.limit) }
      record.rejections = LatencyAccount(bounds: bounds)
    }
    record.rejections?.countResponse(latency: latency, late: late, unread: unread, service: service)
  }

  private func changeLastEnd(by change: Int) {
    switch lastEnd {
    case .ok: record.ends.ok += change
    case .refused: record.ends.refused += change
    case .errors: record.ends.errors += change
    case .violating: record.ends.violating += change
    case .unchecked: record.ends.unchecked += change
    }
  }

  /// The record with the data that exists only at the end.
  var closed: OperationRecord {
    var record = record
    record.conformance.unchecked = unchecked.reasons
    record.ends.cancelled = record.outcomes.cancelled
    record.ends.unanswered = record.sent - record.ends.responses - record.outcomes.cancelled
    return record
  }
}

extension Outcomes {
  /// Counts a response. A failure that the scenario expects is not an error.
  mutating func count(status: Int, _ outcome: StepOutcome) {
    switch status {
    case _ where outcome.isExpectedFailure: ok += 1
    case _ where outcome.isRejected: limited += 1
    case 400..<500: clientError += 1
    case 500...: serverError += 1
    default: ok += 1
    }
  }
}
