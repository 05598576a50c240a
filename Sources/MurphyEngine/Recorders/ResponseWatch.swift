import MurphyModel

/// Records, on one loop, when the target shows activity. Instants are nanoseconds since the load began.
package struct ResponseWatch {
  package private(set) var log = ResponseLog()
  /// Requests that were sent and have not ended.
  package private(set) var inFlight = 0
  /// The number of requests that failed without any activity of the target since the last activity.
  package private(set) var lost = 0
  private(set) var lastSign: Int64?
  private(set) var lastLoss: Int64?
  /// The time since which requests are in flight or fail without any activity of the target; nil when there are none.
  private(set) var silentSince: Int64?
  /// The longest time from a send to its response so far.
  private(set) var longestService: Int64 = 0
  /// The end of the last gap in which the target may have been stopped.
  private var silenceEnd = Int64.min
  /// The send time of the answered request that was sent last.
  private var lastSentWithResponse: Int64?

  /// If no request was in flight for this time, the target was not silent: nothing was requested.
  private static let quiet: Int64 = 5_000_000_000

  package init() {}

  /// Counts a request as sent. Nanoseconds since the load began.
  package mutating func sent(at now: Int64) {
    if inFlight == 0, lastLoss.map({ now - $0 > Self.quiet }) ?? true {
      silentSince = now
      lost = 0
    }
    if silentSince == nil { silentSince = now }
    inFlight += 1
  }

  /// - Parameters:
  ///   - sent: the time at which the request was sent whose response, or part of a response, was received.
  ///   - isAnswer: true if the response is complete.
  package mutating func sign(at now: Int64, sent: Int64, operation: Int, isAnswer: Bool = true) {
    inFlight -= 1
    longestService = max(longestService, now - sent)
    let last = lastSign ?? 0
    if Double(now - last) / 1e9 >= ResponseLog.shortestGap {
      log.gaps.append(gap(from: last, until: now, resumedBySent: sent))
      if Double(now - last) / 1e9 >= ResponseLog.shortestStall { silenceEnd = now }
    }
    if sent < silenceEnd, log.waits.count < ResponseLog.lossLimit {
      log.waits.append(
        WaitingRequest(
          operation: operation, sent: Double(sent) / 1e9, ended: Double(now) / 1e9, isAnswered: isAnswer))
    }
    lastSign = max(last, now)
    lastSentWithResponse = max(lastSentWithResponse ?? sent, sent)
    lost = 0
    silentSince = inFlight > 0 ? lastSign : nil
  }

  /// Records a successful write. Nanoseconds since the load began.
  package mutating func wrote(_ operation: Int, _ status: Int, sent: Int64, at now: Int64) {
    log.writes.add(
      CompletedWrite(operation: operation, status: status, sent: Double(sent) / 1e9, ended: Double(now) / 1e9))
  }

  /// Records a request without a response. Nanoseconds since the load began.
  package mutating func lost(operation: Int, kind: FindingKind?, sent: Int64, at now: Int64) {
    inFlight -= 1
    lost += 1
    lastLoss = max(lastLoss ?? now, now)
    guard log.losses.count < ResponseLog.lossLimit else {
      log.uncounted += 1
      return
    }
    log.losses.append(
      LostRequest(operation: operation, kind: kind, sent: Double(sent) / 1e9, ended: Double(now) / 1e9))
  }

  /// Records a request that ended on this side. It proves nothing about the target.
  package mutating func withdrawn() { inFlight -= 1 }

  /// The log with the gap after the last activity, which has no end.
  package var closed: ResponseLog {
    var log = log
    log.gaps.append(gap(from: lastSign ?? 0, until: nil, resumedBySent: nil))
    return log
  }

  private func gap(from: Int64, until: Int64?, resumedBySent: Int64?) -> ResponseGap {
    ResponseGap(
      from: Double(from) / 1e9, until: until.map { Double($0) / 1e9 } ?? .infinity,
      lastAnsweredSent: lastSentWithResponse.map { Double($0) / 1e9 } ?? 0,
      resumedBySent: resumedBySent.map { Double($0) / 1e9 })
  }
}

/// The state of the watch of one loop, for the check of all loops together.
package struct LoopVitals: Sendable {
  /// The time of publication. Like the others, it is in nanoseconds since the load began.
  var published: Int64
  var inFlight = 0
  var lost = 0
  var lastSign: Int64?
  var lastLoss: Int64?
  var silentSince: Int64?
  var longestService: Int64 = 0
}

extension ResponseWatch {
  /// - Parameters:
  ///   - streams: the number of requests in flight whose responses are event streams that are being read.
  ///   - begun: the time at which the last of them began.
  package func vitals(streams: Int = 0, begun: Int64? = nil, at now: Int64) -> LoopVitals {
    LoopVitals(
      published: now, inFlight: inFlight - streams, lost: lost,
      lastSign: [lastSign, begun].compactMap(\.self).max(), lastLoss: lastLoss,
      silentSince: silentSince, longestService: longestService)
  }
}

/// Decides over all loops if the target has been silent for so long that the load should end.
///
/// Silence means that requests were in flight or failing and no response was received. A quiet load is not silence.
/// Fewer than three requests are not silence either: one slow response is not an outage. Where earlier responses took
/// long, the wait is at least twice as long as the longest of them.
package struct SilenceDetector {
  /// Nanoseconds.
  let abortAfter: Int64
  /// The check that first saw the silence, and the publication time at that check.
  private var first: (at: Int64, published: Int64)?

  private static let fewest = 3
  /// A silence counts when two checks so far apart saw it: murphy itself may have been suspended before one.
  private static let confirmation: Int64 = 1_000_000_000

  package init(abortAfter: Duration) { self.abortAfter = abortAfter.nanoseconds }

  /// - Parameters:
  ///   - loops: the last publication of each loop; none may be missing.
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

  /// The time for which requests were in flight or failing without a response, nanoseconds.
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
