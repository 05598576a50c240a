import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// `oauth2:` of a client; nil after reporting what is missing.
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

  /// Known before the load, for its host is looked up then.
  private func tokenURL(_ node: MarkedValue?) -> String? {
    guard let node, let template = textTemplate(node, "a token-url") else { return nil }
    guard case .constant(let value) = template.content else {
      report("a token-url is the same for all users; found \(found(node))", at: node)
      return nil
    }
    let url = value.interpolated
    let isKnown = url.hasPrefix("/") || url.hasPrefix("http://") || url.hasPrefix("https://")
    // A variable of the environment that a lint does without.
    if !isKnown, !(url.isEmpty && toleratesMissingEnvironment) {
      report(
        "a token-url is a URL such as https://login.example.com/token, or a path of the target; found \(found(node))",
        at: node)
      return nil
    }
    return url
  }

  /// What each grant needs, and what the others would leave unused.
  private func checkGrant(_ grant: OAuth2.Grant, _ entries: Entries) {
    let own: [OAuth2.Grant: [String]] = [
      .clientCredentials: ["client-secret"], .password: ["user", "password"], .refreshToken: ["refresh-token"],
    ]
    for key in own[grant] ?? [] where !entries.has(key) {
      report("the grant \(grant.rawValue) needs \"\(key)\"", at: entries.node, width: 1)
    }
    for (other, keys) in own where other != grant && other != .clientCredentials {
      for key in keys where entries.has(key) {
        report("\"\(key)\" is of the grant \(other.rawValue); this is \(grant.rawValue)", at: entries.keyNode(key))
      }
    }
  }
}
