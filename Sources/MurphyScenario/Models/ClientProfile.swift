import MurphyModel

/// Who one virtual user is.
package struct ClientProfile: Sendable {
  /// Sent with every request; a call's own header of the same name replaces it.
  package var headers: [ClientHeader] = []
  /// Names drawn once when a session begins, in this order, before headers and address.
  package var variables: [Assignment] = []
  /// Whether cookies are kept, each user its own.
  package var cookies = true
  /// Whether a session takes over the idle connection of one that ended.
  package var connections = ConnectionUse.own
  package var authentication: Authentication?
  /// The local address to send from, drawn once; nil for the system's choice.
  package var address: Template?
  /// What lies between the user and the target; nil for nothing.
  package var network: UserNetwork?
}

/// `network:` of a client: the times that a user waits besides those of the API, which are never counted as the API's.
package struct UserNetwork: Sendable {
  /// A round trip, drawn for each request.
  package var latency = DurationValue.zero
  /// The share of packets that are lost, each way, and sent again.
  package var loss = 0.0
  /// Bits in a second; nil where answers take no time of their own.
  package var down: Double?

  /// Before the first packet that was lost is sent again: Linux's lower bound, beside a round trip (RFC 6298 §2).
  package static let timeout: Duration = .milliseconds(200)
  /// A packet lost as often as this gets through the next time.
  package static let mostLosses = 6
}

/// `connections:` of a client.
package enum ConnectionUse: String, Sendable, CaseIterable { case own, reuse }

/// A header of every request of one virtual user.
package struct ClientHeader: Sendable {
  package var name: String
  package var value: Template
  /// Drawn once when the session begins. False where it reads what the session saves: then each request
  /// evaluates it, and leaves it out until the name is saved.
  package var isDrawnOnce: Bool
}

/// `auth:` credentials, masked in every output.
package enum Authentication: Sendable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(Template)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: Template, password: Template)
  case apiKey(name: String, place: KeyPlace, value: Template)
  /// `Authorization: Bearer …` with a token that the user asks for itself.
  case oauth2(OAuth2)

  package enum KeyPlace: String, Sendable, CaseIterable { case header, query, cookie }

  package var oauth2: OAuth2? { if case .oauth2(let source) = self { source } else { nil } }
}

/// A name that a session gives to a value, resolved to its place in the `Scope`.
package struct Variable: Sendable, Hashable {
  package var name: String
  /// Index into `Scenario.variables` and `Scope.values`.
  package var slot: Int

  package init(name: String, slot: Int) {
    self.name = name
    self.slot = slot
  }
}
