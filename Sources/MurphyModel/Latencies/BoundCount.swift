/// Exact counts for one limit of a latency or service budget, made request by request in nanoseconds.
///
/// The latency x of a request lies in [lo, hi]. Merged by adding.
public struct BoundCount: Sendable, Hashable {
  public var isService: Bool
  /// Nanoseconds.
  public var limit: Int64
  /// Surely over the limit: lo > limit.
  public var over = 0
  /// Perhaps over it: lo ≤ limit < hi.
  public var maybe = 0
  /// Of `maybe`: those of whom only murphy's own lateness or limits leave it open.
  public var maybeByMurphy = 0
  /// Requests whose patience, the time from this query to the next one as the plan has it, is at most the limit;
  /// whether or not they were answered.
  public var impatient = 0
  public var impatientOver = 0
  public var impatientMaybe = 0

  public init(isService: Bool, limit: Int64) {
    self.isService = isService
    self.limit = limit
  }

  /// - Parameters:
  ///   - high: nil when no answer came.
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

  func isOfSameLimit(as other: BoundCount) -> Bool { isService == other.isService && limit == other.limit }

  mutating func merge(_ other: BoundCount) {
    over += other.over
    maybe += other.maybe
    maybeByMurphy += other.maybeByMurphy
    impatient += other.impatient
    impatientOver += other.impatientOver
    impatientMaybe += other.impatientMaybe
  }
}

extension BoundCount {
  /// One, still at zero, for each different limit that the budgets name of a percentile or a maximum.
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
