/// When the target gave signs of life, and which requests got none: what the outage judge reads.
///
/// A sign of life is a complete answer, the beginning of one, or anything else that only a living peer sends. A
/// refused or closed connection and a timeout without a byte are none.
package struct AnswerLog: Sendable {
  /// Stretches of at least `shortestGap` in which no loop saw a sign of life, ascending.
  package var gaps: [AnswerGap] = []
  /// Requests that ended without one, by the moment they were sent.
  package var losses: [LostRequest] = []
  /// Losses beyond `lossLimit` on some loop, only counted.
  package var uncounted = 0
  /// Requests that were under way when a gap of at least `shortestStall` on their loop ended, and ended later with a
  /// sign of life; at most `lossLimit` of each loop.
  package var waits: [WaitingRequest] = []
  /// Stretches in which a loop of murphy was not there to see an answer, in no order; they may overlap.
  package var absences: [Absence] = []
  /// Write requests that succeeded.
  package var writes = WriteTrail()

  /// Seconds.
  package static let shortestGap = 0.25
  /// Seconds of silence from which on it is asked whether the target stood still.
  package static let shortestStall = 1.0
  /// Losses that one loop keeps, 40 bytes each.
  package static let lossLimit = 500_000

  package init() {}
}

extension AnswerLog {
  /// The answers of several loops or processes. The target was silent when none of them saw a sign of life.
  package init(_ parts: [AnswerLog]) {
    self.init()
    gaps = parts.dropFirst().reduce(parts.first?.gaps ?? []) { AnswerGap.common($0, $1.gaps) }
    losses = parts.flatMap(\.losses)
    waits = parts.flatMap(\.waits)
    absences = parts.flatMap(\.absences)
    uncounted = parts.reduce(0) { $0 + $1.uncounted }
    for part in parts { writes.merge(part.writes) }
  }
}

/// A stretch without any sign of life; seconds since the run's start.
package struct AnswerGap: Sendable, Hashable, Codable {
  /// The last sign before it, or the run's start.
  package var from: Double
  /// The first sign after it, or the run's end.
  package var until: Double
  /// When the last sent of the requests answered before it was sent; 0 when none was.
  package var lastAnsweredSent: Double
  /// When the request was sent whose answer ended it; nil at the run's end.
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
  /// The kind of its finding; nil when it was only under way at the end.
  package var kind: FindingKind?
  package var sent: Double
  package var ended: Double

  package init(operation: Int, kind: FindingKind?, sent: Double, ended: Double) {
    self.operation = operation
    self.kind = kind
    self.sent = sent
    self.ended = ended
  }
}

/// A request that waited through a stretch of silence; seconds since the run's start.
package struct WaitingRequest: Sendable, Hashable {
  /// The operationId's index in the contract.
  package var operation: Int
  package var sent: Double
  /// When its answer was complete, or the failure that showed that the peer lives was known.
  package var ended: Double
  package var isAnswered: Bool

  package init(operation: Int, sent: Double, ended: Double, isAnswered: Bool) {
    self.operation = operation
    self.sent = sent
    self.ended = ended
    self.isAnswered = isAnswered
  }
}

/// A stretch in which a loop of murphy did not run, as of a process that was stopped; seconds since the run's start.
package struct Absence: Sendable, Hashable, Codable {
  package var from: Double
  package var until: Double

  package init(from: Double, until: Double) {
    self.from = from
    self.until = until
  }
}

extension AnswerGap {
  /// Where both are silent. Both ascend, and gaps of one loop do not overlap.
  fileprivate static func common(_ left: [AnswerGap], _ right: [AnswerGap]) -> [AnswerGap] {
    var common: [AnswerGap] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let (a, b) = (left[i], right[j])
      let from = max(a.from, b.from)
      let until = min(a.until, b.until)
      if from < until {
        common.append(
          AnswerGap(
            from: from, until: until, lastAnsweredSent: max(a.lastAnsweredSent, b.lastAnsweredSent),
            resumedBySent: a.until <= b.until ? a.resumedBySent : b.resumedBySent))
      }
      if a.until < b.until { i += 1 } else { j += 1 }
    }
    return common
  }
}
