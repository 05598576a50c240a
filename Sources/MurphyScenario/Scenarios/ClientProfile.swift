import Foundation
import MurphyModel
import MurphySchema

/// The settings of one virtual user.
package struct ClientProfile: Sendable {
  /// Sent with every request; a call's own header of the same name replaces it.
  package var headers: [ClientHeader] = []
  /// Names generated once when a session begins, in this order, before headers and address.
  package var variables: [Assignment] = []
  /// True if cookies are kept, separately for each user.
  package var cookies = true
  /// Decides if a session reuses the idle connection of one that ended.
  package var connections = ConnectionUse.own
  /// Nil if the users send no credentials.
  package var authentication: Authentication?
  /// The local address to send from, generated once; nil for the system's choice.
  package var address: Template?
  /// The simulated network between the user and the target; nil for none.
  package var network: UserNetwork?
}

/// `network:` of a client: the waiting times of a user in addition to those of the API. They are never counted as the
/// API's.
package struct UserNetwork: Sendable {
  /// A round trip, generated for each request.
  package var latency = DurationValue.zero
  /// The share of packets that are lost and sent again, in each direction.
  package var loss = 0.0
  /// Bits per second; nil if responses take no transmission time.
  package var down: Double?

  /// The wait before the first lost packet is sent again: Linux's lower bound, in addition to a round trip (RFC 6298
  /// §2).
  package static let timeout: Duration = .milliseconds(200)
  /// The maximum number of times that a packet is lost. The next transmission succeeds.
  package static let mostLosses = 6
}

/// `connections:` of a client.
package enum ConnectionUse: String, Sendable, CaseIterable { case own, reuse }

/// A header of every request of one virtual user.
package struct ClientHeader: Sendable {
  package var name: String
  package var value: Template
  /// True if it is generated once when the session begins. False if it reads a name that the session saves. Then each
  /// request evaluates it, and omits it until the name is saved.
  package var isDrawnOnce: Bool
}

extension Scenario {
  /// Adds headers to every user's requests. They replace those of the users' clients with the same names.
  ///
  /// - Parameter mask: tells which headers are secret; every output masks those.
  package mutating func add(clientHeaders fields: [HeaderField], _ mask: SecretMask) {
    let added = fields.map { field in
      ClientHeader(
        name: field.name, value: Template(.constant(.string(field.value)), source: mask.masked(field).value),
        isDrawnOnce: true)
    }
    func extended(_ script: SessionScript) -> SessionScript {
      var script = script
      script.client.headers.removeAll { header in fields.contains { $0.name.isSameHeader(as: header.name) } }
      script.client.headers += added
      return script
    }
    sessions = sessions.map(extended)
    (setup, teardown) = (setup.map(extended), teardown.map(extended))
    for field in fields {
      for value in mask.secrets(in: field) { secrets.insert(Secret(value, ShellVariable("SECRET", field.name))) }
    }
  }
}

/// `auth:` credentials, masked in every output.
package enum Authentication: Sendable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(Template)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: Template, password: Template)
  case apiKey(name: String, place: KeyPlace, value: Template)
  /// `Authorization: Bearer …` with a token that the user requests itself.
  case oauth2(OAuth2)

  /// The part of the request that holds an API key.
  package enum KeyPlace: String, Sendable, CaseIterable { case header, query, cookie }

  /// Nil for another kind of credentials.
  package var oauth2: OAuth2? { if case .oauth2(let source) = self { source } else { nil } }
}

/// A name of a value in a session, resolved to its place in the `Scope`.
package struct Variable: Sendable, Hashable {
  package var name: String
  /// Index into `Scenario.variables` and `Scope.values`.
  package var slot: Int

  package init(name: String, slot: Int) {
    self.name = name
    self.slot = slot
  }
}

extension Authentication {
  /// The header or parameter with the credentials, and their values for this session.
  package struct Credentials: Sendable, Hashable {
    package var place: KeyPlace
    package var name: String
    /// Secret; outputs mask it.
    package var value: String

    package init(place: KeyPlace, name: String, value: String) {
      self.place = place
      self.name = name
      self.value = value
    }
  }

  /// Evaluated for each request, because a token may be saved during the session; throws `unset` until it is saved.
  package func credentials(
    in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> Credentials {
    switch self {
    case .bearer(let token):
      let value = try secret(token, in: &scope, random: &random)
      return Credentials(place: .header, name: "Authorization", value: "Bearer \(value)")
    case .basic(let user, let password):
      let name = try user.evaluate(in: &scope, random: &random).interpolated
      let secret = try secret(password, in: &scope, random: &random)
      let encoded = Data("\(name):\(secret)".utf8).base64EncodedString()
      return Credentials(place: .header, name: "Authorization", value: "Basic \(encoded)")
    case .apiKey(let name, let place, let value):
      return Credentials(place: place, name: name, value: try secret(value, in: &scope, random: &random))
    case .oauth2: throw .nothing("the user requests its token when it sends a request")
    }
  }

  /// The value of a template that is always a secret.
  private func secret(
    _ template: Template, in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> String {
    let value = try template.evaluate(in: &scope, random: &random)
    if !template.isConstant { scope.learn(value) }
    return value.interpolated
  }

  /// The templates whose values are secrets.
  var secrets: [Template] {
    switch self {
    case .bearer(let token): [token]
    case .basic(_, let password): [password]
    case .apiKey(_, _, let value): [value]
    case .oauth2(let source): source.secrets
    }
  }
}
