import MurphyModel

/// How the costs of requests count against one limit.
///
/// Costs count in units, so that large costs need little memory. A proof of over-admission rounds the cost of each
/// request down to whole units, and a proof of over-throttling rounds it up. Both are exact if the unit divides all
/// costs.
package struct LimitWeighing: Sendable, Hashable {
  /// The part of the allowance in one unit.
  package var unit: Int
  /// True if the unit divides all costs.
  package var isExact: Bool
  /// The units of one request, at most. A check tries no larger quota, so that more units would prove no more.
  package var mostOfOne: Int
  /// True if the limiter may count a cost when it sends the response, after it admits the request.
  package var isCountedLate: Bool

  /// The units of all requests of a limit together, at most, and five in addition for each request.
  package static let mostUnits = 2_000_000

  /// - Parameter costs: the costs of all requests, known and assumed.
  package init(_ costs: some Collection<Int>, allowance: Int, isCountedLate: Bool) {
    self.isCountedLate = isCountedLate
    let highest = LimitFit.mostTried(allowance) + 1
    var divisor = 0
    var total = 0
    for cost in costs {
      (divisor, total) = (Self.commonDivisor(divisor, cost), total + min(cost, highest))
    }
    divisor = max(divisor, 1)
    // A quota has one unit or more.
    unit = min(divisor * (total / divisor / Self.mostUnits + 1), allowance)
    isExact = divisor % unit == 0
    mostOfOne = (highest + unit - 1) / unit
  }

  /// The units that a request certainly used.
  @inline(__always)
  func least(_ cost: Int) -> Int { min(cost / unit, mostOfOne) }

  /// The units that a request used at most.
  @inline(__always)
  func most(_ cost: Int) -> Int { min((cost + unit - 1) / unit, mostOfOne) }

  /// The time from which on a limiter may reject because of a cost above ``mostOfOne``, seconds; nil for none. A bucket
  /// or a sliding counter that counts such a cost rejects for longer than the units show.
  func debt(of requests: [LimitTrace.Request], _ policy: LimitPolicy) -> Double? {
    guard isCountedLate || policy.counts.refused != .no,
      [.tokenBucket, .slidingCounter, .any].contains(policy.algorithm)
    else { return nil }
    let counted = requests.lazy.filter { $0.role != .refused || policy.counts.refused != .no }
    return counted.filter { $0.cost > mostOfOne * unit }.map(\.sent).min()
  }

  private static func commonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : commonDivisor(other, one % other)
  }

  /// The units by which the total of a window may exceed the allowance.
  ///
  /// A limiter that counts a cost after it admits the request admits while the total is below the allowance. When it
  /// admits the last request of a window, all requests that it has not counted yet are in flight. So the total is below
  /// the allowance and the costs in flight.
  func excess(of requests: [LimitTrace.Request]) -> Int {
    guard isCountedLate else { return 0 }
    let certain = requests.filter { $0.role == .certain }
    let ends = certain.sorted { $0.settled < $1.settled }
    var (inFlight, most, ended) = (0, 0, 0)
    for request in certain {
      while ended < ends.count, ends[ended].settled < request.sent {
        inFlight -= min(ends[ended].cost, mostOfOne * unit)
        ended += 1
      }
      inFlight += min(request.cost, mostOfOne * unit)
      most = max(most, inFlight)
    }
    return max((most + unit - 1) / unit - 1, 0)
  }
}

extension LimitTrace {
  /// The part of the allowance in one entry of the arrays.
  var unit: Int { weighing?.unit ?? 1 }

  /// The entries that a check reads.
  var size: Int { max(requests.count, possibleSent.count) }

  /// The units that a request certainly used.
  @inline(__always)
  func leastUnits(_ request: Request) -> Int { weighing?.least(request.cost) ?? request.cost }

  /// The units that a request used at most.
  @inline(__always)
  func mostUnits(_ request: Request) -> Int { weighing?.most(request.cost) ?? request.cost }

  /// The units that must have been counted before a rejection; with rejections that may count, including its own.
  @inline(__always)
  func needed(for refusal: Request, _ terms: LimitTerms) -> Int {
    guard weighing != nil else { return terms.allowance + (refusedMayCount ? 1 : 0) }
    return needed(for: refusal, of: terms.allowance * unit) + (refusedMayCount ? mostUnits(refusal) : 0)
  }

  /// The units of admissions that explain a rejection by a quota: a request of cost c needs L − c + 1.
  @inline(__always)
  func needed(for refusal: Request, of allowance: Int) -> Int {
    (max(allowance - max(refusal.cost, 1) + 1, 0) + unit - 1) / unit
  }
}

/// The certain admissions after rejections that cost no less: in the same window, a request that costs less may still be
/// admitted.
struct LaterAdmissions {
  private struct Column {
    var sent: [Double] = []
    /// The earliest response from each on, in the order sent.
    var earliestSettled: [Double] = []
  }

  private let trace: LimitTrace
  /// By minimum cost.
  private var columns: [Int: Column] = [:]

  init(_ trace: LimitTrace) { self.trace = trace }

  /// The first send from a time on, and the earliest response of all from it on.
  mutating func first(
    from moment: Double, after refusal: LimitTrace.Request
  ) -> (sent: Double, settled: Double)? {
    let least = Self.step(refusal.cost)
    let column = columns[least] ?? admissions(costing: least)
    columns[least] = column
    let next = column.sent.count(upTo: moment)
    return next < column.sent.count ? (column.sent[next], column.earliestSettled[next]) : nil
  }

  private func admissions(costing least: Int) -> Column {
    var column = Column()
    for request in trace.requests where request.role == .certain && request.cost >= least {
      column.sent.append(request.sent)
      column.earliestSettled.append(request.settled)
    }
    for index in stride(from: column.sent.count - 2, through: 0, by: -1) {
      column.earliestSettled[index] = min(column.earliestSettled[index], column.earliestSettled[index + 1])
    }
    return column
  }

  /// A cost that is not much higher, so that there are few columns.
  private static func step(_ cost: Int) -> Int {
    let step = 1 << max(Int.bitWidth - max(cost, 1).leadingZeroBitCount - 4, 0)
    return (cost + step - 1) / step * step
  }
}

extension LimitPolicy {
  /// `30 times`; with costs, `at a cost of 30`
  func amount(_ admitted: Int) -> String { cost == nil ? counted(admitted, "time") : "at a cost of \(admitted.text)" }
}

extension LimitTerms {
  /// The terms of a policy, in units of a trace.
  init(
    _ policy: LimitPolicy, unit: Int, tick: Double, drift: Double, phase: AlignedWindowRule.KnownPhase? = nil
  ) {
    self.init(
      allowance: policy.allowance / unit, window: policy.window.inSeconds, tick: tick, drift: drift, phase: phase)
    rest = Double(policy.allowance % unit) / Double(unit)
  }
}

/// The costs of the requests of one limit.
struct RequestCosts {
  private(set) var weighing: LimitWeighing
  private let log: LimitLog
  private let allowance: Int
  /// By entry of the log's costs.
  private let costs: [Int?]
  /// By request: the highest cost of an equal one. A rejection may not state a cost.
  private let costOfRequest: [Int32: Int]

  /// Nil for a policy without costs.
  init?(_ policy: LimitPolicy, _ log: LimitLog, _ members: some Sequence<Int>) {
    guard let cost = policy.cost else { return nil }
    self.log = log
    allowance = policy.allowance
    costs = log.costs.map { $0[cost.text] }
    var costOfRequest: [Int32: Int] = [:]
    for index in members {
      let observation = log.observations[index]
      guard observation.costs >= 0, observation.request >= 0, let cost = costs[Int(observation.costs)] else { continue }
      costOfRequest[observation.request] = max(costOfRequest[observation.request] ?? 0, cost)
    }
    self.costOfRequest = costOfRequest
    weighing = LimitWeighing([], allowance: policy.allowance, isCountedLate: cost.isCountedLate)
    weighing = LimitWeighing(members.map(most), allowance: policy.allowance, isCountedLate: cost.isCountedLate)
  }

  func known(_ index: Int) -> Int? {
    let costs = log.observations[index].costs
    return costs < 0 ? nil : self.costs[Int(costs)]
  }

  /// The known cost, that of an equal request, or the whole allowance.
  func most(_ index: Int) -> Int { known(index) ?? costOfRequest[log.observations[index].request] ?? allowance }
}
