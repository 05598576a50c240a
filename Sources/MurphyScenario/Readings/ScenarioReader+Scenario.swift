import MurphyDocument
import MurphyModel

extension ScenarioReader {
  /// The whole file; nil when too much is missing to go on. Mistakes are in `diagnostics`.
  func scenario(_ root: MarkedValue) -> Scenario? {
    guard let entries = entries(root, .scenario) else { return nil }
    let settings = settings(entries["settings"])
    timeout = settings.timeout
    readParts(entries)
    readFeeds(entries["feeds"])
    let scripts = scripts(entries)
    let sessions = scripts.sessions
    let load = load(entries["load"])
    let expectations = expectations(entries["expect"], sessions: sessions.map(\.name))
    let name = text(entries["name"], "a name")
    let target = text(entries["target"], "a target")
    if let target, let node = entries["target"] { check(target: target, at: node) }
    warnOfUnused(entries)
    guard let name, let load, !sessions.isEmpty else { return nil }
    var scenario = Scenario(
      name: name, file: source.file, sessions: sessions, load: load, expectations: expectations)
    scenario.about = text(entries["about"], "about")
    scenario.contracts = contracts(entries["contract"])
    scenario.target = target
    scenario.seed = whole(entries["seed"], "a seed", 0...Int.max).map(UInt64.init)
    scenario.settings = settings
    scenario.setup = scripts.setup
    scenario.teardown = scripts.teardown
    scenario.feeds = feeds
    scenario.variables = variables
    scenario.tags = tagNames.all
    scenario.secrets = secrets
    scenario.warnings = diagnostics.filter { $0.severity == .warning }
    return scenario
  }

  /// One document, or a list of documents and overlays.
  private func contracts(_ node: MarkedValue?) -> [String] {
    guard let node else { return [] }
    if node.items.isEmpty { report("a scenario needs a contract", at: node) }
    return node.items.compactMap { node in
      guard let name = text(node, "a contract") else { return nil }
      if name.contains("://") {
        report(
          "a contract is a file, or a path of the target such as /openapi.json; nothing else is fetched", at: node)
      }
      return name
    }
  }

  private func check(target: String, at node: MarkedValue) {
    guard !target.hasPrefix("embedded:"), !target.hasPrefix("http://"), !target.hasPrefix("https://") else { return }
    let shown = URLCredentials.masked(target)
    let message = "a target is a URL such as http://127.0.0.1:8080, or embedded:SYSTEM; found \"\(shown)\""
    // The line itself would show the credentials.
    if shown == target { report(message, at: node) } else { report(Diagnostic(message, at: sourceMark(node))) }
  }

  /// Only where all could be read: a mistake may hide the place that uses a name.
  private func warnOfUnused(_ entries: Entries) {
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    var warned: Set<String> = []
    for (variable, node) in saved where !readVariables.contains(variable.slot) && warned.insert(variable.name).inserted
    {
      warn("\"\(variable.name)\" is saved and never used", at: node)
    }
    warnOfUnusedGroups(entries)
    guard let node = entries["feeds"] else { return }
    for (name, keyNode, _) in pairs(node) {
      guard let feed = feeds.first(where: { $0.name == name }) else { continue }
      if !readVariables.contains(feed.variable.slot) { warn("no session uses the feed \"\(name)\"", at: keyNode) }
    }
  }
}
