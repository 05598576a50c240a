import MurphyModel

/// Versions, servers and their URL templates.
extension StructureCheck {
  /// `3.2.0`, not `3.2`.
  mutating func version(_ field: Located?) {
    guard let field, let text = field.value.string else { return }
    let release = text.split(separator: "-", maxSplits: 1).first ?? ""
    let parts = release.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count != 3 || !parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }) else { return }
    report("\"openapi\" is the whole version, as \(parts.prefix(2).joined(separator: ".")).0", at: field, ofName: false)
  }

  mutating func server(_ site: Located) {
    guard let url = site["url"], let text = url.value.string else { return }
    let template = PathTemplate(text)
    for name in template.names where site["variables"]?.value[name] == nil {
      report("the server variable \"\(name)\" is not under \"variables\"", at: url, ofName: false)
    }
    for name in Set(template.names) where template.names.count(where: { $0 == name }) > 1 {
      report("the server variable \"\(name)\" stands twice in \"\(text)\"", at: url, ofName: false, since32)
    }
    if template.isBroken { report("the braces of \"\(text)\" do not pair", at: url, ofName: false, since32) }
    if let mark = template.shape.first(where: { "?#".contains($0) }) {
      let part = mark == "?" ? "query" : "fragment"
      report("the URL of a server must not have a \(part)", at: url, ofName: false, since32)
    }
    if template.shape.unicodeScalars.contains(where: Self.isOutsideURIs) {
      report("\"\(text)\" has a character that a URL cannot have", at: url, ofName: false, since32)
    }
  }

  /// The names of servers are unique.
  mutating func serverNames(_ list: Located?) {
    var names: Set<String> = []
    for server in list?.items ?? [] {
      guard let field = server["name"], let name = field.value.string, !names.insert(name).inserted else { continue }
      report("the server \"\(name)\" stands here twice", at: field, ofName: false)
    }
  }

  /// Of what the text of 3.2 forbids and that of older versions does not speak of.
  var since32: Diagnostic.Severity { line == .v32 ? .error : .warning }
}
