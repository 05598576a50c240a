import MurphyModel

/// Discriminators against the schemas that they choose from.
extension StructureCheck {
  mutating func mappings(_ site: Located) {
    for (_, entry) in site["mapping"]?.members ?? [] { mapping(entry, of: site) }
    if let entry = site["defaultMapping"] { mapping(entry, of: site) }
  }

  /// A mapping's value is a reference or the name of a component.
  private mutating func mapping(_ entry: Located, of site: Located) {
    guard let text = entry.value.string else { return }
    if let named = sources.root(entry.document)["components"]?["schemas"]?[text] {
      uses.add(from: site, to: named)
      return
    }
    do throws(Diagnostic) {
      uses.add(from: site, to: try sources.target(of: text, from: entry))
    } catch {
      report("the mapping \"\(text)\" is neither a schema's name nor a reference to one", at: entry, ofName: false)
    }
  }

  /// From 3.2 on, where the property may be missing, `defaultMapping` says which schema is expected.
  mutating func discriminated(_ site: Located) {
    guard line == .v32, let discriminator = site["discriminator"], discriminator.value["defaultMapping"] == nil,
      let name = discriminator["propertyName"]?.value.string
    else { return }
    var visited: Set<LocationKey> = []
    guard !requires(name, site, &visited) else { return }
    // Without branches there is nothing to choose from here; heirs may require the property.
    let chooses = site.value["oneOf"] != nil || site.value["anyOf"] != nil
    report(
      "\"\(name)\" may be missing here, so the discriminator needs \"defaultMapping\"", at: discriminator,
      chooses ? .error : .warning)
  }

  /// Whether every object that the schema admits has the property; what cannot be followed is taken to say so.
  private mutating func requires(_ name: String, _ site: Located, _ visited: inout Set<LocationKey>) -> Bool {
    guard visited.insert(site.key).inserted else { return false }
    if site.value["required"]?.array?.contains(.string(name)) == true { return true }
    if let reference = site.value["$ref"]?.string {
      guard let target = try? sources.target(of: reference, from: site) else { return true }
      if requires(name, target, &visited) { return true }
    }
    for part in site["allOf"]?.items ?? [] where requires(name, part, &visited) { return true }
    for keyword in ["oneOf", "anyOf"] {
      guard let branches = site[keyword]?.items, !branches.isEmpty else { continue }
      var all = true
      for branch in branches {
        var path = visited
        if !requires(name, branch, &path) { all = false }
      }
      if all { return true }
    }
    return false
  }
}
