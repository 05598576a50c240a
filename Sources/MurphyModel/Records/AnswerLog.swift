/// The times of the target's signs of life, and the requests without one: the input of the outage judge.
///
/// A sign of life is a complete response, the beginning of one, or anything else that only a living peer sends. A
/// refused or closed connection and a timeout without a byte are none.
package struct AnswerLog: Sendable {
  /// Intervals of at least `shortestGap` in which no loop saw a sign of life, ascending.
  package var gaps: [AnswerGap] = []
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

extension AnswerLog {
  /// Merges the logs of several loops or processes. The target was silent when none of them saw a sign of life.
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

/// An interval without any sign of life; seconds since the run's start.
package struct AnswerGap: Sendable, Hashable, Codable {
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
  package var sent: Double
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
  package var from: Double
  package var until: Double

  package init(from: Double, until: Double) {
    self.from = from
    self.until = until
  }
}

extension AnswerGap {
  /// The intersection of two lists of gaps. Both ascend, and gaps of one loop do not overlap.
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
