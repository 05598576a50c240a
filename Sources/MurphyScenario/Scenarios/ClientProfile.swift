import Foundation
import MurphyContract
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
package enum ConnectionUse: String, Sendable, CaseIterable { case own, reuse, single }

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
    case .oauth2: throw .nothing("the user requests the token when it sends its first request")
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

extension ScenarioReader {
  /// - Parameter base: the settings that the session's own client extends.
  func client(_ node: MarkedValue?, over base: ClientProfile = ClientProfile()) -> ClientProfile {
    var client = base
    guard let node, let entries = entries(node, .client) else { return client }
    flow.isClient = true
    defer { flow.isClient = false }
    for assignment in assignments(entries["vars"], "vars") {
      client.variables.removeAll { $0.variable == assignment.variable }
      client.variables.append(assignment)
    }
    for (name, keyNode, value) in mapping(entries["headers"], "headers") {
      guard checkHeaderName(name, at: keyNode), let template = textTemplate(value, "a header's value") else { continue }
      client.headers.removeAll { $0.name.lowercased() == name.lowercased() }
      client.headers.append(ClientHeader(name: name, value: template, isDrawnOnce: isDrawnOnce(template, client)))
    }
    if let cookies = boolean(entries["cookies"], "cookies") { client.cookies = cookies }
    if let use = choice(entries["connections"], "connections", ConnectionUse.self) { client.connections = use }
    if let auth = entries["auth"] { client.authentication = authentication(auth) ?? client.authentication }
    if let network = entries["network"] { client.network = self.network(network) ?? client.network }
    if let address = textTemplate(entries["address"], "an address") {
      client.address = address
      if !isDrawnOnce(address, client) {
        report(
          "the address cannot use values that steps save, because murphy evaluates it before the first step",
          at: entries.node)
      }
    }
    return client
  }

  private func network(_ node: MarkedValue) -> UserNetwork? {
    guard let entries = entries(node, .network) else { return nil }
    var network = UserNetwork()
    if let latency = drawnDuration(entries["latency"], "latency") { network.latency = latency }
    if let loss = percentage(entries["loss"], "loss") {
      network.loss = loss
      if loss == 1 {
        report(
          "\"loss\" must be below 100%; for a user without a network, write an offline step",
          at: entries.keyNode("loss"))
      }
    }
    network.down = quantity(entries["down"], "down", Quantity.bandwidth)
    return network
  }

  /// True if a template reads only values that exist before the first step.
  private func isDrawnOnce(_ template: Template, _ client: ClientProfile) -> Bool {
    let early = Set(client.variables.map(\.variable)).union(feeds.map(\.variable))
    return template.variables.allSatisfy(early.contains)
      && !template.content.expressions.contains { $0.readsAnswer }
  }

  private func authentication(_ node: MarkedValue) -> Authentication? {
    guard let entries = entries(node, .auth) else { return nil }
    var authentication: Authentication?
    if let token = textTemplate(entries["bearer"], "a bearer token") { authentication = .bearer(token) }
    if let basic = entries["basic"], let parts = self.entries(basic, .basic),
      let user = textTemplate(parts["user"], "a user"), let password = textTemplate(parts["password"], "a password")
    {
      authentication = .basic(user: user, password: password)
    }
    if let key = entries["api-key"], let parts = self.entries(key, .apiKey), let name = text(parts["name"], "a name"),
      let value = textTemplate(parts["value"], "an API key")
    {
      let place = parts["in"].flatMap { choice($0, "in", Authentication.KeyPlace.self) } ?? .header
      authentication = .apiKey(name: name, place: place, value: value)
    }
    if let node = entries["oauth2"], let source = oauth2(node) { authentication = .oauth2(source) }
    for secret in authentication?.secrets ?? [] {
      if case .constant(let value) = secret.content { for leaf in value.leaves { secrets.insert(leaf) } }
    }
    return authentication
  }

  /// RFC 9110 §5.1: a token.
  func checkHeaderName(_ name: String, at node: MarkedValue) -> Bool {
    let isValid = HeaderName.isValid(name)
    if !isValid { report("\"\(name)\" is not a valid header name", at: node) }
    return isValid
  }

  /// `oauth2:` of a client; nil after reporting a missing key.
  func oauth2(_ node: MarkedValue) -> OAuth2? {
    guard let entries = entries(node, .oauth2) else { return nil }
    let url = tokenURL(entries["token-url"])
    let grant = choice(entries["grant"], "a grant", OAuth2.Grant.self)
    guard let id = textTemplate(entries["client-id"], "a client-id"), let url else { return nil }
    var source = OAuth2(tokenURL: url, clientID: id, mark: sourceMark(node))
    source.clientSecret = textTemplate(entries["client-secret"], "a client-secret")
    source.scope = textTemplate(entries["scope"], "a scope")
    if let grant { source.grant = grant }
    source.user = textTemplate(entries["user"], "a user")
    source.password = textTemplate(entries["password"], "a password")
    source.refreshToken = textTemplate(entries["refresh-token"], "a refresh-token")
    source.parameters = templates(entries["parameters"], "parameters")
    if let way = choice(entries["client-auth"], "client-auth", OAuth2.ClientAuthentication.self) {
      source.clientAuthentication = way
    }
    source.isShared = boolean(entries["shared"], "shared") ?? false
    checkGrant(source.grant, entries)
    return source
  }

  /// It must be known before the load, because its host is resolved then.
  private func tokenURL(_ node: MarkedValue?) -> String? {
    guard let node, let template = textTemplate(node, "a token-url") else { return nil }
    guard case .constant(let value) = template.content else {
      return refuse(
        "\"token-url\" must be the same for all users; use only constants and env(); found \(found(node))", at: node)
    }
    let url = value.interpolated
    let isKnown = url.hasPrefix("/") || url.hasPrefix("http://") || url.hasPrefix("https://")
    // An unset environment variable that a lint tolerates.
    if !isKnown, !(url.isEmpty && toleratesMissingEnvironment) {
      return refuse(
        "\"token-url\" must be a URL such as https://login.example.com/token, or a path of the target; found "
          + found(node),
        at: node)
    }
    return url
  }

  /// Checks the keys that each grant requires, and those that it would not use.
  private func checkGrant(_ grant: OAuth2.Grant, _ entries: Entries) {
    let own: [OAuth2.Grant: [String]] = [
      .clientCredentials: ["client-secret"], .password: ["user", "password"], .refreshToken: ["refresh-token"],
    ]
    for key in own[grant] ?? [] where !entries.has(key) {
      report("the grant \(grant.rawValue) needs the key \"\(key)\"", at: entries.node)
    }
    for (other, keys) in own where other != grant && other != .clientCredentials {
      for key in keys where entries.has(key) {
        report(
          "\"\(key)\" is allowed only with the grant \(other.rawValue), not with \(grant.rawValue)",
          at: entries.keyNode(key))
      }
    }
  }
}
