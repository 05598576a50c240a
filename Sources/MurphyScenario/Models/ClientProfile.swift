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

  package init() {}
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

  package init(name: String, value: Template, isDrawnOnce: Bool) {
    self.name = name
    self.value = value
    self.isDrawnOnce = isDrawnOnce
  }
}

/// `auth:` credentials, masked in every output.
package enum Authentication: Sendable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(Template)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: Template, password: Template)
  case apiKey(name: String, place: KeyPlace, value: Template)

  package enum KeyPlace: String, Sendable, CaseIterable { case header, query, cookie }
}
