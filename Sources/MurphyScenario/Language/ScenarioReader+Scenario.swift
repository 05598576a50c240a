import MurphyContract
import MurphyModel

extension ScenarioReader {
  /// The whole file; nil if too many parts are missing to continue. Mistakes are in `diagnostics`.
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

  /// Only if everything could be read: a mistake may hide the use of a name.
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

/// All scripts of a scenario.
struct Scripts {
  var setup: SessionScript?
  var teardown: SessionScript?
  var sessions: [SessionScript] = []
}

extension ScenarioReader {
  /// `setup:`, `login:`, `sessions:` and `teardown:`, in the order in which their steps run.
  func scripts(_ entries: Entries) -> Scripts {
    var scripts = Scripts()
    flow = SessionFlow()
    for node in ["setup", "login", "teardown"].compactMap({ entries[$0] }) + parts.sessions.map(\.value) {
      flow.later.merge(savedNames(in: node), uniquingKeysWith: min)
    }
    let client = client(entries["client"])
    flow.later = [:]
    noteHeaders(of: client)
    let clientReadsAnswer = flow.readsAnswer
    scripts.setup = fixture("setup", entries, client)
    // Only the setup reads its own responses, but all scripts can read the values that it saves.
    flow.readsAnswer = clientReadsAnswer
    let afterSetup = flow
    let login = login(entries["login"], client)
    let afterLogin = flow
    requireSessions(entries)
    scripts.sessions = parts.sessions.compactMap { part in
      reading(part.source) {
        guard let entries = self.entries(part.value, .session) else { return nil }
        flow = afterLogin
        flow.later = savedNames(in: part.value)
        return session(part.name, at: part.keyNode, entries, client: client, login: login)
      }
    }
    flow = afterSetup
    noteHeaders(of: client)
    scripts.teardown = fixture("teardown", entries, client)
    return scripts
  }

  private func requireSessions(_ entries: Entries) {
    guard parts.sessions.isEmpty else { return }
    if let node = entries["sessions"] {
      if case .object = node.content { report("a scenario needs a session", at: node) }
    } else {
      report(
        "a scenario needs the key \"sessions\", or a file under \"include\" that has it", at: entries.node)
    }
  }

  /// The only user of `setup:` or `teardown:`. The names that its steps save are stored in `flow`.
  private func fixture(_ name: String, _ entries: Entries, _ client: ClientProfile) -> SessionScript? {
    guard let node = entries[name] else { return nil }
    let feeds = flow.feeds
    let steps = steps(of: name, node)
    if flow.feeds != feeds { report("\(name) runs once and takes no row of a feed", at: entries.keyNode(name)) }
    flow.feeds = feeds
    var script = SessionScript(name: name, steps: steps, client: client, mark: sourceMark(entries.keyNode(name)))
    script.readsAnswers = flow.readsAnswer
    return script
  }

  private func login(_ node: MarkedValue?, _ client: ClientProfile) -> LoginScript? {
    guard let node else { return nil }
    let before = flow.known
    let steps = steps(of: "login", node)
    let saved = flow.known.subtracting(before).sorted().map(variable)
    let drawn = UserDraws(
      variables: Set(client.variables.map(\.variable)),
      headers: Set(client.headers.filter(\.isDrawnOnce).map { $0.name.lowercased() }), hasAddress: true)
    return LoginScript(steps: steps, saved: saved, drawn: drawn)
  }

  private func steps(of stage: String, _ node: MarkedValue) -> [Step] {
    stepPath = []
    flow.later = savedNames(in: node)
    let steps = within(stage) { self.steps(node) }
    if steps.isEmpty, case .array(let sequence) = node.content, sequence.isEmpty {
      report("\(stage) needs a step", at: node)
    }
    return steps
  }
}
