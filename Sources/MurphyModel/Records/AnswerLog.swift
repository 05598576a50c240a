/// When the target gave signs of life, and which requests got none: what the outage judge reads.
///
/// A sign of life is a complete answer, the beginning of one, or anything else that only a living peer sends. A
/// refused or closed connection and a timeout without a byte are none.
public struct AnswerLog: Sendable {
  /// Stretches of at least `shortestGap` in which no loop saw a sign of life, ascending.
  public var gaps: [AnswerGap] = []
  /// Requests that ended without one, by the moment they were sent.
  public var losses: [LostRequest] = []
  /// Losses beyond `lossLimit` on some loop, only counted.
  public var uncounted = 0
  /// Requests that were under way when a gap of at least `shortestStall` on their loop ended, and ended later with a
  /// sign of life; at most `lossLimit` of each loop.
  public var waits: [WaitingRequest] = []
  /// Stretches in which a loop of murphy was not there to see an answer, in no order; they may overlap.
  public var absences: [Absence] = []

  /// Seconds.
  public static let shortestGap = 0.25
  /// Seconds of silence from which on it is asked whether the target stood still.
  public static let shortestStall = 1.0
  /// Losses that one loop keeps, 40 bytes each.
  public static let lossLimit = 500_000

  public init() {}
}

/// A stretch without any sign of life; seconds since the run's start.
public struct AnswerGap: Sendable, Hashable {
  /// The last sign before it, or the run's start.
  public var from: Double
  /// The first sign after it, or the run's end.
  public var until: Double
  /// When the last sent of the requests answered before it was sent; 0 when none was.
  public var lastAnsweredSent: Double
  /// When the request was sent whose answer ended it; nil at the run's end.
  public var resumedBySent: Double?

  public init(from: Double, until: Double, lastAnsweredSent: Double, resumedBySent: Double?) {
    self.from = from
    self.until = until
    self.lastAnsweredSent = lastAnsweredSent
    self.resumedBySent = resumedBySent
  }
}

/// A request that ended without a sign of life; seconds since the run's start.
public struct LostRequest: Sendable, Hashable {
  /// The operationId's index in the contract.
  public var operation: Int
  /// The kind of its finding; nil when it was only under way at the end.
  public var kind: FindingKind?
  public var sent: Double
  public var ended: Double

  public init(operation: Int, kind: FindingKind?, sent: Double, ended: Double) {
    self.operation = operation
    self.kind = kind
    self.sent = sent
    self.ended = ended
  }
}

/// A request that waited through a stretch of silence; seconds since the run's start.
public struct WaitingRequest: Sendable, Hashable {
  /// The operationId's index in the contract.
  public var operation: Int
  public var sent: Double
  /// When its answer was complete, or the failure that showed that the peer lives was known.
  public var ended: Double
  public var isAnswered: Bool

  public init(operation: Int, sent: Double, ended: Double, isAnswered: Bool) {
    self.operation = operation
    self.sent = sent
    self.ended = ended
    self.isAnswered = isAnswered
  }
}

/// A stretch in which a loop of murphy did not run, as of a process that was stopped; seconds since the run's start.
public struct Absence: Sendable, Hashable {
  public var from: Double
  public var until: Double

  public init(from: Double, until: Double) {
    self.from = from
    self.until = until
  }
}
