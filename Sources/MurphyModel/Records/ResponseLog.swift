/// The times of the target's signs of life, and the requests without one: the input of the outage judge.
///
/// A sign of life is a complete response, the beginning of one, or anything else that only a living peer sends. A
/// refused or closed connection and a timeout without a byte are none.
package struct ResponseLog: Sendable {
  /// Intervals of at least `shortestGap` in which no loop saw a sign of life, ascending.
  package var gaps: [ResponseGap] = []
  /// Requests that ended without one, by the time they were sent.
  package var losses: [LostRequest] = []
  /// Losses beyond `lossLimit` on some loop, only counted.
  package var uncounted = 0
  /// Requests in flight at the end of a gap of at least `shortestStall` on their loop that ended later with a sign of
  /// life. At most `lossLimit` of each loop.
  package var waits: [WaitingRequest] = []
  /// Intervals in which a loop of murphy did not run and could not see a response, in no order; they may overlap.
  package var absences: [Absence] = []
  /// Write requests that succeeded.
  package var writes = WriteTrail()

  /// The minimum length in seconds.
  package static let shortestGap = 0.25
  /// The duration of silence in seconds from which the target may have stalled.
  package static let shortestStall = 1.0
  /// The maximum number of losses that one loop keeps, 40 bytes each.
  package static let lossLimit = 500_000

  package init() {}
}

extension ResponseLog {
  /// Merges the logs of several loops or processes. The target was silent when none of them saw a sign of life.
  package init(_ parts: [ResponseLog]) {
    self.init()
    gaps = parts.dropFirst().reduce(parts.first?.gaps ?? []) { ResponseGap.common($0, $1.gaps) }
    losses = parts.flatMap(\.losses)
    waits = parts.flatMap(\.waits)
    absences = parts.flatMap(\.absences)
    uncounted = parts.reduce(0) { $0 + $1.uncounted }
    for part in parts { writes.merge(part.writes) }
  }
}

/// An interval without any sign of life; seconds since the run's start.
package struct ResponseGap: Sendable, Hashable, Codable {
  /// The last sign before it, or the run's start.
  package var from: Double
  /// The first sign after it, or the run's end.
  package var until: Double
  /// The latest send time of the requests that were answered before it; 0 without one.
  package var lastAnsweredSent: Double
  /// The send time of the request whose response ended it; nil at the run's end.
  package var resumedBySent: Double?

  package init(from: Double, until: Double, lastAnsweredSent: Double, resumedBySent: Double?) {
    self.from = from
    self.until = until
    self.lastAnsweredSent = lastAnsweredSent
    self.resumedBySent = resumedBySent
  }
}

/// A request that ended without a sign of life; seconds since the run's start.
package struct LostRequest: Sendable, Hashable {
  /// The operationId's index in the contract.
  package var operation: Int
  /// The kind of its finding; nil if it was only in flight at the end.
  package var kind: FindingKind?
  /// The time of the send.
  package var sent: Double
  /// The time when it ended without a response.
  package var ended: Double

  package init(operation: Int, kind: FindingKind?, sent: Double, ended: Double) {
    self.operation = operation
    self.kind = kind
    self.sent = sent
    self.ended = ended
  }
}

/// A request that waited through an interval of silence; seconds since the run's start.
package struct WaitingRequest: Sendable, Hashable {
  /// The operationId's index in the contract.
  package var operation: Int
  /// The time of the send.
  package var sent: Double
  /// The time when its response was complete, or when a failure showed that the peer is alive.
  package var ended: Double
  /// False if the request ended without a response.
  package var isAnswered: Bool

  package init(operation: Int, sent: Double, ended: Double, isAnswered: Bool) {
    self.operation = operation
    self.sent = sent
    self.ended = ended
    self.isAnswered = isAnswered
  }
}

/// An interval in which a loop of murphy did not run, for example because the process was stopped; seconds since the
/// run's start.
package struct Absence: Sendable, Hashable, Codable {
  /// The beginning of the interval.
  package var from: Double
  /// The end of the interval.
  package var until: Double

  package init(from: Double, until: Double) {
    self.from = from
    self.until = until
  }
}

extension ResponseGap {
  /// The intersection of two lists of gaps. Both ascend, and gaps of one loop do not overlap.
  fileprivate static func common(_ left: [ResponseGap], _ right: [ResponseGap]) -> [ResponseGap] {
    var common: [ResponseGap] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (a, b) = (left[i], right[j])
      let from = max(a.from, b.from)
      let until = min(a.until, b.until)
      if from < until {
        common.append(
          ResponseGap(
            from: from, until: until, lastAnsweredSent: max(a.lastAnsweredSent, b.lastAnsweredSent),
            resumedBySent: a.until <= b.until ? a.resumedBySent : b.resumedBySent))
      }
      if a.until < b.until { i += 1 } else { j += 1 }
    }
    return common
  }
}

extension ResponseLog: Codable {
  private enum CodingKeys: String, CodingKey { case gaps, losses, waits, absences, writes, uncounted }

  package init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    gaps = try values.decode([ResponseGap].self, forKey: .gaps)
    losses = try values.decode(LossColumns.self, forKey: .losses).entries
    waits = try values.decode(WaitColumns.self, forKey: .waits).entries
    absences = try values.decode([Absence].self, forKey: .absences)
    writes = try values.decodeIfPresent(WriteTrail.self, forKey: .writes) ?? WriteTrail()
    uncounted = try values.decode(Int.self, forKey: .uncounted)
  }

  /// Writes losses and waits as columns of numbers.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(gaps, forKey: .gaps)
    try values.encode(LossColumns(losses), forKey: .losses)
    try values.encode(WaitColumns(waits), forKey: .waits)
    try values.encode(absences, forKey: .absences)
    try values.encode(writes, forKey: .writes)
    try values.encode(uncounted, forKey: .uncounted)
  }
}

/// Seconds that were whole nanoseconds are restored as the same number.
private func nanoseconds(_ seconds: Double) -> Int64 { Int64(saturating: (seconds * 1e9).rounded()) }

private struct LossColumns: Codable {
  var operation: PackedNumbers
  /// The kinds of `kind`, by their numbers there.
  var kinds: [FindingKind]
  var kind: PackedNumbers
  var sent: PackedNumbers
  var took: PackedNumbers

  init(_ losses: [LostRequest]) {
    let kinds = Array(Set(losses.compactMap(\.kind))).sorted { $0.rawValue < $1.rawValue }
    operation = PackedNumbers(column: losses.map(\.operation))
    kind = PackedNumbers(column: losses.map { loss in loss.kind.flatMap(kinds.firstIndex) ?? -1 })
    sent = PackedNumbers(losses.map { nanoseconds($0.sent) }).deltas
    took = PackedNumbers(losses.map { nanoseconds($0.ended).subtracting(nanoseconds($0.sent)) })
    self.kinds = kinds
  }

  var entries: [LostRequest] {
    get throws {
      try ColumnError.check([operation, kind, sent, took])
      return zip(operation.numbers.indices, sent.sums.numbers).map { row, begin in
        let number: Int = kind[row]
        return LostRequest(
          operation: operation[row], kind: kinds.indices.contains(number) ? kinds[number] : nil,
          sent: Double(begin) / 1e9,
          ended: Double(begin &+ took.numbers[row]) / 1e9)
      }
    }
  }
}

private struct WaitColumns: Codable {
  var operation: PackedNumbers
  var sent: PackedNumbers
  var took: PackedNumbers
  var isAnswered: PackedNumbers

  init(_ waits: [WaitingRequest]) {
    operation = PackedNumbers(column: waits.map(\.operation))
    sent = PackedNumbers(waits.map { nanoseconds($0.sent) }).deltas
    took = PackedNumbers(waits.map { nanoseconds($0.ended).subtracting(nanoseconds($0.sent)) })
    isAnswered = PackedNumbers(column: waits.map { $0.isAnswered ? 1 : 0 })
  }

  var entries: [WaitingRequest] {
    get throws {
      try ColumnError.check([operation, sent, took, isAnswered])
      return zip(operation.numbers.indices, sent.sums.numbers).map { row, begin in
        WaitingRequest(
          operation: operation[row], sent: Double(begin) / 1e9, ended: Double(begin &+ took.numbers[row]) / 1e9,
          isAnswered: isAnswered.numbers[row] != 0)
      }
    }
  }
}
