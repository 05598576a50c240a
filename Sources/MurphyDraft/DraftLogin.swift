import MurphyContract

/// How users of a draft get a token of their own: from an operation that anybody may call.
package struct DraftLogin: Sendable {
  static let token = "token"
  package let operation: String
  /// The environment variable that a token could come from instead.
  package let variable: String
  let call: DraftedCall
  private let scheme: String

  /// Nil where no operation gives a token, or no operation takes one.
  package init?(_ contract: Contract, _ rule: WriteRule) {
    let used = Set(contract.operations.flatMap(\.security).flatMap(\.schemes)).sorted()
    let scheme = used.compactMap { contract.securitySchemes[$0] }.first { scheme in
      switch scheme.kind {
      case .http(let name): name.lowercased() == "bearer"
      case .token: scheme.clientCredentials == nil
      case .apiKey, .mutualTLS: false
      }
    }
    let logins = contract.logins.filter { login in
      let operation = contract.operations[login.operation]
      return !operation.path.contains("{") && rule.exclusion(of: operation) == nil
    }
    guard let scheme, let login = logins.first else { return nil }
    var writer = CallDraft(contract)
    guard var call = try? writer.call(login.operation, path: []) else { return nil }
    let path = "$" + login.token.map(Producers.step).joined()
    call.saves = [DraftedSave(name: Self.token, source: .body(path))]
    self.call = call
    (operation, self.scheme, variable) = (call.operation, scheme.name, scheme.environmentVariable)
  }

  /// Whether the operation takes the token.
  func covers(_ operation: Contract.Operation) -> Bool { operation.security.contains { $0.schemes == [scheme] } }

  static let header = (name: "Authorization", value: DraftedValue.template("Bearer ${\(token)}"))
}
