import MurphyContract
import MurphyModel
import MurphyScenario

/// The properties of a scenario's credentials that are determined before the load.
struct CredentialInterest: Sendable {
  /// By operation: true for one that the contract leaves open although it secures others.
  let isOpen: [Bool]
  /// By operation: true if a step saves credentials from its response.
  let isLogin: [Bool]
  /// True if a request may carry credentials other than cookies that the API set. Such cookies belong to one session,
  /// and anonymous users get some, too: their end proves nothing about the others.
  let isSent: Bool
  /// True if sessions may get their own credentials, so that older ones may expire: they log in, request tokens, send
  /// the value of a variable, or are written in Swift.
  let isRenewed: Bool
  /// True if all sessions send the same credentials with all requests.
  let isShared: Bool
  /// By operation: true if the contract documents a 403 with headers of a rate limit.
  let isLimitedBy403: [Bool]

  /// - Parameters:
  ///   - isGiven: true if the environment gives credentials.
  ///   - isWritten: true if a session is written in Swift. Its headers and its handling of responses are not known in
  ///     advance.
  ///   - isSecret: true if the field of this name is a credential.
  init(
    _ scenario: Scenario, _ contract: Contract, isGiven: Bool, isWritten: Bool, isSecret: (String) -> Bool,
    isCredential: (Variable) -> Bool
  ) {
    let isSecured = contract.operations.contains { !$0.isOpen }
    isOpen = contract.operations.map { isSecured && $0.isOpen && $0.isDocumented }
    let logins = Set(
      scenario.sessions.flatMap(\.calls).filter { call in call.saves.contains { isCredential($0.variable) } }
        .compactMap { contract.index(of: $0.operation.id) })
    isLogin = contract.operations.indices.map(logins.contains)
    let clients = scenario.sessions.map(\.client)
    let isSentByStep = scenario.sessions.flatMap(\.calls).contains {
      !$0.cookies.isEmpty || $0.headers.contains { isSecret($0.name) }
    }
    isSent =
      isGiven || isWritten || isSentByStep
      || clients.contains { $0.authentication != nil || $0.headers.contains { isSecret($0.name) } }
    let always = clients.flatMap(\.headers).map { ($0.name, $0.value) }
    let sent = scenario.sessions.flatMap(\.calls).flatMap(\.headers).map { ($0.name, $0.value) }
    let isPersonal = (always + sent).contains { isSecret($0.0) && !$0.1.variables.isEmpty }
    isRenewed =
      isWritten || isPersonal || !logins.isEmpty
      || scenario.sessions.contains { $0.client.authentication?.oauth2 != nil }
    let sets = clients.map { client in
      (client.authentication?.templates ?? [])
        + client.headers.filter { isSecret($0.name) }.map(\.value)
    }
    isShared =
      !isRenewed && !isSentByStep && sets.joined().allSatisfy(\.isConstant)
      && Set(sets.map { $0.map(\.source) }).count == 1
    isLimitedBy403 = contract.operations.map { operation in
      operation.responses.contains { $0.status == .exactly(403) && $0.headers.contains(where: \.concernsLimits) }
    }
  }
}

extension Authentication {
  fileprivate var templates: [Template] {
    switch self {
    case .bearer(let token): [token]
    case .basic(let user, let password): [user, password]
    case .apiKey(_, _, let value): [value]
    case .oauth2: []
    }
  }
}

extension HeaderPromise {
  fileprivate var concernsLimits: Bool {
    let name = name.lowercased()
    return ["ratelimit", "rate-limit", "retry-after"].contains { name.contains($0) }
  }
}
