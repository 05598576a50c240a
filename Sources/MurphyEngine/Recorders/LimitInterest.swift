import MurphyContract
import MurphyModel
import MurphyScenario

/// What the limit log must keep: for which operations, and by which request headers clients are told apart.
struct LimitInterest: Sendable {
  /// By operation: whether every request is logged. Others are logged from their first 429 on.
  let isLogged: [Bool]
  /// Names in lower case, ascending.
  let keyHeaders: [String]

  init(scenario: Scenario, contract: Contract) {
    let policies = scenario.expectations.limits.map(\.policy)
    isLogged = contract.operations.map { operation in
      !operation.documentedLimits.isEmpty || policies.contains { $0.covers(operation.id) }
    }
    var headers = Set(policies.flatMap(\.key.headerNames))
    for limit in contract.operations.flatMap(\.documentedLimits) { headers.formUnion(limit.key?.headerNames ?? []) }
    headers.insert("authorization")
    for header in scenario.sessions.flatMap(\.client.headers) { headers.insert(header.name.lowercased()) }
    keyHeaders = headers.sorted()
  }

  /// Whether some operation has a limit that is promised or documented.
  var logsAnything: Bool { isLogged.contains(true) }

  func isKey(_ header: String) -> Bool { keyHeaders.contains { header.isSameHeader(as: $0) } }
}
