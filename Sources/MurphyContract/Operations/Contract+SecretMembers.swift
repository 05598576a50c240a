import MurphyJSON
import MurphyModel

extension Contract {
  /// Members that hold a secret in every API: the fields of OAuth 2.0 (RFC 6749) and OpenID Connect, and passwords.
  static let secretMemberNames: Set<String> = [
    "password", "access_token", "refresh_token", "id_token", "client_secret",
  ]

  /// Names of members of an operation's request and response bodies whose values are secret: those whose schema has
  /// `format: password` or `writeOnly: true`, and those that are secret in every API.
  package func secretMembers(operation: Int) -> Set<String> { Self.secretMemberNames.union(promised(operation).names) }

  /// Whether a successful answer of the operation holds a member that its schema marks as secret.
  package func answersWithSecrets(operation: Int) -> Bool { promised(operation).isInAnswer }

  private func promised(_ operation: Int) -> (names: Set<String>, isInAnswer: Bool) {
    var walk = SecretMemberWalk(sources: sources)
    for response in operations[operation].responses {
      for content in response.content { if let schema = content.schema { walk.visit(schema.located) } }
    }
    let isInAnswer = !walk.names.isEmpty
    for content in operations[operation].requestBody?.content ?? [] {
      if let schema = content.schema { walk.visit(schema.located) }
    }
    return (walk.names, isInAnswer)
  }
}

/// Collects the names of secret members of a schema and those it refers to.
private struct SecretMemberWalk {
  var sources: DocumentSet
  private(set) var names: Set<String> = []
  private var visited: Set<LocationKey> = []

  init(sources: DocumentSet) { self.sources = sources }

  mutating func visit(_ schema: Located) {
    guard let schema = try? sources.resolved(schema), visited.insert(schema.key).inserted else { return }
    for (name, member) in schema["properties"]?.members ?? [] {
      guard let value = (try? sources.resolved(member))?.value else { continue }
      if value["format"]?.string == "password" || value["writeOnly"]?.bool == true { names.insert(name) }
      visit(member)
    }
    for key in ["items", "additionalProperties", "not", "if", "then", "else"] {
      if let part = schema[key] { visit(part) }
    }
    for key in ["allOf", "anyOf", "oneOf", "prefixItems"] { for part in schema[key]?.items ?? [] { visit(part) } }
  }
}
