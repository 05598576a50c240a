import MurphyContract
import MurphyModel
import MurphyScenario

/// The contents that the limit log must keep: the operations, and the request headers that distinguish clients.
struct LimitInterest: Sendable {
  /// By operation: true if every request is logged. Others are logged from their first 429 on.
  let isLogged: [Bool]
  /// By operation: the number of connections over which a user spreads its requests; empty without a limit that counts
  /// requests. Separate counters of workers or of connections are invisible to a user with a single connection. All of
  /// four connections reach the same one of two workers for one user in eight, and no run has only one user that
  /// exceeds a quota.
  let widths: [Int]
  /// Names in lower case, ascending.
  let keyHeaders: [String]
  /// The costs of requests; nil if no limit declares one.
  let costs: LimitCosts?

  init(scenario: Scenario, contract: Contract) {
    let policies = scenario.expectations.limits.map(\.policy)
    isLogged = contract.operations.map { operation in
      !operation.documentedLimits.isEmpty || policies.contains { $0.covers(operation.countsAs ?? operation.id) }
    }
    let isCounted = contract.operations.map { operation in
      operation.documentedLimits.contains { $0.allow != nil && $0.per != nil }
        || policies.contains { !$0.isConcurrent && $0.covers(operation.countsAs ?? operation.id) }
    }
    widths = isCounted.contains(true) ? isCounted.map { $0 ? 4 : 1 } : []
    costs = LimitCosts(scenario.expectations.limits, contract)
    var headers = Set(policies.flatMap(\.key.headerNames))
    for limit in contract.operations.flatMap(\.documentedLimits) { headers.formUnion(limit.key?.headerNames ?? []) }
    headers.insert("authorization")
    for header in scenario.sessions.flatMap(\.client.headers) { headers.insert(header.name.lowercased()) }
    keyHeaders = headers.sorted()
  }

  /// Returns true if the user of an arrival spreads its requests. Closed connections occupy ports of this machine for a
  /// minute, so of many users only a part opens more of them.
  func spreads(_ arrival: Arrival) -> Bool { !widths.isEmpty && (arrival.user < 1_000 || arrival.user % 16 == 0) }

  /// True if some operation has a declared or documented limit.
  var logsAnything: Bool { isLogged.contains(true) }

  func isKey(_ header: String) -> Bool { keyHeaders.contains { header.isSameHeader(as: $0) } }
}
