import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyTransport

/// All that the explorers of a run share, immutable.
package struct ExploreSetting: Sendable {
  /// With an operation for requests that depart from it behind each.
  package let contract: Contract
  /// Operations of the document itself, which are tried.
  package let operations: [Int]
  package let mask: SecretMask
  package let transport: TransportOptions
  package let seed: UInt64
  /// Requests that may be sent.
  package let mostRequests: Int
  /// Findings of these kinds are not looked for.
  package let off: Set<FindingKind>
  private let own: [Credentials]
  private let others: [Credentials]
  /// Whether the environment names a second user.
  package let hasOtherUser: Bool
  /// By operation: members of bodies whose values are secret.
  let secretMembers: [Set<String>]
  private let departures: [Int: Int]

  /// What the variable of a second user's credential ends with.
  package static let otherSuffix = "_OTHER"

  /// - Parameters:
  ///   - only: operationIds; empty for all.
  ///   - environment: variables that hold credentials.
  package init(
    _ document: Contract, only: [String], environment: [String: String], mask: SecretMask, transport: TransportOptions,
    seed: UInt64, mostRequests: Int, off: Set<FindingKind>
  ) {
    let ids = document.operations.map { "\($0.id), off the contract" }
    let departed = zip(document.operations, ids).map { operation, id in
      Contract.UndocumentedOperation(id: id, method: operation.method, path: operation.path)
    }
    let contract = document.adding(departed)
    self.contract = contract
    operations = document.operations.indices.filter { index in
      document.operations[index].mistakes.isEmpty && (only.isEmpty || only.contains(document.operations[index].id))
    }
    self.mask = mask
    self.transport = transport
    self.seed = seed
    self.mostRequests = mostRequests
    self.off = off
    var other = environment
    var hasOther = false
    for variable in document.credentialVariables {
      guard let value = environment[variable + Self.otherSuffix], !value.isEmpty else { continue }
      other[variable] = value
      hasOther = true
    }
    hasOtherUser = hasOther
    secretMembers = contract.operations.indices.map { contract.secretMembers(operation: $0) }
    own = document.operations.indices.map { document.credentials(operation: $0, environment: environment) }
    others = document.operations.indices.map { document.credentials(operation: $0, environment: other) }
    departures = Dictionary(
      uniqueKeysWithValues: ids.enumerated().compactMap { index, id in contract.index(of: id).map { (index, $0) } })
  }

  /// The operation under which a call is counted.
  func label(of call: ExploreCall) -> Int {
    call.isOffContract || call.method != nil ? departures[call.operation] ?? call.operation : call.operation
  }

  /// What the caller adds to a call.
  func credentials(of call: ExploreCall) -> Credentials {
    let own = own[call.operation]
    switch call.caller {
    case .own: return own
    case .none: return Credentials()
    case .other: return others[call.operation]
    case .wrong: return own.replaced { $0.replacingCredential(with: "murphy-wrong-0000") }
    case .wrongScheme: return own.replaced { "Basic " + ($0.split(separator: " ").last.map(String.init) ?? $0) }
    }
  }

  /// Variables with credentials that operations need and that are not set.
  package var missingCredentials: [String] { operations.flatMap { own[$0].missing } }
}

extension Credentials {
  fileprivate func replaced(_ new: (String) -> String) -> Credentials {
    var copy = self
    copy.headers = headers.map { HeaderField($0.name, new($0.value)) }
    for index in query.indices { copy.query[index].value = new(query[index].value) }
    for index in cookies.indices { copy.cookies[index].value = new(cookies[index].value) }
    if copy.headers.isEmpty, copy.query.isEmpty, copy.cookies.isEmpty {
      copy.headers = [HeaderField("Authorization", new("Bearer none"))]
    }
    return copy
  }
}

extension String {
  /// The scheme stays, what follows it does not.
  fileprivate func replacingCredential(with new: String) -> String {
    let parts = split(separator: " ", maxSplits: 1)
    return parts.count == 2 ? "\(parts[0]) \(new)" : new
  }
}
