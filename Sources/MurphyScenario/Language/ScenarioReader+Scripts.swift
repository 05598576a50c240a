import MurphyContract

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
      if case .object = node.content {
        report("\"sessions\" is empty; a scenario needs at least one session", at: node)
      }
    } else {
      report(
        "a scenario needs the key \"sessions\", or an included file with sessions", at: entries.node)
    }
  }

  /// The only user of `setup:` or `teardown:`. The names that its steps save are stored in `flow`.
  private func fixture(_ name: String, _ entries: Entries, _ client: ClientProfile) -> SessionScript? {
    guard let node = entries[name] else { return nil }
    let feeds = flow.feeds
    let steps = steps(of: name, node)
    if flow.feeds != feeds {
      report("the steps of \"\(name)\" cannot use a feed, because they run only once", at: entries.keyNode(name))
    }
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
      report("\"\(stage)\" is empty; write a step, or remove this key", at: node)
    }
    return steps
  }
}
