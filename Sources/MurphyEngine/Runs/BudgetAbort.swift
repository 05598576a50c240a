import MurphyModel
import MurphyScenario

/// Decides while the load runs if a budget is lost for every possible rest of the load.
///
/// A statistical test on a sample, sequential or not, assumes independent requests, and they are not. A stall of two
/// seconds, which the rest of a run compensates, would end the run. So requests are counted against the whole load
/// instead:
///
///     seen     requests that came due so far; over: those certainly over the limit, or errors
///     most     seen + m + m/10 + 4·√m, where m = requests of the sessions that have not ended, from the plan
///     lost     over > the number that the budget allows of `most`
///
/// A run that would have kept its budget is ended only when its sessions make more requests than `most`. The plan
/// determines how many they make. For a Poisson number, the margin is exceeded in fewer than one run of 10,000. A
/// budget never ends a run if responses decide the number of its operation's calls (`PlanDemand`), or in a closed
/// model.
package struct BudgetAbort: Sendable {
  /// A budget with the indexes of its operations in the contract, and the requests that one session makes of them.
  private typealias Target = (budget: Budget, operations: [Int], perSession: Double)

  private let targets: [Target]
  private let arrivals: Int
  /// The part of the load that must have passed first.
  private let begin: Duration

  /// Nil where the load cannot be ended by a budget.
  init?(_ context: RunContext) {
    guard let begin = context.scenario.settings.abortWhenLost, let demand = PlanDemand(context.plan) else { return nil }
    self.init(
      context.scenario.expectations.allBudgets, operations: context.contract.operations.map(\.id), demand: demand.count,
      arrivals: context.plan.arrivals, begin: begin)
  }

  /// - Parameter demand: the requests of an operation in the whole plan, `*` for all; nil where responses decide the
  ///   number.
  package init?(
    _ budgets: [Budget], operations: [String], demand: (String) -> Double?, arrivals: Int, begin: Duration
  ) {
    let targets = budgets.compactMap { budget -> Target? in
      guard let count = demand(budget.operation), count > 0 else { return nil }
      let places = operations.indices.filter { ["*", operations[$0]].contains(budget.operation) }
      return (budget, places, count / Double(max(arrivals, 1)))
    }
    guard !targets.isEmpty else { return nil }
    self.targets = targets
    self.arrivals = arrivals
    self.begin = begin
  }

  /// - Parameter now: the time since the load's zero.
  package func lost(_ standing: BudgetStanding, at now: Duration) -> LostBudget? {
    guard now >= begin else { return nil }
    for (budget, operations, perSession) in targets {
      guard let count = standing.count(budget, of: operations) else { continue }
      let rest = Double(max(arrivals - standing.endedSessions, 0)) * perSession
      let most = count.seen + Int(saturating: (rest * 1.1 + 4 * rest.squareRoot()).rounded(.up))
      guard let allowed = Self.allowance(budget, of: most), count.over > allowed, count.seen >= Self.fewest(budget)
      else { continue }
      return LostBudget(
        at: .saturating(seconds: (now.inSeconds * 10).rounded() / 10), operation: budget.operation,
        metric: budget.metric,
        limit: budget.limit.measure, over: count.over, allowed: allowed, requests: most)
    }
    return nil
  }

  /// The number of requests, of a given total, that may be over the limit, or errors; nil for metrics that no count
  /// decides.
  private static func allowance(_ budget: Budget, of requests: Int) -> Int? {
    if case .share(let share) = budget.limit { return Int(saturating: share * Double(requests) * (1 + 1e-12)) }
    guard let percentile = budget.metric.percentile else { return nil }
    return percentile < 100 ? requests - LatencyDistribution.rank(percentile, of: requests) : 0
  }

  /// The minimum number of samples: as many requests as detect a slow one with 95 %. With fewer, chance decides.
  private static func fewest(_ budget: Budget) -> Int {
    guard let percentile = budget.metric.percentile, percentile < 100 else { return 1 }
    return Int(saturating: 3 / (1 - percentile / 100))
  }
}

/// The counts of the budgets by one loop, or by all of them, so far.
package struct BudgetStanding: Sendable {
  /// The counts of one operation.
  package struct Operation: Sendable {
    /// Requests that came due so far.
    package var seen = 0
    /// Those of them that are certainly errors.
    package var errors = 0
    package var bounds: [BoundCount] = []

    package init() {}
  }

  /// By index of the operation in the contract.
  package var operations: [Int: Operation] = [:]
  /// Sessions that have ended, in whatever way.
  package var endedSessions = 0

  package init() {}

  init(_ tallies: [OperationTally?], _ sessions: [SessionTally]) {
    for (index, tally) in tallies.enumerated() {
      guard let tally = tally?.record else { continue }
      var operation = Operation()
      operation.seen = tally.planned
      operation.errors =
        tally.outcomes.clientError + tally.outcomes.serverError + tally.outcomes.transport - tally.exhausted
      operation.bounds = tally.account.bounds
      operations[index] = operation
    }
    endedSessions = sessions.reduce(0) {
      $0 + $1.completed + $1.failed.values.reduce(0, +) + $1.left.values.reduce(0, +)
    }
  }

  mutating func merge(_ part: BudgetStanding) {
    endedSessions += part.endedSessions
    for (index, other) in part.operations {
      guard var whole = operations[index] else {
        operations[index] = other
        continue
      }
      whole.seen += other.seen
      whole.errors += other.errors
      for place in whole.bounds.indices {
        if let same = other.bounds.first(where: { $0.isOfSameLimit(as: whole.bounds[place]) }) {
          whole.bounds[place].merge(same)
        }
      }
      operations[index] = whole
    }
  }

  /// - Returns: nil for a metric that no count decides.
  func count(_ budget: Budget, of places: [Int]) -> (seen: Int, over: Int)? {
    var sum = (seen: 0, over: 0)
    for place in places {
      guard let operation = operations[place] else { continue }
      sum.seen += operation.seen
      switch (budget.metric, budget.limit) {
      case (.errors, .share): sum.over += operation.errors
      case (_, .atMost(let limit)) where budget.metric.percentile != nil:
        let bound = operation.bounds.first {
          $0.isService == budget.metric.isService && $0.limit == limit.nanoseconds
        }
        sum.over += bound?.over ?? 0
      default: return nil
      }
    }
    return sum
  }
}
