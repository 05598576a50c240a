import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The part of an earlier exploration that is tested again.
package struct Replayed: Sendable {
  package var cases: [ExploredCase]
  /// Operations with a response that violated the contract, for any request.
  package var operations: Set<String>

  package init(cases: [ExploredCase], operations: Set<String>) {
    self.cases = cases
    self.operations = operations
  }

  func concerns(_ operation: String) -> Bool {
    operations.contains(operation) || cases.contains { $0.operation == operation }
  }

  /// The names of cases of an operation in a category.
  func names(of operation: String, _ category: ExploreCase.Category) -> Set<String> {
    Set(cases.filter { $0.operation == operation && $0.name.hasPrefix("\(category.rawValue) ") }.map(\.name))
  }

  func holds(_ operation: String, _ name: String) -> Bool {
    operations.contains(operation) || cases.contains { $0.operation == operation && $0.name == name }
  }
}

/// The immutable data that the explorers of a run share.
package struct ExploreConfiguration: Sendable {
  /// With an additional operation after each, for requests that deviate from it.
  package let contract: Contract
  /// Operations of the document itself, which are tested.
  package let operations: [Int]
  package let rule: WriteRule
  /// Operations without requests, and the reason.
  package let excluded: [Int: String]
  /// Masks secrets in all evidence.
  package let mask: SecretMask
  /// The settings of the connections to the target.
  package let transport: TransportOptions
  /// Any 127.x.y.z reaches the target: a rate limit that counts by address does not end the exploration.
  let hasManyAddresses: Bool
  /// The same seed gives the same cases.
  package let seed: UInt64
  /// The number of concurrent users; nil if the pace of the API decides.
  let users: Int?
  /// The maximum number of requests of the exploration.
  package let mostRequests: Int
  /// The maximum duration of the exploration.
  package let time: Duration
  /// True for random cases after all planned cases, until the time is over.
  let invents: Bool
  /// Kinds of findings that are not searched for.
  package let off: Set<FindingKind>
  /// If set, only these cases and all of these operations are tested; nil for everything.
  let replayed: Replayed?
  /// The callers, from the environment.
  let callers: ExploreCallers
  /// The token that explore renews: the user's own, or that of a login of the API.
  package var credential = SharedCredential()
  /// Variables with required credentials that are not set.
  package let missingCredentials: [String]
  /// A sentence for each scheme with credentials that are set but not sent.
  package let unusedCredentials: [String]
  /// Names of the environment variables with credentials, for messages.
  package let credentialVariables: [String]
  /// By operation: fields of bodies with secret values.
  let secretMembers: [Set<String>]
  /// Names that identify items in paths.
  let identifiers: Set<String>
  private let departures: [Int: Int]

  /// - Parameters:
  ///   - only: operationIds; empty for all.
  ///   - rule: the requests that may be sent.
  ///   - environment: variables that hold credentials.
  ///   - headers: of every request.
  package init(
    _ document: Contract, only: [String], rule: WriteRule, environment: [String: String], headers: [HeaderField] = [],
    mask: SecretMask,
    transport: TransportOptions, hasManyAddresses: Bool = false, seed: UInt64, users: Int? = nil, mostRequests: Int,
    time: Duration, invents: Bool = false,
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
    self.users = users
    self.mostRequests = mostRequests
    self.time = time
    self.invents = invents && replayed == nil
    self.off = off
    self.replayed = replayed
    callers = ExploreCallers(document, environment: environment, headers: headers)
    missingCredentials = Set(
      operations.flatMap {
        document.missingCredentials(operation: $0, environment: environment, headers: headers)
      }
    )
    .sorted()
    unusedCredentials = document.unusedCredentials(environment)
    credentialVariables = document.credentialVariables
    identifiers = SecretName.identifiers(in: contract.operations.map(\.path))
    secretMembers = contract.secretMembers.map(\.names)
    departures = Dictionary(
      uniqueKeysWithValues: ids.enumerated().compactMap { index, id in contract.index(of: id).map { (index, $0) } })
  }

  /// True if the status means that the operation succeeded. A redirect counts if the operation documents only
  /// redirects.
  func isSuccess(_ status: Int, of operation: Int) -> Bool {
    (200..<300).contains(status) || status == 304 || contract.operations[operation].redirects(by: status)
  }

  /// The operation under which a call is counted.
  func label(of call: ExploreCall) -> Int {
    call.isOffContract || call.method != nil ? departures[call.operation] ?? call.operation : call.operation
  }
}
