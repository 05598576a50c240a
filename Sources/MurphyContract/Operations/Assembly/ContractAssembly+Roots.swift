import MurphyModel

extension ContractAssembly {
  /// The OpenAPI documents among `files`, with the overlays laid over them.
  mutating func openRoots(_ files: [String]) throws(ContractError) -> [Located] {
    var roots: [Int] = []
    for file in files {
      let path = FileReader.absolute(file)
      let document = try sources.document(path, named: file)
      guard Overlay.isOverlay(document) else {
        let index = try sources.open(path, named: file)
        if roots.contains(index) {
          throw ContractError([document.diagnostic("the contract names this document twice", at: .root)])
        }
        roots.append(index)
        continue
      }
      guard let base = roots.last else {
        throw ContractError([
          document.diagnostic(
            "no OpenAPI document stands before this overlay in the scenario's contract",
            at: .root.appending("overlay"))
        ])
      }
      problems += try sources.overlay(path, named: file, over: base)
    }
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ContractError(errors) }
    sources.roots = roots
    return roots.map { sources.root($0) }
  }

  /// Their versions, each once; every document is read in its own.
  func versions(of roots: [Located]) throws(ContractError) -> [OpenAPIVersion] {
    var versions: [OpenAPIVersion] = []
    for root in roots {
      guard let version = OpenAPIVersion(root) else {
        throw ContractError([OpenAPIVersion.diagnostic(root, in: sources)])
      }
      if !versions.contains(version) { versions.append(version) }
    }
    return versions
  }

  /// Of all documents; a name means the same in each.
  mutating func securitySchemes(of roots: [Located]) -> [String: SecurityScheme] {
    var all: [String: SecurityScheme] = [:]
    var sites: [String: Located] = [:]
    for root in roots {
      let list = root["components"]?["securitySchemes"]
      for (name, scheme) in securitySchemes(list) {
        guard let site = list?[name] else { continue }
        if let known = all[name], known != scheme, let first = sites[name] {
          report(
            "the security scheme \"\(name)\" means something else in \(sources.mark(first).text); "
              + "an overlay can give it another name", at: site)
        }
        all[name] = all[name] ?? scheme
        sites[name] = sites[name] ?? site
      }
    }
    return all
  }
}
