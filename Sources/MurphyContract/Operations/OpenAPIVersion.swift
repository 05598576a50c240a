import MurphyModel

/// A supported version of the specification.
package struct OpenAPIVersion: Sendable, Hashable {
  /// The minor version; patch versions are equal.
  package enum Line: Sendable, Comparable { case v30, v31, v32 }

  package let line: Line
  /// The original spelling: `3.1.0`.
  package let text: String

  /// Nil if the document states no supported version.
  package init?(_ root: Located) {
    guard let text = root["openapi"]?.value.string ?? root["openapi"]?.value.number?.text else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "3" else { return nil }
    switch parts[1] {
    case "0": line = .v30
    case "1": line = .v31
    case "2": line = .v32
    default: return nil
    }
    self.text = text
  }

  /// The reason why `root` is not a supported document.
  package static func diagnostic(_ root: Located, in sources: DocumentSet) -> Diagnostic {
    if let version = root["openapi"] {
      return sources.diagnostic(
        "OpenAPI \(version.value.string ?? version.value.text) is not supported; 3.0, 3.1 and 3.2 are", at: version,
        ofName: false)
    }
    if let version = root["swagger"] {
      return sources.diagnostic(
        "Swagger \(version.value.string ?? version.value.text) is not supported; convert the document to OpenAPI 3 first",
        at: version, ofName: false)
    }
    let start = root.value.string?.prefix(5).lowercased() ?? ""
    let reason =
      if root["sessions"] != nil {
        "it is a scenario, with the key \"sessions\""
      } else if start.hasPrefix("<htm") || start.hasPrefix("<!doc") {
        "it is an HTML page. Check the path or the URL; the page may be a login or an API browser"
      } else {
        "the field \"openapi\" with the version is missing, such as openapi: 3.1.0"
      }
    return sources.diagnostic("not an OpenAPI document: \(reason)", at: root, ofName: false)
  }
}
