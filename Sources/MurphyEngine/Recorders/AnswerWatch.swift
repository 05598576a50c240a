import MurphyModel

/// Watches on one loop when the target gives signs of life. Instants are nanoseconds since the load began.
package struct AnswerWatch {
  package private(set) var log = AnswerLog()
  package private(set) var inFlight = 0
  /// Requests that failed without a sign of life since the last one.
  package private(set) var lost = 0
  private(set) var lastSign: Int64?
  private(set) var lastLoss: Int64?
  /// Since when requests are under way or failing without a sign of life; nil when there are none.
  private(set) var silentSince: Int64?
  /// The longest time from a send to its answer so far.
  private(set) var longestService: Int64 = 0
  /// When the last gap ended in which the target may have stood still.
  private var silenceEnd = Int64.min
  /// When the last sent of the answered requests was sent.
  private var lastAnswered: Int64?

  /// Without a request under way for so long, nobody was silent: nothing was asked.
  private static let quiet: Int64 = 5_000_000_000

  package init() {}

  package mutating func sent(at now: Int64) {
    if inFlight == 0, lastLoss.map({ now - $0 > Self.quiet }) ?? true {
      silentSince = now
      lost = 0
    }
    if silentSince == nil { silentSince = now }
    inFlight += 1
  }

  /// - Parameters:
  ///   - sent: when the request was sent whose answer, or part of one, came.
  ///   - isAnswer: whether the answer is complete.
  package mutating func sign(at now: Int64, sent: Int64, operation: Int, isAnswer: Bool = true) {
    inFlight -= 1
    longestService = max(longestService, now - sent)
    let last = lastSign ?? 0
    if Double(now - last) / 1e9 >= AnswerLog.shortestGap {
      log.gaps.append(gap(from: last, until: now, resumedBySent: sent))
      if Double(now - last) / 1e9 >= AnswerLog.shortestStall { silenceEnd = now }
    }
    if sent < silenceEnd, log.waits.count < AnswerLog.lossLimit {
      log.waits.append(
        WaitingRequest(
          operation: operation, sent: Double(sent) / 1e9, ended: Double(now) / 1e9, isAnswered: isAnswer))
    }
    lastSign = max(last, now)
    lastAnswered = max(lastAnswered ?? sent, sent)
    lost = 0
    silentSince = inFlight > 0 ? lastSign : nil
  }

  package mutating func wrote(_ operation: Int, _ status: Int, sent: Int64, at now: Int64) {
    log.writes.note(
      AnsweredWrite(operation: operation, status: status, sent: Double(sent) / 1e9, ended: Double(now) / 1e9))
  }

  package mutating func lost(operation: Int, kind: FindingKind?, sent: Int64, at now: Int64) {
    inFlight -= 1
    lost += 1
    lastLoss = max(lastLoss ?? now, now)
    guard log.losses.count < AnswerLog.lossLimit else {
      log.uncounted += 1
      return
    }
    log.losses.append(
      LostRequest(operation: operation, kind: kind, sent: Double(sent) / 1e9, ended: Double(now) / 1e9))
  }

  /// A request that ended on this side, and tells nothing of the target.
  package mutating func withdrawn() { inFlight -= 1 }

  /// The log with the gap behind the last sign of life, which has no end.
  package var closed: AnswerLog {
    var log = log
    log.gaps.append(gap(from: lastSign ?? 0, until: nil, resumedBySent: nil))
    return log
  }

  private func gap(from: Int64, until: Int64?, resumedBySent: Int64?) -> AnswerGap {
    AnswerGap(
      from: Double(from) / 1e9, until: until.map { Double($0) / 1e9 } ?? .infinity,
      lastAnsweredSent: lastAnswered.map { Double($0) / 1e9 } ?? 0,
      resumedBySent: resumedBySent.map { Double($0) / 1e9 })
  }
}

/// What the watch of one loop says, for the look at all loops together.
package struct LoopVitals: Sendable {
  /// When it was published, nanoseconds since the load began like the others.
  var published: Int64
  var inFlight = 0
  var lost = 0
  var lastSign: Int64?
  var lastLoss: Int64?
  var silentSince: Int64?
  var longestService: Int64 = 0
}

extension AnswerWatch {
  /// - Parameters:
  ///   - streams: of the requests under way, those whose answers are streams of events that are being read.
  ///   - begun: when the last of them began.
  package func vitals(streams: Int = 0, begun: Int64? = nil, at now: Int64) -> LoopVitals {
    LoopVitals(
      published: now, inFlight: inFlight - streams, lost: lost,
      lastSign: [lastSign, begun].compactMap(\.self).max(), lastLoss: lastLoss,
      silentSince: silentSince, longestService: longestService)
  }
}

/// Decides over all loops whether the target has been silent for so long that the load should end.
///
/// Silence means that requests were under way or failing and none was answered. A quiet load is not silence, and
/// neither are fewer than three requests: one slow answer is not an outage. Where answers have taken long before, the
/// wait is at least twice as long as the longest of them.
package struct SilenceDetector {
  /// Nanoseconds.
  let abortAfter: Int64
  /// The look that first saw the silence, and what it was told then.
  private var first: (at: Int64, published: Int64)?

  private static let fewest = 3
  /// A silence counts when two looks that lie so far apart saw it: murphy itself may have been asleep before one.
  private static let confirmation: Int64 = 1_000_000_000

  package init(abortAfter: Duration) { self.abortAfter = abortAfter.nanoseconds }

  /// - Parameters:
  ///   - loops: what each loop published last; none may be missing.
  ///   - now: nanoseconds since the load began.
  package mutating func isOver(_ loops: [LoopVitals], at now: Int64) -> Bool {
    let published = loops.map(\.published).min() ?? 0
    guard silence(loops, published) >= max(abortAfter, 2 * (loops.map(\.longestService).max() ?? 0)) else {
      first = nil
      return false
    }
    guard let first else {
      first = (now, published)
      return false
    }
    return now - first.at >= Self.confirmation && published > first.published
  }

  /// How long requests were under way or failing without an answer, nanoseconds.
  private func silence(_ loops: [LoopVitals], _ published: Int64) -> Int64 {
    guard let began = loops.compactMap(\.silentSince).min(),
      loops.reduce(0, { $0 + $1.inFlight + $1.lost }) >= Self.fewest
    else { return 0 }
    let from = max(began, loops.compactMap(\.lastSign).max() ?? began)
    let isWaiting = loops.contains { $0.inFlight > 0 }
    let until = isWaiting ? published : min(loops.compactMap(\.lastLoss).max() ?? from, published)
    return until - from
  }
}
