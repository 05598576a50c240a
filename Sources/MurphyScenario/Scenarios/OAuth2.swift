import MurphyModel
import MurphySchema

/// `oauth2:` the source of the access tokens that users send as `Authorization: Bearer` (RFC 6749, RFC 6750).
package struct OAuth2: Sendable {
  /// The grant types that murphy supports.
  package enum Grant: String, Sendable, CaseIterable {
    /// §4.4
    case clientCredentials = "client_credentials"
    /// §4.3
    case password
    /// §6
    case refreshToken = "refresh_token"
  }

  /// The client authentication (§2.3.1).
  package enum ClientAuthentication: String, Sendable, CaseIterable {
    /// `Authorization: Basic`, which every server must accept.
    case basic
    /// `client_id` and `client_secret` in the body.
    case body
  }

  /// Absolute, or a path of the target.
  package var tokenURL: String
  package var clientID: Template
  /// Nil for a client without a secret.
  package var clientSecret: Template?
  /// Nil to request no scope.
  package var scope: Template?
  package var grant = Grant.clientCredentials
  /// The user of the password grant.
  package var user: Template?
  /// Nil for a grant without a password.
  package var password: Template?
  /// The token of the refresh grant.
  package var refreshToken: Template?
  /// Additional parameters that a server requires, such as `audience`.
  package var parameters: [NamedTemplate] = []
  /// How the client sends its id and secret to the token server.
  package var clientAuthentication = ClientAuthentication.basic
  /// True if all users share one token.
  package var isShared = false
  /// Its position in the file, which distinguishes it from others.
  package let mark: SourceMark

  /// The token request of one user.
  package struct Request: Sendable {
    package var clientID: String
    /// Secret; nil if the client has none.
    package var clientSecret: String?
    /// The grant's own parameters, without the client's.
    package var parameters: [(name: String, value: String)]
    /// The requested scope, which is also sent with a refresh; nil for none.
    package var scope: String?
  }

  /// The request with this user's values. It takes nothing from the session's stream, because the API determines how
  /// often a token is required.
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
  /// Records a token as a secret.
  package mutating func learn(token: String) { learn(.string(token), ShellVariable("SECRET", "authorization")) }
}

extension Scenario {
  /// The token sources of the users of its sessions, and of setup and teardown; each once.
  package var tokenSources: [OAuth2] {
    var seen: Set<SourceMark> = []
    return (sessions + [setup, teardown].compactMap(\.self)).compactMap(\.client.authentication?.oauth2)
      .filter { seen.insert($0.mark).inserted }
  }
}
