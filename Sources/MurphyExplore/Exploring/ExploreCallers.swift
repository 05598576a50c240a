import MurphyContract
import MurphyModel

/// Credentials of those who ask, by operation.
package struct ExploreCallers: Sendable {
  private let document: Contract
  private var environment: [String: String]
  private var otherEnvironment: [String: String]
  private var own: [Credentials] = []
  private var others: [Credentials] = []
  /// Whether a second user is known.
  private(set) var hasOther = false

  /// What the variable of a second user's credential ends with.
  package static let otherSuffix = "_OTHER"

  /// - Parameter environment: variables that hold credentials.
  init(_ document: Contract, environment: [String: String]) {
    self.document = document
    self.environment = environment
    otherEnvironment = environment
    for variable in document.credentialVariables {
      guard let value = environment[variable + Self.otherSuffix], !value.isEmpty else { continue }
      otherEnvironment[variable] = value
      hasOther = true
    }
    refresh()
  }

  /// Takes a token that the API gave, where the environment has none.
  mutating func take(_ token: String, other: String?) {
    for variable in document.credentialVariables {
      if environment[variable, default: ""].isEmpty {
        environment[variable] = token
        otherEnvironment[variable] = token
      }
      if let other, !hasOther { otherEnvironment[variable] = other }
    }
    hasOther = hasOther || other != nil
    refresh()
  }

  private mutating func refresh() {
    own = document.operations.indices.map { document.credentials(operation: $0, environment: environment) }
    others = document.operations.indices.map { document.credentials(operation: $0, environment: otherEnvironment) }
  }

  /// Whether a call has the user's own credentials.
  func areSent(with call: ExploreCall) -> Bool {
    let own = own[call.operation]
    return call.caller == .own && !(own.headers.isEmpty && own.query.isEmpty && own.cookies.isEmpty)
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
