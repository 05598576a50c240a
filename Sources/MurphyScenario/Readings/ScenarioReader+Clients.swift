import MurphyContract
import MurphyModel

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
          "the address is chosen before the session's first step; it cannot read what steps save", at: entries.node)
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
      if loss == 1 { report("if every packet is lost, nothing arrives; use offline", at: entries.keyNode("loss")) }
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
    if !isValid { report("\"\(name)\" cannot be a header's name", at: node) }
    return isValid
  }
}

extension ScenarioReader {
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
      return refuse("a token-url is the same for all users; found \(found(node))", at: node)
    }
    let url = value.interpolated
    let isKnown = url.hasPrefix("/") || url.hasPrefix("http://") || url.hasPrefix("https://")
    // An unset environment variable that a lint tolerates.
    if !isKnown, !(url.isEmpty && toleratesMissingEnvironment) {
      return refuse(
        "a token-url is a URL such as https://login.example.com/token, or a path of the target; found \(found(node))",
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
      report("the grant \(grant.rawValue) needs \"\(key)\"", at: entries.node)
    }
    for (other, keys) in own where other != grant && other != .clientCredentials {
      for key in keys where entries.has(key) {
        report("\"\(key)\" belongs to the grant \(other.rawValue); this is \(grant.rawValue)", at: entries.keyNode(key))
      }
    }
  }
}
