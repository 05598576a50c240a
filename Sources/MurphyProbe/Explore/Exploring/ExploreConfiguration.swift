import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// What of an earlier exploration is tried again.
package struct Replayed: Sendable {
  package var cases: [ExploredCase]
  /// Operations of which an answer broke the contract, whatever asked for it.
  package var operations: Set<String>

  package init(cases: [ExploredCase], operations: Set<String>) {
    self.cases = cases
    self.operations = operations
  }

  func concerns(_ operation: String) -> Bool {
    operations.contains(operation) || cases.contains { $0.operation == operation }
  }

  func holds(_ operation: String, _ name: String) -> Bool {
    operations.contains(operation) || cases.contains { $0.operation == operation && $0.name == name }
  }
}

/// All that the explorers of a run share, immutable.
package struct ExploreConfiguration: Sendable {
  /// With an operation for requests that depart from it behind each.
  package let contract: Contract
  /// Operations of the document itself, which are tried.
  package let operations: [Int]
  let rule: WriteRule
  /// Operations of which no request is sent, and why.
  package let excluded: [Int: String]
  package let mask: SecretMask
  package let transport: TransportOptions
  /// Any 127.x.y.z reaches the target: a rate limit that counts by address does not end the exploration.
  let hasManyAddresses: Bool
  package let seed: UInt64
  package let mostRequests: Int
  package let time: Duration
  /// Findings of these kinds are not looked for.
  package let off: Set<FindingKind>
  /// Only these cases are tried, and all of these operations; nil for everything.
  let replayed: Replayed?
  /// Who asks, as far as the environment says it.
  let callers: ExploreCallers
  /// Variables with credentials that operations need and that are not set.
  package let missingCredentials: [String]
  /// A sentence for each scheme whose credentials are set and not sent.
  package let unusedCredentials: [String]
  package let credentialVariables: [String]
  /// By operation: members of bodies whose values are secret.
  let secretMembers: [Set<String>]
  private let departures: [Int: Int]

  /// - Parameters:
  ///   - only: operationIds; empty for all.
  ///   - rule: which requests may be sent.
  ///   - environment: variables that hold credentials.
  package init(
    _ document: Contract, only: [String], rule: WriteRule, environment: [String: String], mask: SecretMask,
    transport: TransportOptions, hasManyAddresses: Bool = false, seed: UInt64, mostRequests: Int, time: Duration,
    off: Set<FindingKind>, replaying replayed: Replayed? = nil
  ) {
    let ids = document.operations.map { "\($0.id) (off the contract)" }
    let departed = zip(document.operations, ids).map { operation, id in
      Contract.UndocumentedOperation(
        id: id, method: operation.method, path: operation.path, limits: operation.documentedLimits,
        countsAs: operation.id)
    }
    let contract = document.adding(departed)
    self.contract = contract
    var excluded: [Int: String] = [:]
    for (index, operation) in document.operations.enumerated() {
      excluded[index] = rule.exclusion(of: operation)
    }
    (self.rule, self.excluded) = (rule, excluded)
    operations = document.operations.indices.filter { index in
      document.operations[index].mistakes.isEmpty && excluded[index] == nil
        && (only.isEmpty || only.contains(document.operations[index].id))
    }
    self.mask = mask
    self.transport = transport
    self.hasManyAddresses = hasManyAddresses
    self.seed = seed
    self.mostRequests = mostRequests
    self.time = time
    self.off = off
    self.replayed = replayed
    callers = ExploreCallers(document, environment: environment)
    missingCredentials = Set(
      operations.flatMap { document.credentials(operation: $0, environment: environment).missing }
    )
    .sorted()
    unusedCredentials = document.unusedCredentials(environment)
    credentialVariables = document.credentialVariables
    secretMembers = contract.operations.indices.map { contract.secretMembers(operation: $0) }
    departures = Dictionary(
      uniqueKeysWithValues: ids.enumerated().compactMap { index, id in contract.index(of: id).map { (index, $0) } })
  }

  /// Whether the status says that the operation did what it does: to redirect, where it documents nothing else.
  func isSuccess(_ status: Int, of operation: Int) -> Bool {
    (200..<300).contains(status) || status == 304 || contract.operations[operation].redirects(by: status)
  }

  /// The operation under which a call is counted.
  func label(of call: ExploreCall) -> Int {
    call.isOffContract || call.method != nil ? departures[call.operation] ?? call.operation : call.operation
  }
}
