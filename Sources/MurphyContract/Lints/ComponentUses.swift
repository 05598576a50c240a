import MurphyModel

/// Which components refer to which, to find those that nothing reaches.
struct ComponentUses {
  /// A component of the root document: `schemas/Law`.
  typealias Name = String

  private var roots: Set<Name> = []
  private var edges: [Name: Set<Name>] = [:]

  mutating func add(from site: Located, to target: Located) {
    guard let used = Self.component(of: target) else { return }
    if let user = Self.component(of: site) { edges[user, default: []].insert(used) } else { roots.insert(used) }
  }

  /// Components that no path, webhook or other file reaches, in the document's order.
  func unused(in root: Located) -> [(name: Name, located: Located)] {
    var reached = roots
    var pending = Array(roots)
    while let next = pending.popLast() {
      for used in edges[next] ?? [] where reached.insert(used).inserted { pending.append(used) }
    }
    return (root["components"]?.members ?? []).flatMap { kind, components in
      components.members.compactMap { name, located in
        reached.contains("\(kind)/\(name)") || kind.hasPrefix("x-") ? nil : ("\(kind)/\(name)", located)
      }
    }
  }

  private static func component(of site: Located) -> Name? {
    let tokens = site.pointer.tokens
    guard site.document == 0, tokens.count >= 3, tokens[0] == "components" else { return nil }
    return "\(tokens[1])/\(tokens[2])"
  }
}
