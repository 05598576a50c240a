/// The data about the latency of every request of an operation that came due, answered or not.
///
/// The latency x of request i runs from its intended start to the last byte. It assumes that no client gave up and that
/// murphy was on time. The observation gives an interval [lo, hi]:
///
///     answered                                   lo = hi = latency as measured
///     sent late by z because murphy was late     lo = latency − z, hi = latency as measured
///     read late by up to u, the loop was away    lo = latency − u, hi = latency as measured
///     no response                                lo = the time waited, hi = ∞  (`CensoringCause`)
///     not sent by murphy                         lo = 0, hi = ∞
///
/// The lower bound of a late request is exact for a server that responds in order: sent earlier, it would have been
/// answered no later. For other servers it is a convention. Service times run from the actual send, so that only late
/// reads affect them; budgets on them use that interval where they count request by request. All parts merge by adding.
package struct LatencyAccount: Sendable, Codable {
  /// The latency of responses, from the intended start.
  package var latency = LatencyHistogram()
  /// The latency of responses, from the actual send.
  package var service = LatencyHistogram()
  /// The waiting times of requests without a complete response.
  package var censored = CensoredWaits()
  /// One count for each limit that a budget sets for the operation.
  package private(set) var bounds: [BoundCount] = []

  /// A delay of murphy up to this counts as on time: a timer and a turn of the loop take about as long.
  package static let onTime: Int64 = 1_000_000

  package init(bounds: [BoundCount] = []) { self.bounds = bounds }

  /// The number of requests that came due.
  package var samples: Int { Int(latency.count) + censored.total }

  /// - Parameters: nanoseconds.
  ///   - latency: from the intended start to the last byte.
  ///   - late: the part of it that is murphy's own delay.
  ///   - unread: the maximum time that the response was unread because murphy was away.
  ///   - service: from the actual send to the last byte.
  ///   - patience: until a newer query supersedes this one, by the plan; nil for never.
  package mutating func countResponse(
    latency: Int64, late: Int64 = 0, unread: Int64 = 0, service: Int64, patience: Int64? = nil
  ) {
    self.latency.record(latency)
    self.service.record(service)
    let delay = (late > Self.onTime ? late : 0) + unread
    let isLate = delay > 0
    let low = isLate ? max(latency - delay, 0) : latency
    if isLate {
      censored.lateLow.record(low)
      censored.lateHigh.record(latency)
    }
    for index in bounds.indices {
      bounds[index].count(
        low: bounds[index].isService ? service - unread : low, high: bounds[index].isService ? service : latency,
        patience: patience, byMurphy: isLate)
    }
  }

  /// Counts a request that ended without the last byte of a response.
  ///
  /// - Parameters: nanoseconds.
  ///   - waited: from the intended start, murphy's own delay subtracted; ignored for `unsentMurphy`.
  ///   - service: from the actual send; 0 for a request that was never sent.
  package mutating func censor(
    _ cause: CensoringCause, waited: Int64, service: Int64 = 0, patience: Int64? = nil
  ) {
    let isUnsent = cause == .unsentMurphy
    let low = isUnsent ? 0 : max(waited, 0)
    let served = isUnsent ? 0 : max(service, 0)
    censored.record(cause, waited: low, service: served)
    for index in bounds.indices {
      bounds[index].count(
        low: bounds[index].isService ? served : low, high: nil, patience: patience, byMurphy: isUnsent)
    }
  }

  /// Exact counts remain only for limits that both sides counted.
  package mutating func merge(_ other: LatencyAccount) {
    // Counts of a limit that only one side has would be incomplete; then the histograms decide.
    var merged: [BoundCount] = []
    let isFirst = samples == 0
    for bound in isFirst ? other.bounds : bounds {
      var whole = bound
      if !isFirst, other.samples > 0 {
        guard let part = other.bounds.first(where: { $0.isOfSameLimit(as: bound) }) else { continue }
        whole.merge(part)
      }
      merged.append(whole)
    }
    bounds = merged
    latency.merge(other.latency)
    service.merge(other.service)
    censored.merge(other.censored)
  }

  /// The exact counts for a limit; nil if they were not kept while the load ran.
  package func bound(isService: Bool, limit: Int64) -> BoundCount? {
    bounds.first { $0.isService == isService && $0.limit == limit }
  }
}

/// Exact counts for one limit of a latency or service budget, counted request by request in nanoseconds.
///
/// The latency x of a request is in [lo, hi]. Merged by adding.
package struct BoundCount: Sendable, Hashable, Codable {
  /// True for a limit of the service time, false for one of the latency.
  package var isService: Bool
  /// The limit in nanoseconds.
  package var limit: Int64
  /// Certainly over the limit: lo > limit.
  package var over = 0
  /// Possibly over it: lo ≤ limit < hi.
  package var maybe = 0
  /// The part of `maybe` that only murphy's own lateness or limits leave undecided.
  package var maybeByMurphy = 0
  /// Requests whose patience is at most the limit, whether or not they were answered. Patience is the planned time from
  /// this query to the next one.
  package var impatient = 0
  /// The impatient requests that are certainly over the limit.
  package var impatientOver = 0
  /// The impatient requests that are possibly over the limit.
  package var impatientMaybe = 0

  package init(isService: Bool, limit: Int64) {
    self.isService = isService
    self.limit = limit
  }

  /// - Parameters:
  ///   - high: nil without a response.
  ///   - patience: nil for a request that nothing supersedes.
  mutating func count(low: Int64, high: Int64?, patience: Int64?, byMurphy: Bool) {
    let isOver = low > limit
    let isOpen = !isOver && (high.map { $0 > limit } ?? true)
    if isOver { over += 1 }
    if isOpen {
      maybe += 1
      if byMurphy { maybeByMurphy += 1 }
    }
    if let patience, patience <= limit {
      impatient += 1
      if isOver { impatientOver += 1 }
      if isOpen { impatientMaybe += 1 }
    }
  }

  /// True if both count the same limit of the same quantity.
  package func isOfSameLimit(as other: BoundCount) -> Bool { isService == other.isService && limit == other.limit }

  /// Adds counts of the same limit.
  package mutating func merge(_ other: BoundCount) {
    over += other.over
    maybe += other.maybe
    maybeByMurphy += other.maybeByMurphy
    impatient += other.impatient
    impatientOver += other.impatientOver
    impatientMaybe += other.impatientMaybe
  }

  /// One count, initially zero, for each different limit that the budgets set for a percentile or a maximum.
  package static func bounds(of budgets: [Budget]) -> [BoundCount] {
    var bounds: [BoundCount] = []
    for budget in budgets {
      guard case .atMost(let limit) = budget.limit, budget.metric.percentile != nil else { continue }
      let bound = BoundCount(isService: budget.metric.isService, limit: limit.nanoseconds)
      if !bounds.contains(where: bound.isOfSameLimit) { bounds.append(bound) }
    }
    return bounds
  }
}
