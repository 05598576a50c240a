import MurphyModel

/// Checks path templates against their parameters and against each other.
extension StructureCheck {
  mutating func paths() {
    let paths = (sources.root(0)["paths"]?.members ?? []).filter { $0.key.hasPrefix("/") }
    var shapes: [String: (path: String, mark: SourceMark, methods: Set<String>)] = [:]
    var ambiguous: [(path: String, template: PathTemplate, methods: Set<String>)] = []
    // The comparison of all pairs costs n². It is skipped for large, generated documents.
    let comparesAll = paths.count <= 1000
    for (path, site) in paths {
      let template = PathTemplate(path)
      if template.isBroken { report("the braces of \"\(path)\" are not balanced", at: site) }
      for name in Set(template.names) where template.names.count(where: { $0 == name }) > 1 {
        report("\"{\(name)}\" appears twice in \"\(path)\"", at: site, since32)
      }
      if let mark = template.shape.first(where: { "?#".contains($0) }) {
        let part = mark == "?" ? "query" : "fragment"
        report("a path cannot have a \(part): \"\(path)\" matches no request", at: site, since32)
      }
      guard let item = try? sources.resolved(site) else { continue }
      let methods = Set(ContractAssembly.operations(in: [item, site]).map(\.method))
      if let first = shapes[template.shape] {
        let shared = first.methods.intersection(methods).sorted().joined(separator: ", ")
        let consequence =
          shared.isEmpty ? "put their operations under one path" : "their \(shared) cannot be distinguished"
        report(
          "OpenAPI does not allow \"\(path)\" in addition to \"\(first.path)\" "
            + "(\(sources.words(of: first.mark, near: site))), because both match the same requests: \(consequence)",
          at: site)
      } else {
        shapes[template.shape] = (path, sources.mark(site), methods)
        for other in ambiguous where template.isAmbiguous(with: other.template) {
          guard !other.methods.isDisjoint(with: methods) else { continue }
          report(
            "some requests match both \"\(path)\" and \"\(other.path)\"; OpenAPI does not define which of them applies",
            at: site, .warning)
        }
        // Two templates can only be ambiguous if each has a parameter where the other has a fixed segment.
        if comparesAll, !template.names.isEmpty { ambiguous.append((path, template, methods)) }
      }
      operations(path, template, item, at: site)
    }
  }

  private mutating func operations(_ path: String, _ template: PathTemplate, _ item: Located, at site: Located) {
    let shared = parameters(item["parameters"] ?? site["parameters"])
    var hasOperation = false
    for (method, operation) in ContractAssembly.operations(in: [item, site]) {
      hasOperation = true
      let own = parameters(operation["parameters"])
      let all = own + shared.filter { outer in !own.contains { $0.name == outer.name && $0.place == outer.place } }
      for parameter in all where parameter.place == "path" && !template.names.contains(parameter.name) {
        let hint = suggestion(for: parameter.name, among: template.names)
        report("the path parameter \"\(parameter.name)\" is not in \"\(path)\"\(hint)", at: parameter.site)
      }
      // A parameter that cannot be read, as in a document of another host, may be the missing one.
      let isComplete = [operation["parameters"], item["parameters"], site["parameters"]].allSatisfy {
        ($0?.items ?? []).allSatisfy { (try? sources.resolved($0)) != nil }
      }
      for name in template.names
      where isComplete && !all.contains(where: { $0.place == "path" && $0.name == name }) {
        report("\"{\(name)}\" of \"\(path)\" needs a path parameter", at: operation)
      }
      if ["GET", "HEAD"].contains(method), let body = operation["requestBody"] {
        report("a body of a \(method) request has no meaning (RFC 9110 §9.3.1)", at: body, .warning)
      }
      if let status = operation["responses"]?.members, status.isEmpty {
        report("no response is documented: every response will be a violation", at: operation, .warning)
      }
    }
    if !hasOperation { report("\"\(path)\" has no operation", at: site, .warning) }
  }

  struct Named {
    let name: String
    let place: String
    let site: Located
  }

  /// The parameters of a list that have a name and a location.
  mutating func parameters(_ list: Located?) -> [Named] {
    var named: [Named] = []
    for site in list?.items ?? [] {
      guard let parameter = try? sources.resolved(site), let name = parameter["name"]?.value.string,
        let place = parameter["in"]?.value.string
      else { continue }
      named.append(Named(name: name, place: place, site: site))
    }
    return named
  }
}

/// `/laws/{id}/votes`: its fixed parts and its names.
struct PathTemplate {
  /// In order.
  let names: [String]
  /// The template without its names: equal for templates that match the same paths.
  let shape: String
  /// An unbalanced brace.
  let isBroken: Bool
  private let segments: [Substring]

  init(_ text: String) {
    var names: [String] = []
    var shape = ""
    var broken = false
    var name: String?
    for character in text {
      switch (character, name) {
      case ("{", nil): name = ""
      case ("{", _): broken = true
      case ("}", let open?):
        names.append(open)
        if open.isEmpty { broken = true }
        shape += "{}"
        name = nil
      case ("}", nil): broken = true
      case (_, let open?): name = open + String(character)
      default: shape.append(character)
      }
    }
    self.names = names
    self.shape = shape
    isBroken = broken || name != nil
    segments = shape.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// True if some path matches both templates and neither is the more concrete one in every segment.
  func isAmbiguous(with other: PathTemplate) -> Bool {
    guard !names.isEmpty, segments.count == other.segments.count, shape != other.shape else { return false }
    var mineIsConcrete = false
    var theirsIsConcrete = false
    for (left, right) in zip(segments, other.segments) where left != right {
      if left == "{}" {
        theirsIsConcrete = true
      } else if right == "{}" {
        mineIsConcrete = true
      } else {
        return false
      }
    }
    return mineIsConcrete && theirsIsConcrete
  }
}
