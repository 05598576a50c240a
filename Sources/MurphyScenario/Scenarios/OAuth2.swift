import MurphyModel
import MurphySchema

/// `oauth2:` how users get the access tokens that they send as `Authorization: Bearer` (RFC 6749, RFC 6750).
package struct OAuth2: Sendable {
  package enum Grant: String, Sendable, CaseIterable {
    /// §4.4
    case clientCredentials = "client_credentials"
    /// §4.3
    case password
    /// §6
    case refreshToken = "refresh_token"
  }

  /// How the client says who it is (§2.3.1).
  package enum ClientAuthentication: String, Sendable, CaseIterable {
    /// `Authorization: Basic`, which every server must take.
    case basic
    /// `client_id` and `client_secret` in the body.
    case body
  }

  /// Absolute, or a path of the target.
  package var tokenURL: String
  package var clientID: Template
  /// Nil for a client that has none.
  package var clientSecret: Template?
  package var scope: Template?
  package var grant = Grant.clientCredentials
  /// Of the password grant.
  package var user: Template?
  package var password: Template?
  /// Of the refresh grant.
  package var refreshToken: Template?
  /// What a server wants besides, such as `audience`.
  package var parameters: [NamedTemplate] = []
  package var clientAuthentication = ClientAuthentication.basic
  /// Whether one token is all users' own.
  package var isShared = false
  /// Where it stands: what tells one from another.
  package let mark: SourceMark

  /// What one user asks for a token with.
  package struct Request: Sendable {
    package var clientID: String
    package var clientSecret: String?
    /// The grant's own parameters, without the client's.
    package var parameters: [(name: String, value: String)]
    /// Where refusing to refresh leaves the user nothing to begin again with.
    package var scope: String?
  }

  /// With this user's values. Takes nothing of the session's stream: how often a token is needed depends on the API.
  package func request(in scope: inout Scope, random: RandomSource) throws(EvaluationError) -> Request {
    var stream = random
    func text(_ template: Template?, isSecret: Bool = false) throws(EvaluationError) -> String? {
      guard let value = try template?.evaluate(in: &scope, random: &stream), value != .null else { return nil }
      if isSecret, template?.isConstant == false { scope.learn(value) }
      return value.interpolated
    }
    var request = Request(clientID: try text(clientID) ?? "", parameters: [("grant_type", grant.rawValue)])
    request.clientSecret = try text(clientSecret, isSecret: true)
    request.scope = try text(self.scope)
    func add(_ name: String, _ value: String?) { if let value { request.parameters.append((name, value)) } }
    switch grant {
    case .clientCredentials: break
    case .password:
      add("username", try text(user))
      add("password", try text(password, isSecret: true))
    case .refreshToken: add("refresh_token", try text(refreshToken, isSecret: true))
    }
    add("scope", request.scope)
    for parameter in parameters { add(parameter.name, try text(parameter.value)) }
    return request
  }

  /// The templates whose values are secrets.
  var secrets: [Template] { [clientSecret, password, refreshToken].compactMap(\.self) }
}

extension Scope {
  /// A token is a secret from now on.
  package mutating func learn(token: String) { learn(.string(token), ShellVariable("SECRET", "authorization")) }
}

extension Scenario {
  /// How the users of its sessions, and of setup and teardown, get their tokens; each once.
  package var tokenSources: [OAuth2] {
    var seen: Set<SourceMark> = []
    return (sessions + [setup, teardown].compactMap(\.self)).compactMap(\.client.authentication?.oauth2)
      .filter { seen.insert($0.mark).inserted }
  }
}
